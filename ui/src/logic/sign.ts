/**
 * The value of v1 in X-Service-Signature: the HMAC of time, a full stop and the body, in hexadecimal
 * digits. Browsers offer it over https and on localhost only.
 */
export async function sign(secret: string, time: string, body: string): Promise<string> {
	if (!globalThis.crypto?.subtle) return "…";
	const bytes = (text: string) => new TextEncoder().encode(text);
	const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
	const mac = await crypto.subtle.sign("HMAC", key, bytes(`${time}.${body}`));
	return [...new Uint8Array(mac)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
