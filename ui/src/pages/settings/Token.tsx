import { KeyRound } from "lucide-react";
import { useState } from "react";
import { request } from "../../api";
import { refresh, useOne } from "../../data";
import { MeDocument, RevokeTokenDocument, RotateTokenDocument } from "../../gql/generated";
import { Confirm } from "../../parts/Confirm";
import { CodeBox, Secret } from "../../parts/Secret";
import { Empty, Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { toast } from "../../parts/Toasts";

export function Token() {
	const { data, error, refetch } = useOne(MeDocument, {});
	const [asking, setAsking] = useState<"rotate" | "revoke" | null>(null);
	const [token, setToken] = useState<string | null>(null);
	if (!data) return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />;
	const { tokenPrefix, tokenLastUsedAt } = data.me;
	const rotate = async () => {
		setToken((await request(RotateTokenDocument, {})).rotateToken.token);
		void refresh();
	};
	const revoke = async () => {
		await request(RevokeTokenDocument, {});
		setToken(null);
		toast("The token was revoked.");
		void refresh();
	};
	return (
		<div className="panel">
			<section className="section" aria-labelledby="token">
				<header>
					<h2 id="token">API token</h2>
				</header>
				{!tokenPrefix && (
					<Empty title="This workspace has no token, so the API answers nobody.">
						<button type="button" className="primary" onClick={() => void rotate()}>
							<KeyRound size={14} aria-hidden /> Make a token
						</button>
					</Empty>
				)}
				{tokenPrefix && (
					<>
						<dl className="facts">
							<dt>Begins with</dt>
							<dd>
								<code>{tokenPrefix}…</code>
							</dd>
							<dt>Last used</dt>
							<dd>
								<Time at={tokenLastUsedAt} none="never" />
							</dd>
							<dt>Reaches</dt>
							<dd>everything of this workspace; there is one token per workspace</dd>
						</dl>
						{token && <Secret value={token} label="API token" once="Copy it now: it is not shown again." />}
						<div className="line">
							<button type="button" onClick={() => setAsking("rotate")}>
								Rotate
							</button>
							<button type="button" className="bad-text" onClick={() => setAsking("revoke")}>
								Revoke
							</button>
						</div>
					</>
				)}
			</section>
			<section className="section" aria-labelledby="first">
				<h2 id="first">First call</h2>
				<CodeBox
					label="curl command"
					code={`curl ${location.origin}/api/v1/prospects \\\n  -H "Authorization: Bearer ${token ?? `${tokenPrefix ?? "ort_"}…`}" \\\n  -H "Content-Type: application/json" \\\n  -d '{"email": "ada@example.com", "company_name": "Example"}'`}
				/>
				<p>
					<a href="/docs">All calls, with examples</a>
				</p>
			</section>
			{asking === "rotate" && (
				<Confirm
					title="Rotate the token?"
					verb="Rotate token"
					typed="rotate"
					act={rotate}
					onClose={() => setAsking(null)}
				>
					<p>
						1 token, {tokenPrefix}…, stops working at once. Every program that uses it answers 401 until it has the new
						one
						{tokenLastUsedAt ? (
							<>
								; it was last used <Time at={tokenLastUsedAt} />
							</>
						) : (
							""
						)}
						.
					</p>
				</Confirm>
			)}
			{asking === "revoke" && (
				<Confirm
					title="Revoke the token?"
					verb="Revoke token"
					typed="revoke"
					act={revoke}
					onClose={() => setAsking(null)}
				>
					<p>1 token, {tokenPrefix}…, stops working at once and no other takes its place. Webhooks go on.</p>
				</Confirm>
			)}
		</div>
	);
}
