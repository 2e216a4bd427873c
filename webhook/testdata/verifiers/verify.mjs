import { createHmac, timingSafeEqual } from "node:crypto";

// body is the Buffer that arrived, now in seconds since 1970.
export function verify(secret, header, body, now = Date.now() / 1000) {
  const pairs = header.split(",").map((part) => part.trim().split("="));
  const timestamp = pairs.find(([key]) => key === "t")?.[1] ?? "";
  if (!/^[0-9]+$/.test(timestamp)) return false;
  if (Math.abs(now - Number(timestamp)) > 300) return false;
  const want = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();
  return pairs
    .filter(([key, value]) => key === "v1" && /^[0-9a-f]{64}$/.test(value))
    .some(([, value]) => timingSafeEqual(Buffer.from(value, "hex"), want));
}
