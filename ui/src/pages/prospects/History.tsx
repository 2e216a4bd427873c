import { AlertTriangle, Ban, FileText, type LucideIcon, MousePointerClick, Reply, Send, ThumbsUp } from "lucide-react";
import { useMemo, useState } from "react";
import { useOne, useRows } from "../../data";
import {
	HistoryDocument,
	type HistoryQuery,
	type HistoryType,
	MessagesDocument,
	RepliesDocument,
} from "../../gql/generated";
import { Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";

type Item = HistoryQuery["history"]["nodes"][number];
const kinds: Record<HistoryType, [LucideIcon, string]> = {
	sent: [Send, "Sent"],
	replied: [Reply, "Replied"],
	clicked: [MousePointerClick, "Clicked"],
	bounced: [AlertTriangle, "Bounced"],
	unsubscribed: [Ban, "Unsubscribed"],
	offer_read: [FileText, "Read an offer"],
	interest_marked: [ThumbsUp, "Interest marked"],
};

/** The one thing of an event's metadata that a person asks for. */
function detail({ type, metadata: m }: Item): string {
	const text = (key: string) => (m[key] === undefined || m[key] === null ? "" : String(m[key]));
	if (type === "sent") return `Step ${text("step")}`;
	if (type === "replied") return `from ${text("from")}`;
	if (type === "clicked") return text("url");
	if (type === "bounced") return text("error");
	if (type === "unsubscribed") return `by ${text("via")}`;
	return Object.entries(m)
		.filter(([key]) => !/id$/i.test(key))
		.map(([, value]) => String(value))
		.join(", ");
}

/** The text of the mail behind each event that is about one: what was sent, and what was answered. */
function useMails(prospectId: string, items: Item[]): Map<string, string> {
	const sent = useOne(MessagesDocument, { first: 50, prospectId }, { live: 30_000 });
	const got = useOne(RepliesDocument, { first: 50, prospectId }, { live: 30_000 });
	return useMemo(() => {
		const byHeader = new Map(sent.data?.messages.nodes.map((m) => [m.messageId, `${m.subject}\n\n${m.text}`]));
		const byReply = new Map(got.data?.replies.nodes.map((r) => [r.id, `${r.subject ?? ""}\n\n${r.text}`.trim()]));
		return new Map(
			items.flatMap(({ id, type, metadata }): [string, string][] => {
				const mail =
					type === "sent" || type === "clicked"
						? byHeader.get(String(metadata.message_id ?? metadata.messageId))
						: byReply.get(String(metadata.reply_id ?? metadata.replyId));
				return mail ? [[id, mail]] : [];
			}),
		);
	}, [items, sent.data, got.data]);
}

interface LabelProps {
	item: Item;
	label: string;
	mails: Map<string, string>;
	open: string | null;
	toggle: (id: string | null) => void;
}

/** The name of an event; a button where there is a mail to read. */
function Label({ item, label, mails, open, toggle }: LabelProps) {
	if (!mails.has(item.id)) return label;
	const shown = open === item.id;
	return (
		<button type="button" className="link" aria-expanded={shown} onClick={() => toggle(shown ? null : item.id)}>
			{label}
		</button>
	);
}

export function History({ prospectId }: { prospectId: string }) {
	const list = useRows(HistoryDocument, (data) => data.history, { prospectId }, { size: 50 });
	const mails = useMails(prospectId, list.rows);
	const [open, setOpen] = useState<string | null>(null);
	return (
		<section className="section" aria-labelledby="history">
			<h3 id="history">History</h3>
			{list.loading && <Skeleton kind="text" lines={4} />}
			{list.error && list.rows.length === 0 && <Failure error={list.error} retry={list.retry} />}
			{!list.loading && !list.error && list.rows.length === 0 && <p className="faint">No activity yet.</p>}
			<ol className="history">
				{list.rows.map((item) => {
					const [Icon, label] = kinds[item.type];
					return (
						<li key={item.id}>
							<Icon size={16} aria-hidden />
							<span>
								<Label item={item} label={label} mails={mails} open={open} toggle={setOpen} />
								{item.campaignName && <span className="faint"> · {item.campaignName}</span>}
							</span>
							<span className="faint">
								<Time at={item.occurredAt} />
							</span>
							{detail(item) && <span className="detail">{detail(item)}</span>}
							{open === item.id && <pre className="detail">{mails.get(item.id)}</pre>}
						</li>
					);
				})}
			</ol>
			{list.more && (
				<button type="button" onClick={list.fetchMore} disabled={list.fetchingMore}>
					Earlier
				</button>
			)}
		</section>
	);
}
