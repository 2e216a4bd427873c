import { useState } from "react";
import { CodeBox } from "../../parts/Secret";

const languages = ["Go", "Node", "Python"] as const;

/** Code that verifies a delivery, with the first characters of this webhook's secret filled in. */
export function VerifyBox({ secret }: { secret: string | null }) {
	const [language, setLanguage] = useState<(typeof languages)[number]>("Go");
	return (
		<section className="section" aria-labelledby="verify">
			<h3 id="verify">Verify the signature</h3>
			<p className="faint">
				Check the signature over the raw body before parsing the JSON, and reject requests older than five minutes. The
				same X-Service-Delivery can arrive more than once: handle it once.
			</p>
			<fieldset className="tabs" aria-label="Language">
				{languages.map((name) => (
					<button
						type="button"
						key={name}
						className="tab"
						aria-pressed={language === name}
						aria-current={language === name ? "true" : undefined}
						onClick={() => setLanguage(name)}
					>
						{name}
					</button>
				))}
			</fieldset>
			<CodeBox
				label={`Verification in ${language}`}
				code={code[language](secret ? `${secret.slice(0, 12)}…` : "whsec_…")}
			/>
		</section>
	);
}

const code: Record<(typeof languages)[number], (secret: string) => string> = {
	Go: (secret) => `// OUTREACH_SECRET holds the whole secret (${secret})
func verify(header string, body []byte, secret string) bool {
	stamp, signature, ok := strings.Cut(strings.TrimPrefix(header, "t="), ",v1=")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if !ok || err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(stamp + "."))
	mac.Write(body)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature))
}
// verify(r.Header.Get("X-Service-Signature"), body, os.Getenv("OUTREACH_SECRET"))`,
	Node: (secret) => `// OUTREACH_SECRET holds the whole secret (${secret}); body is the raw Buffer
import { createHmac, timingSafeEqual } from 'node:crypto';

export function verify(header, body, secret) {
  const [, stamp, signature] = /^t=(\\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (!stamp || Math.abs(Date.now() / 1000 - Number(stamp)) > 300) return false;
  const wanted = createHmac('sha256', secret).update(stamp + '.').update(body).digest('hex');
  return timingSafeEqual(Buffer.from(wanted), Buffer.from(signature));
}
// verify(req.headers['x-service-signature'], body, process.env.OUTREACH_SECRET)`,
	Python: (secret) => `# OUTREACH_SECRET holds the whole secret (${secret}); body is bytes
import hashlib, hmac, re, time

def verify(header: str, body: bytes, secret: str) -> bool:
    match = re.fullmatch(r"t=(\\d+),v1=([0-9a-f]{64})", header)
    if not match or abs(time.time() - int(match[1])) > 300:
        return False
    signed = match[1].encode() + b"." + body
    wanted = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(wanted, match[2])
# verify(request.headers["X-Service-Signature"], body, os.environ["OUTREACH_SECRET"])`,
};
