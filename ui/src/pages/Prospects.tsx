import { Plus, Upload } from "lucide-react";
import { lazy, useMemo, useState } from "react";
import { Link } from "wouter";
import { useRows } from "../data";
import { ProspectStatusValues } from "../gql/enums";
import { type ProspectRowFragment, type ProspectStatus, ProspectsDocument } from "../gql/generated";
import type { Person } from "../logic/enroller";
import { nameOf, toTheMinute } from "../logic/format";
import { Badge } from "../parts/Badge";
import { CampaignFilter } from "../parts/CampaignSelect";
import { useUndeleted } from "../parts/deletions";
import { ExportButton } from "../parts/ExportButton";
import { Filter, FilterBar, PEOPLE_SEARCH, SearchBox } from "../parts/Filters";
import { Page } from "../parts/Page";
import { type Column, RowList } from "../parts/RowList";
import { Empty, type Sample } from "../parts/states";
import { Time } from "../parts/Time";
import { usePlace } from "../parts/usePlace";
import { Views } from "../parts/Views";
import { BulkEnroll } from "./prospects/BulkEnroll";
import { MailReason } from "./prospects/MailStatus";
import { useMailStatuses } from "./prospects/mailStatuses";
import { ProspectDrawer } from "./prospects/ProspectDrawer";
import { ProspectForm } from "./prospects/ProspectForm";

const ImportPage = lazy(() => import("./prospects/Import"));
const days = [1, 7, 30].map((n) => ({ value: String(n), label: n === 1 ? "Since yesterday" : `Last ${n} days` }));

export const columns: Column<ProspectRowFragment>[] = [
	{ head: "Name", sort: nameOf, width: "minmax(110px, 2fr)", cell: (p) => <span title={nameOf(p)}>{nameOf(p)}</span> },
	{
		head: "E-mail",
		sort: (p) => p.email,
		width: "minmax(172px, 4fr)",
		cell: (p) => (
			<span className="mail" title={p.email}>
				{p.email}
			</span>
		),
		phone: "sub",
	},
	{
		head: "Company",
		sort: (p) => p.companyName,
		width: "minmax(100px, 2fr)",
		yields: 3,
		cell: (p) => <span title={p.companyName ?? ""}>{p.companyName}</span>,
	},
	{ head: "Status", sort: (p) => p.status, width: "118px", cell: (p) => <Badge state={p.status} />, phone: "side" },
	{
		head: "Interest",
		sort: (p) => p.interest,
		width: "88px",
		yields: 4,
		cell: (p) => p.interest && <Badge state={p.interest} />,
	},
	{
		head: "Mail",
		width: "minmax(150px, 3fr)",
		yields: 2,
		cell: (p) => <MailReason prospectId={p.id} />,
	},
	{
		head: "Contacted",
		sort: (p) => p.lastContactedAt,
		width: "92px",
		yields: 1,
		cell: (p) => <Time at={p.lastContactedAt} />,
	},
	{ head: "Added", sort: (p) => p.createdAt, width: "92px", yields: 1, cell: (p) => <Time at={p.createdAt} /> },
];

const exported: Record<string, (p: ProspectRowFragment) => unknown> = {
	email: (p) => p.email,
	first_name: (p) => p.firstName,
	last_name: (p) => p.lastName,
	company_name: (p) => p.companyName,
	job_title: (p) => p.jobTitle,
	status: (p) => p.status,
	interest: (p) => p.interest,
	last_contacted_at: (p) => p.lastContactedAt,
	last_replied_at: (p) => p.lastRepliedAt,
	created_at: (p) => p.createdAt,
};

/** The start of the day that lies so many days back, so that the filter's value does not change every second; an instant as it is. */
function instant(since: string | null): string | null {
	if (!since || since.includes("T")) return since;
	return new Date(Math.floor(Date.now() / 86_400_000 - Number(since)) * 86_400_000).toISOString();
}

const sample: Sample[] = [
	["Anna Keller", "In sequence", "Northwind Logistics"],
	["Ben Okafor", "Replied", "Litware"],
	["Chloé Martin", "New", "Adatum Énergie"],
];

export default function Prospects() {
	const {
		path: [, second],
	} = usePlace();
	if (second === "import") return <ImportPage />; // while it loads, the skeleton of the screen is shown
	return <List second={second} />;
}

function List({ second }: { second: string | undefined }) {
	const { params, open, swap, close: shut } = usePlace();
	const close = () => shut("/prospects");
	const [chosen, setChosen] = useState<ReadonlyMap<string, Person>>(new Map());
	const choose = (people: Person[]) => setChosen(new Map(people.map((person) => [person.id, person])));
	const since = params.get("since");
	const filter = {
		status: params.get("status") as ProspectStatus | null,
		campaignId: params.get("campaign"),
		search: params.get("search"),
		createdSince: instant(since),
	};
	const list = useMailStatuses(useUndeleted(useRows(ProspectsDocument, (data) => data.prospects, filter)));
	const selection = useMemo(
		() => ({
			ids: chosen,
			toggle: (row: Person) =>
				setChosen((had) => {
					const next = new Map(had);
					if (!next.delete(row.id)) next.set(row.id, { id: row.id, email: row.email });
					return next;
				}),
		}),
		[chosen],
	);
	const added = since?.includes("T") ? [...days, { value: since, label: `Since ${toTheMinute(since)}` }] : days;
	const filtered = ["status", "campaign", "search", "since"].some((name) => params.get(name));
	return (
		<Page
			title="Prospects"
			wide
			action={
				<>
					<ExportButton
						list="prospects"
						document={ProspectsDocument}
						pick={(data) => data.prospects}
						variables={filter}
						columns={exported}
					/>
					<Link className="button" href="/prospects/import">
						<Upload size={14} aria-hidden /> Import
					</Link>
					<button type="button" className="primary" onClick={() => open("/prospects/new")}>
						<Plus size={14} aria-hidden /> Add
					</button>
				</>
			}
			filters={
				<FilterBar
					search={<SearchBox label="Search prospects" hint={PEOPLE_SEARCH} />}
					names={["status", "campaign", "since"]}
					more={<Views list="prospects" />}
				>
					<Filter name="status" label="Status" options={ProspectStatusValues} />
					<CampaignFilter />
					<Filter name="since" label="Added" options={added} />
				</FilterBar>
			}
		>
			<BulkEnroll
				people={[...chosen.values()]}
				choosing={{ loaded: list.rows, more: list.more, filter, choose }}
				onDone={() => choose([])}
			/>
			<RowList
				label="Prospects"
				list={list}
				columns={columns}
				href={(p) => `/prospects/${p.id}`}
				selection={selection}
				empty={
					filtered ? (
						<Empty title={`No prospects match these filters.${filter.search ? ` ${PEOPLE_SEARCH}` : ""}`}>
							<Link className="button" href="/prospects">
								Clear filters
							</Link>
						</Empty>
					) : (
						<Empty title="Import a list of people to write to, or add one by hand." sample={sample}>
							<Link className="button primary" href="/prospects/import">
								Import a CSV file
							</Link>
						</Empty>
					)
				}
			/>
			{second === "new" && <ProspectForm onClose={close} onSaved={(id) => swap(`/prospects/${id}`)} />}
			{second && second !== "new" && <ProspectDrawer key={second} id={second} onClose={close} />}
		</Page>
	);
}
