import { Eye, Pencil, RefreshCw, Trash2, Zap } from "lucide-react";
import { useEffect, useState } from "react";
import { request } from "../../api";
import { dropRow, refresh, useChange, useOne } from "../../data";
import {
	DeleteSubscriptionDocument,
	type DeliveryFieldsFragment,
	RevealSubscriptionSecretDocument,
	RotateSubscriptionSecretDocument,
	SubscriptionDocument,
	TestSubscriptionDocument,
} from "../../gql/generated";
import { plural } from "../../logic/format";
import { sign } from "../../logic/sign";
import { Badge } from "../../parts/Badge";
import { Confirm } from "../../parts/Confirm";
import { Drawer } from "../../parts/Drawer";
import { FormError } from "../../parts/Field";
import { Secret } from "../../parts/Secret";
import { Failure, Skeleton } from "../../parts/states";
import { toast } from "../../parts/Toasts";
import { answerOf } from "./DeliveryDrawer";
import { LastDeliveries, useLastDeliveries } from "./LastDeliveries";
import { SubscriptionForm } from "./SubscriptionForm";
import { VerifyBox } from "./VerifyBox";

export function SubscriptionDrawer({
	id,
	secret: fresh,
	onClose,
}: {
	id: string;
	secret: string | null;
	onClose: () => void;
}) {
	const { data, error, refetch } = useOne(SubscriptionDocument, { id });
	const last = useLastDeliveries(id); // all is shown at once, so that nothing moves
	const [asking, setAsking] = useState<"edit" | "delete" | "rotate" | null>(null);
	const [secret, setSecret] = useState(fresh);
	const reveal = useChange(RevealSubscriptionSecretDocument),
		test = useChange(TestSubscriptionDocument);
	const s = last.isPending ? undefined : data?.subscription;
	if (s && asking === "edit") return <SubscriptionForm subscription={s} onClose={() => setAsking(null)} />;
	const remove = async () => {
		await request(DeleteSubscriptionDocument, { id });
		dropRow("Subscriptions", id);
		toast("Webhook deleted.");
		onClose();
		void refresh();
	};
	const rotate = async () => {
		setSecret((await request(RotateSubscriptionSecretDocument, { id })).rotateSubscriptionSecret.secret);
		toast("Secret rotated.");
	};
	return (
		<Drawer
			wide
			title={s?.url ?? "Webhook"}
			subtitle={s?.events.join(", ") ?? "\u00a0"}
			onClose={onClose}
			actions={
				s && (
					<>
						<button type="button" className="icon" aria-label="Edit" title="Edit" onClick={() => setAsking("edit")}>
							<Pencil size={16} aria-hidden />
						</button>
						<button
							type="button"
							className="icon"
							aria-label="Delete"
							title="Delete"
							onClick={() => setAsking("delete")}
						>
							<Trash2 size={16} aria-hidden />
						</button>
					</>
				)
			}
		>
			{!s && (error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />)}
			{s && (
				<>
					<div className="line">
						<Badge state={s.enabled ? "enabled" : "disabled"} />
						<button type="button" className="primary" disabled={test.isPending} onClick={() => test.mutate({ id })}>
							<Zap size={14} aria-hidden /> {test.isPending ? "Sending…" : "Send test event"}
						</button>
					</div>
					<FormError error={test.error} />
					<div role="status">{test.data && <TestAnswer delivery={test.data.testSubscription} secret={secret} />}</div>
					<section className="section" aria-labelledby="secret">
						<h3 id="secret">Signing secret</h3>
						{secret && (
							<Secret
								value={secret}
								label="Signing secret"
								once="Store it where your receiver can read it. You can reveal it here again; each reveal is logged."
							/>
						)}
						<div className="line">
							{!secret && (
								<button
									type="button"
									disabled={reveal.isPending}
									onClick={() =>
										reveal.mutate({ id }, { onSuccess: (got) => setSecret(got.revealSubscriptionSecret.secret) })
									}
								>
									<Eye size={14} aria-hidden /> Reveal
								</button>
							)}
							<button type="button" onClick={() => setAsking("rotate")}>
								<RefreshCw size={14} aria-hidden /> Rotate
							</button>
							{!secret && <span className="faint">Each reveal is logged.</span>}
						</div>
						<FormError error={reveal.error} />
					</section>
					<LastDeliveries subscriptionId={id} />
					<VerifyBox secret={secret} />
				</>
			)}
			{asking === "delete" && s && (
				<Confirm
					title="Delete this webhook?"
					verb="Delete webhook"
					typed="delete"
					act={remove}
					onClose={() => setAsking(null)}
				>
					<p>Deletes 1 webhook with {plural(s.events.length, "event")}. Deliveries already queued are still sent.</p>
				</Confirm>
			)}
			{asking === "rotate" && (
				<Confirm
					title="Rotate the secret?"
					verb="Rotate secret"
					typed="rotate"
					act={rotate}
					onClose={() => setAsking(null)}
				>
					<p>
						The next attempt is signed with the new secret. Your receiver rejects events until it has the new secret.
					</p>
				</Confirm>
			)}
		</Drawer>
	);
}

/** What the endpoint answered to the test, how long it took, and what it was sent. */
function TestAnswer({ delivery: d, secret }: { delivery: DeliveryFieldsFragment; secret: string | null }) {
	const signature = useSignature(d, secret);
	const took = d.attemptLog.at(-1)?.durationMs;
	const good = d.status === "delivered";
	return (
		<div className={good ? "note good" : "note bad"}>
			<div className="section grow">
				<p>
					<b>{good ? `Delivered: HTTP ${d.httpStatus}` : `Failed: ${answerOf(d)}`}</b>
					{took !== null && took !== undefined && ` in ${took} ms`}
				</p>
				<pre>
					{[
						"Content-Type: application/json",
						"User-Agent: Service-Webhook/1",
						`X-Service-Event: ${d.type}`,
						`X-Service-Delivery: ${d.id}`,
						`X-Service-Signature: ${signature}`,
						"",
						d.body,
					].join("\n")}
				</pre>
				{!secret && <p className="faint">Reveal the signing secret to see the signature.</p>}
			</div>
		</div>
	);
}

/** The signature that the test was sent with, made again here: from the time of the attempt, the body and the secret. */
function useSignature(d: DeliveryFieldsFragment, secret: string | null): string {
	const time = String(Math.floor(Date.parse(d.attemptLog.at(-1)?.startedAt ?? d.createdAt) / 1000));
	const [made, setMade] = useState("…");
	useEffect(() => {
		let gone = false;
		void (secret ? sign(secret, time, d.body) : Promise.resolve("…")).then((value) => {
			if (!gone) setMade(value);
		});
		return () => {
			gone = true;
		};
	}, [secret, time, d.body]);
	return `t=${time},v1=${made}`;
}
