// An OpenID provider that others wrote, for TestIndependentIssuer. Its settings come from
// the environment; it prints its issuer when it is ready. It forgets everything at its end.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";

const { PORT, CLIENT_ID, CLIENT_SECRET, REDIRECT, ROTATE, TENANT } = process.env;
const issuer = `http://127.0.0.1:${PORT}`;
const { privateKey } = await generateKeyPair("RS256", { extractable: true });
const key = { ...(await exportJWK(privateKey)), use: "sig", alg: "RS256", kid: randomBytes(8).toString("hex") };

const provider = new Provider(issuer, {
	clients: [
		{
			client_id: CLIENT_ID,
			client_secret: CLIENT_SECRET,
			redirect_uris: [REDIRECT],
			grant_types: ["authorization_code", "refresh_token"],
			token_endpoint_auth_method: "client_secret_post",
		},
	],
	jwks: { keys: [key] },
	cookies: { keys: [randomBytes(16).toString("hex")] },
	scopes: [
		"openid",
		"offline_access",
		"https://mail.google.com/",
		"https://outlook.office.com/IMAP.AccessAsUser.All",
		"https://outlook.office.com/SMTP.Send",
	],
	claims: { openid: ["sub", "tid"], email: ["email"], profile: ["preferred_username"] },
	conformIdTokenClaims: false,
	extraParams: ["access_type"],
	pkce: { required: () => true },
	issueRefreshToken: () => true,
	rotateRefreshToken: () => ROTATE === "yes",
	features: { introspection: { enabled: true }, devInteractions: { enabled: true } },
	ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 86400, IdToken: 3600, Interaction: 600, RefreshToken: 86400, Session: 600 },
	findAccount: (_, id) => ({
		accountId: id,
		claims: () => ({ sub: id, email: id, preferred_username: id, tid: TENANT }),
	}),
});

createServer(provider.callback()).listen(Number(PORT), "127.0.0.1", () => console.log(`ready: ${issuer}`));
