import { Link } from "wouter";
import { useChange, useOne } from "../../data";
import { MessageDocument, type Resolution, ResolveMessageDocument } from "../../gql/generated";
import { Badge } from "../../parts/Badge";
import { FormError } from "../../parts/Field";
import { Page } from "../../parts/Page";
import { Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { toast } from "../../parts/Toasts";

/** A message whose answer was lost: the user checks the Sent folder and decides. */
export function UnknownMessage({ id }: { id: string }) {
	const { data, error, refetch } = useOne(MessageDocument, { id });
	const resolve = useChange(ResolveMessageDocument);
	const m = data?.message;
	const settle = (as: Resolution) =>
		resolve.mutate(
			{ id, as },
			{ onSuccess: () => toast(as === "sent" ? "Marked as sent." : "The message will be sent again.") },
		);
	return (
		<Page title="Was this message sent?">
			{!m && (error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />)}
			{m && (
				<div className="panel">
					<p>
						The connection was lost after the message was transmitted. Check the Sent folder of the mailbox, or ask the
						recipient. The sequence of this prospect waits until you decide.
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
						{m.campaign && (
							<>
								<dt>Campaign</dt>
								<dd>
									<Link href={`/campaigns/${m.campaign.id}`}>{m.campaign.name}</Link>
									{m.step ? `, step ${m.step}` : ", an answer"}
								</dd>
							</>
						)}
						<dt>Message-ID</dt>
						<dd>
							<code>{m.messageId}</code>
						</dd>
						<dt>Tried</dt>
						<dd>{m.sentAt && <Time at={m.sentAt} />}</dd>
					</dl>
					{m.text && <pre>{m.text}</pre>}
					{resolve.isSuccess && m.campaign && (
						<p>
							<Link href={`/campaigns/${m.campaign.id}/people?status=held`}>Show held people of this campaign</Link>
						</p>
					)}
					<FormError error={resolve.error} />
					{m.status === "unknown" && !resolve.isSuccess && (
						<div className="buttons start">
							<button type="button" className="primary" disabled={resolve.isPending} onClick={() => settle("sent")}>
								It was sent
							</button>
							<button type="button" disabled={resolve.isPending} onClick={() => settle("not_sent")}>
								Not sent: send again
							</button>
						</div>
					)}
				</div>
			)}
		</Page>
	);
}
