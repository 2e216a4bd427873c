import { AlertTriangle, Ban, FileText, type LucideIcon, MousePointerClick, Reply, Send, ThumbsUp } from "lucide-react";
import { useRows } from "../../data";
import { HistoryDocument, type HistoryQuery, type HistoryType } from "../../gql/generated";
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

export function History({ prospectId }: { prospectId: string }) {
	const list = useRows(HistoryDocument, (data) => data.history, { prospectId }, { size: 50 });
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
								{label}
								{item.campaignName && <span className="faint"> · {item.campaignName}</span>}
							</span>
							<span className="faint">
								<Time at={item.occurredAt} />
							</span>
							{detail(item) && <span className="detail">{detail(item)}</span>}
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
