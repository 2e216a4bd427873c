import { Link } from "wouter";
import { useChange, useOne } from "../../data";
import { MessageDocument, type Resolution, ResolveMessageDocument } from "../../gql/generated";
import { Badge } from "../../parts/Badge";
import { FormError } from "../../parts/Field";
import { Page } from "../../parts/Page";
import { Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { toast } from "../../parts/Toasts";

/** A message whose answer was lost: somebody who can look into the Sent folder decides. */
export function UnknownMessage({ id }: { id: string }) {
	const { data, error, refetch } = useOne(MessageDocument, { id });
	const resolve = useChange(ResolveMessageDocument);
	const m = data?.message;
	const settle = (as: Resolution) =>
		resolve.mutate(
			{ id, as },
			{ onSuccess: () => toast(as === "sent" ? "Counted as sent." : "It will be sent again.") },
		);
	return (
		<Page title="Did this message leave?">
			{!m && (error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />)}
			{m && (
				<div className="panel">
					<p>
						The server took the whole message, but its answer was lost. Look into the Sent folder of the mailbox, or ask
						the recipient, then decide. Until then this prospect's sequence waits.
					</p>
					<dl className="facts">
						<dt>Status</dt>
						<dd>
							<Badge state={m.status} />
						</dd>
						<dt>To</dt>
						<dd>
							{m.prospect ? <Link href={`/prospects/${m.prospectId}`}>{m.prospect.email}</Link> : "a deleted prospect"}
						</dd>
						<dt>Subject</dt>
						<dd>{m.subject}</dd>
						<dt>Campaign</dt>
						<dd>
							<Link href={`/campaigns/${m.campaignId}`}>{m.campaign.name}</Link>, step {m.step}
						</dd>
						<dt>Message-ID</dt>
						<dd>
							<code>{m.messageId}</code>
						</dd>
						<dt>Tried</dt>
						<dd>
							<Time at={m.sentAt} />
						</dd>
					</dl>
					{m.text && <pre>{m.text}</pre>}
					<FormError error={resolve.error} />
					{m.status === "unknown" && !resolve.isSuccess && (
						<div className="buttons start">
							<button type="button" className="primary" disabled={resolve.isPending} onClick={() => settle("sent")}>
								It was sent
							</button>
							<button type="button" disabled={resolve.isPending} onClick={() => settle("not_sent")}>
								It was not: send it again
							</button>
						</div>
					)}
				</div>
			)}
		</Page>
	);
}
