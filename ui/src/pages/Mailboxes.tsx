import { Plus } from "lucide-react";
import { useMemo } from "react";
import { Link } from "wouter";
import type { Rows } from "../data";
import { useOne } from "../data";
import {
	ActivityOfMailboxesDocument,
	type MailboxActivityFragment,
	MailboxesDocument,
	MailboxesForExportDocument,
	type MailboxesForExportQuery,
	type MailboxFieldsFragment,
} from "../gql/generated";
import { type Standing, standingOf, type Verdict, worstFirst } from "../logic/deliverability";
import { count, plural, share } from "../logic/format";
import { Badge } from "../parts/Badge";
import { ExportButton } from "../parts/ExportButton";
import { Page } from "../parts/Page";
import { type Column, RowList } from "../parts/RowList";
import { Empty, type Sample } from "../parts/states";
import { Time } from "../parts/Time";
import { usePhone } from "../parts/useMedia";
import { usePlace } from "../parts/usePlace";
import { MailboxDrawer } from "./mailboxes/MailboxDrawer";
import { NewMailbox } from "./mailboxes/NewMailbox";

type Item = MailboxFieldsFragment & { counts?: MailboxActivityFragment; standing: Standing };

/** For sorting; undefined where nothing was sent. */
const rate = ({ counts }: Item, of: "bounced" | "replied") =>
	counts && counts.activity.attempted > 0 ? counts.activity[of] / counts.activity.attempted : undefined;

const shareOf = ({ counts }: Item, of: "bounced" | "replied") =>
	counts && (
		<span title={`${count(counts.activity[of])} of ${plural(counts.activity.attempted, "mail")} in 30 days`}>
			{share(counts.activity[of], counts.activity.attempted)}
		</span>
	);

/** What a phone says below the address: the reason of trouble, else the figures. */
const inShort = (m: Item) =>
	m.standing.verdict !== "pass"
		? m.standing.why
		: [
				`${count(m.sentToday)} of ${count(m.limitToday)} today`,
				m.counts &&
					m.counts.activity.attempted > 0 &&
					`${share(m.counts.activity.replied, m.counts.activity.attempted)} replied`,
			]
				.filter(Boolean)
				.join(" · ");

const tones: Record<Verdict, string> = { fail: "bad-text", warn: "warn-text", idle: "faint", pass: "faint" };

const columns: Column<Item>[] = [
	{
		head: "Mailbox",
		sort: (m) => m.email,
		width: "minmax(150px, 4fr)",
		cell: (m) => <span title={m.email}>{m.email}</span>,
	},
	{ head: "Status", sort: (m) => m.status, width: "104px", cell: (m) => <Badge state={m.status} />, phone: "side" },
	{
		head: "Reason",
		width: "minmax(96px, 3fr)",
		cell: (m) => (
			<span className={tones[m.standing.verdict]} title={m.standing.why}>
				{m.standing.why}
			</span>
		),
	},
	{
		head: "Sent today",
		sort: (m) => m.sentToday,
		width: "92px",
		cell: (m) => (
			<span className="used">
				{count(m.sentToday)} of {count(m.limitToday)}
				<span className="measure" aria-hidden>
					<span style={{ width: `${Math.min(100, (m.sentToday / (m.limitToday || 1)) * 100)}%` }} />
				</span>
			</span>
		),
	},
	{
		head: "Last sent",
		sort: (m) => m.counts?.activity.lastSentAt,
		width: "84px",
		yields: 2,
		cell: (m) => m.counts && <Time at={m.counts.activity.lastSentAt} none="never" />,
	},
	{
		head: "Last read",
		sort: (m) => m.lastCheckedAt,
		width: "84px",
		yields: 1,
		cell: (m) => <Time at={m.lastCheckedAt} none="not yet" />,
	},
	{
		head: "Bounced (30 d)",
		num: true,
		sort: (m) => rate(m, "bounced"),
		width: "104px",
		cell: (m) => shareOf(m, "bounced"),
		yields: 4,
	},
	{
		head: "Replied (30 d)",
		num: true,
		sort: (m) => rate(m, "replied"),
		width: "104px",
		cell: (m) => shareOf(m, "replied"),
		yields: 3,
	},
	{ head: "In short", phone: "only", cell: inShort },
];

const exported: Record<string, (m: MailboxesForExportQuery["mailboxes"]["nodes"][number]) => unknown> = {
	email: (m) => m.email,
	status: (m) => m.status,
	reason: (m) => standingOf(m, m.health.warning).why,
	sent_today: (m) => m.sentToday,
	limit_today: (m) => m.limitToday,
	last_sent_at: (m) => m.activity.lastSentAt,
	last_read_at: (m) => m.lastCheckedAt,
	attempted_30_days: (m) => m.activity.attempted,
	bounced_30_days: (m) => m.activity.bounced,
	replied_30_days: (m) => m.activity.replied,
};

const sample: Sample[] = [
	["kim@yourcompany.com", "Connected", "32 of 50 sent today"],
	["sales@yourcompany.com", "Connected", "18 of 50 sent today"],
];

/** What all mailboxes that can send have used of their limits. */
const sentToday = (rows: Item[]) => {
	const sending = rows.filter(({ status }) => status === "connected");
	const total = (of: (m: Item) => number) => count(sending.reduce((sum, m) => sum + of(m), 0));
	return `${total((m) => m.sentToday)} of ${total((m) => m.limitToday)}`;
};

export default function Mailboxes() {
	const {
		path: [, id],
		open,
		swap,
		close,
	} = usePlace();
	const { data, error, isPending, refetch } = useOne(MailboxesDocument, {});
	const counted = useOne(ActivityOfMailboxesDocument, {}, { live: 300_000 }).data?.mailboxes.nodes;
	const boxes = data?.mailboxes.nodes;
	const rows = useMemo(() => {
		const known = new Map(counted?.map((counts) => [counts.id, counts]));
		const all = (boxes ?? []).map((box): Item => {
			const counts = known.get(box.id);
			return { ...box, counts, standing: standingOf(box, counts?.health.warning) };
		});
		return worstFirst(all, ({ standing }) => standing.verdict);
	}, [boxes, counted]);
	const list: Rows<Item> = {
		rows,
		loading: isPending,
		error,
		more: false,
		fetchingMore: false,
		fetchMore: () => undefined,
		look: () => undefined,
		retry: () => void refetch(),
	};
	const phone = usePhone();
	const shut = () => close("/mailboxes");
	return (
		<Page
			title="Mailboxes"
			wide
			count={!phone && rows.length > 0 && `${sentToday(rows)} sent today`}
			action={
				<>
					<ExportButton
						list="mailboxes"
						document={MailboxesForExportDocument}
						pick={(data) => data.mailboxes}
						variables={{}}
						columns={exported}
					/>
					<button type="button" className="primary" onClick={() => open("/mailboxes/new")}>
						<Plus size={14} aria-hidden /> Connect
					</button>
				</>
			}
		>
			<RowList
				label="Mailboxes"
				list={list}
				columns={columns}
				href={(m) => `/mailboxes/${m.id}`}
				empty={
					<Empty title="Connect a mailbox to send campaigns and read replies." sample={sample}>
						<Link className="button primary" href="/mailboxes/new">
							Connect a mailbox
						</Link>
					</Empty>
				}
			/>
			{id === "new" && <NewMailbox onClose={shut} onSaved={(made) => swap(`/mailboxes/${made}`)} />}
			{id && id !== "new" && <MailboxDrawer key={id} id={id} onClose={shut} />}
		</Page>
	);
}
