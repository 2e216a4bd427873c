import { Plus } from "lucide-react";
import { Link } from "wouter";
import type { Rows } from "../data";
import { useOne } from "../data";
import { MailboxesDocument, type MailboxFieldsFragment } from "../gql/generated";
import { count } from "../logic/format";
import { Badge } from "../parts/Badge";
import { Page } from "../parts/Page";
import { type Column, RowList } from "../parts/RowList";
import { Empty, type Sample } from "../parts/states";
import { Time } from "../parts/Time";
import { usePlace } from "../parts/usePlace";
import { MailboxDrawer } from "./mailboxes/MailboxDrawer";
import { NewMailbox } from "./mailboxes/NewMailbox";

const columns: Column<MailboxFieldsFragment>[] = [
	{
		head: "Mailbox",
		sort: (m) => m.email,
		width: "minmax(150px, 3fr)",
		cell: (m) => <span title={m.email}>{m.email}</span>,
	},
	{ head: "Status", sort: (m) => m.status, width: "120px", cell: (m) => <Badge state={m.status} />, phone: "side" },
	{ head: "Sent today", width: "104px", yields: 4, cell: (m) => `${count(m.sentToday)} of ${count(m.limitToday)}` },
	{
		head: "Health",
		width: "minmax(130px, 2fr)",
		cell: (m) => (
			<span className={m.lastError ? "bad-text" : "faint"} title={m.lastError ?? ""}>
				{m.lastError ?? "No error"}
			</span>
		),
		phone: "sub",
	},
	{ head: "Checked", width: "100px", yields: 3, cell: (m) => <Time at={m.lastCheckedAt} none="not yet" /> },
];

const sample: Sample[] = [
	["kim@yourcompany.com", "Connected", "32 of 50 sent today"],
	["sales@yourcompany.com", "Connected", "18 of 50 sent today"],
];

export default function Mailboxes() {
	const {
		path: [, id],
		open,
		swap,
		close,
	} = usePlace();
	const { data, error, isPending, refetch } = useOne(MailboxesDocument, {});
	const list: Rows<MailboxFieldsFragment> = {
		rows: data?.mailboxes.nodes ?? [],
		loading: isPending,
		error,
		more: false,
		fetchingMore: false,
		fetchMore: () => undefined,
		look: () => undefined,
		retry: () => void refetch(),
	};
	const shut = () => close("/mailboxes");
	return (
		<Page
			title="Mailboxes"
			wide
			action={
				<button type="button" className="primary" onClick={() => open("/mailboxes/new")}>
					<Plus size={14} aria-hidden /> Connect
				</button>
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
