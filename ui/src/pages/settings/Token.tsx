import { KeyRound } from "lucide-react";
import { useState } from "react";
import { request } from "../../api";
import { refresh, useOne } from "../../data";
import { MeDocument, RevokeTokenDocument, RotateTokenDocument } from "../../gql/generated";
import { Confirm } from "../../parts/Confirm";
import { CodeBox, Secret } from "../../parts/Secret";
import { Empty, Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { toast, toastError } from "../../parts/Toasts";
import { useViewer } from "../../parts/viewer";

export function Token() {
	const { data, error, refetch } = useOne(MeDocument, {});
	const [asking, setAsking] = useState<"rotate" | "revoke" | null>(null);
	const [token, setToken] = useState<string | null>(null);
	const owner = useViewer().role === "owner";
	if (!data) return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />;
	const { tokenPrefix, tokenLastUsedAt } = data.me;
	const rotate = async () => {
		setToken((await request(RotateTokenDocument, {})).rotateToken.token);
		void refresh();
	};
	const revoke = async () => {
		await request(RevokeTokenDocument, {});
		setToken(null);
		toast("Token revoked.");
		void refresh();
	};
	return (
		<div className="panel">
			<section className="section" aria-labelledby="token">
				<header>
					<h2 id="token">API token</h2>
				</header>
				{!tokenPrefix && (
					<Empty title="This workspace has no API token yet.">
						{owner ? (
							<button type="button" className="primary" onClick={() => void rotate().catch(toastError)}>
								<KeyRound size={14} aria-hidden /> Create token
							</button>
						) : (
							<p className="faint">Only an owner can create it.</p>
						)}
					</Empty>
				)}
				{tokenPrefix && (
					<>
						<dl className="facts">
							<dt>Starts with</dt>
							<dd>
								<code>{tokenPrefix}…</code>
							</dd>
							<dt>Last used</dt>
							<dd>
								<Time at={tokenLastUsedAt} none="never" />
							</dd>
							<dt>Access</dt>
							<dd>everything in this workspace; there is one token per workspace</dd>
						</dl>
						{token && <Secret value={token} label="API token" once="Copy it now. It is not shown again." />}
						{!owner && <p className="faint">Only an owner can rotate or revoke the token.</p>}
						<div className="line" hidden={!owner}>
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
					code={[
						`curl ${location.origin}/api/v1/prospects`,
						`-H "Authorization: Bearer ${token ?? `${tokenPrefix ?? "ort_"}…`}"`,
						'-H "Content-Type: application/json"',
						`-d '{"email": "ada@example.com", "company_name": "Example"}'`,
					].join(" \\\n  ")}
				/>
				<p>
					<a href="/docs">API documentation with examples</a>
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
						1 token, {tokenPrefix}…, stops working immediately. Every program that uses it gets 401 until it has the new
						token
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
					<p>1 token, {tokenPrefix}…, stops working immediately, with no replacement. Webhooks continue.</p>
				</Confirm>
			)}
		</div>
	);
}
