import { Plus } from "lucide-react";
import { useMemo } from "react";
import { Link, Redirect } from "wouter";
import { request } from "../api";
import { type Rows, useChange, useGroups, useOne, useRows } from "../data";
import { CampaignStatusValues } from "../gql/enums";
import {
	type CampaignStatus,
	CampaignsDocument,
	type CampaignsQuery,
	CampaignsStatsDocument,
	type CampaignsStatsQuery,
	CreateCampaignDocument,
	EnrollmentDocument,
} from "../gql/generated";
import { count, plural } from "../logic/format";
import { rhythm, sentence } from "../logic/schedule";
import { Badge } from "../parts/Badge";
import { Drawer } from "../parts/Drawer";
import { ExportButton } from "../parts/ExportButton";
import { Field, FormError } from "../parts/Field";
import { Filter, FilterBar, SearchBox } from "../parts/Filters";
import { FormButtons } from "../parts/FormButtons";
import { Page } from "../parts/Page";
import { type Column, RowList } from "../parts/RowList";
import { Empty, Failure, type Sample, Skeleton } from "../parts/states";
import { Time } from "../parts/Time";
import { useDraft } from "../parts/useDraft";
import { usePlace } from "../parts/usePlace";
import { CampaignPage } from "./campaigns/CampaignPage";
import { UnknownMessage } from "./campaigns/UnknownMessage";

type Item = CampaignsQuery["campaigns"]["nodes"][number] & { stats?: CampaignsStatsQuery["campaignsStats"][number] };
const number = (key: "prospects" | "active" | "held" | "sent" | "replied") => (c: Item) => (
	<span className={c.stats?.[key] ? undefined : "faint"}>{c.stats ? count(c.stats[key]) : "–"}</span>
);
const columns: Column<Item>[] = [
	{
		head: "Campaign",
		sort: (c) => c.name,
		width: "minmax(180px, 3fr)",
		cell: (c) => (
			<>
				<span title={c.name}>{c.name}</span>
				<small className="once-y3 faint">{c.notSendingReason ?? rhythm(c)}</small>
			</>
		),
	},
	{ head: "Status", sort: (c) => c.status, width: "104px", cell: (c) => <Badge state={c.status} />, phone: "side" },
	{ head: "People", sort: (c) => c.stats?.prospects, width: "66px", yields: 2, cell: number("prospects"), num: true },
	{ head: "Active", sort: (c) => c.stats?.active, width: "62px", yields: 1, cell: number("active"), num: true },
	{ head: "Held", sort: (c) => c.stats?.held, width: "56px", yields: 2, cell: number("held"), num: true },
	{ head: "Sent", sort: (c) => c.stats?.sent, width: "60px", cell: number("sent"), num: true },
	{ head: "Replies", sort: (c) => c.stats?.replied, width: "66px", cell: number("replied"), num: true },
	{
		head: "So far",
		cell: (c) =>
			c.stats &&
			[
				plural(c.stats.prospects, "person", "people"),
				...(c.stats.held > 0 ? [`${count(c.stats.held)} held`] : []),
				`${count(c.stats.sent)} sent`,
				plural(c.stats.replied, "reply", "replies"),
			].join(", "),
		phone: "only",
	},
	{
		head: "Sending",
		width: "minmax(220px, 4fr)",
		yields: 3,
		cell: (c) => (
			<span className="faint small-lines" title={c.notSendingReason ?? sentence(c)}>
				{c.notSendingReason ?? rhythm(c)}
			</span>
		),
		phone: "foot",
	},
	{ head: "Created", sort: (c) => c.createdAt, width: "100px", yields: 1, cell: (c) => <Time at={c.createdAt} /> },
];

const exported: Record<string, (c: Item) => unknown> = {
	name: (c) => c.name,
	status: (c) => c.status,
	people: (c) => c.stats?.prospects,
	active: (c) => c.stats?.active,
	held: (c) => c.stats?.held,
	sent: (c) => c.stats?.sent,
	replied: (c) => c.stats?.replied,
	not_sending_reason: (c) => c.notSendingReason,
	sending: sentence,
	created_at: (c) => c.createdAt,
};

const GROUP = 50;

type Campaign = CampaignsQuery["campaigns"]["nodes"][number];

/** The rows with what each campaign has done, as far as that is known. */
function counted(rows: Campaign[], answers: CampaignsStatsQuery[]): Item[] {
	const known = new Map(answers.flatMap((answer) => answer.campaignsStats.map((stats) => [stats.campaignId, stats])));
	return rows.map((row) => ({ ...row, stats: known.get(row.id) }));
}

/** A page of rows with what each campaign has done, for a file. */
async function countedPage({ campaigns: { nodes, nextCursor } }: CampaignsQuery) {
	const answer = await request(CampaignsStatsDocument, { ids: nodes.map(({ id }) => id) });
	return { nodes: counted(nodes, [answer]), nextCursor };
}

/** The rows with what each campaign has done: one request for a page of them. */
function useStats(list: Rows<Campaign>): Rows<Item> {
	const { rows } = list;
	const { answers } = useGroups(
		CampaignsStatsDocument,
		rows.map(({ id }) => id),
		GROUP,
		30_000,
	);
	const whole = useMemo(() => counted(rows, answers), [rows, answers]);
	return { ...list, rows: whole };
}

const sample: Sample[] = [
	["Autumn launch", "Active", "120 people, 14 replies"],
	["Trade fair follow-up", "Completed", "48 people, 9 replies"],
	["Winter check-in", "Draft", "3 steps"],
];

export default function Campaigns() {
	const {
		path: [, second, third, fourth],
	} = usePlace();
	if (second === "held" && third) return <Held enrollmentId={third} />;
	if (second === "unknown" && third) return <UnknownMessage id={third} />;
	if (second && second !== "new") return <CampaignPage key={second} id={second} tab={third} open={fourth} />;
	return <List making={second === "new"} />;
}

function List({ making }: { making: boolean }) {
	const { params, open, close } = usePlace();
	const status = params.get("status") as CampaignStatus | null;
	const search = params.get("search");
	const filter = { status, search };
	const list = useStats(useRows(CampaignsDocument, (data) => data.campaigns, filter, { size: GROUP }));
	return (
		<Page
			title="Campaigns"
			wide
			action={
				<>
					<ExportButton
						list="campaigns"
						document={CampaignsDocument}
						pick={countedPage}
						variables={filter}
						columns={exported}
					/>
					<button type="button" className="primary" onClick={() => open("/campaigns/new")}>
						<Plus size={14} aria-hidden /> New campaign
					</button>
				</>
			}
			filters={
				<FilterBar search={<SearchBox label="Search campaigns" />} names={["status"]}>
					<Filter name="status" label="Status" options={CampaignStatusValues} />
				</FilterBar>
			}
		>
			<RowList
				label="Campaigns"
				list={list}
				columns={columns}
				href={(c) => `/campaigns/${c.id}`}
				empty={
					search ? (
						<Empty title="No campaigns match this search." />
					) : status ? (
						<Empty title={`No ${status} campaigns.`}>
							<Link className="button" href="/campaigns">
								Show all
							</Link>
						</Empty>
					) : (
						<Empty title="A campaign sends a sequence of mails to the prospects you enroll." sample={sample}>
							<Link className="button primary" href="/campaigns/new">
								New campaign
							</Link>
						</Empty>
					)
				}
			/>
			{making && <NewCampaign onClose={() => close("/campaigns")} />}
		</Page>
	);
}

function NewCampaign({ onClose }: { onClose: () => void }) {
	const {
		values: { name },
		set,
		clear,
	} = useDraft("campaign.new", { name: "" });
	const { navigate } = usePlace();
	const create = useChange(CreateCampaignDocument, clear);
	const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
	const send = () =>
		create.mutate(
			{ input: { name, timezone: zone } },
			{ onSuccess: (data) => navigate(`/campaigns/${data.createCampaign.id}`, { replace: true }) },
		);
	return (
		<Drawer title="New campaign" onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					send();
				}}
			>
				<Field label="Name" at="/name" error={create.error} hint="Visible to your team and in webhooks.">
					{(wired) => (
						<input
							{...wired}
							required
							data-autofocus
							value={name}
							onChange={(event) => set({ name: event.target.value })}
						/>
					)}
				</Field>
				<FormError error={create.error} />
				<FormButtons
					verb="Create campaign"
					busy={create.isPending}
					onCancel={() => {
						clear();
						onClose();
					}}
				/>
			</form>
		</Drawer>
	);
}

/** Where "Needs attention" leads: to the held people of the enrollment's campaign. */
function Held({ enrollmentId }: { enrollmentId: string }) {
	const { data, error, refetch } = useOne(EnrollmentDocument, { id: enrollmentId }, { live: false });
	if (data) return <Redirect to={`/campaigns/${data.enrollment.campaignId}/people?status=held`} replace />;
	return <Page title="Held">{error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton />}</Page>;
}
