import { Link } from "wouter";
import { useOne, useRows } from "../data";
import { TemperatureValues } from "../gql/enums";
import {
	CompaniesDocument,
	CompanyDocument,
	type CompanyFieldsFragment,
	ProspectsDocument,
	type Temperature,
} from "../gql/generated";
import { capital, count, nameOf, plural } from "../logic/format";
import { Badge } from "../parts/Badge";
import { Drawer } from "../parts/Drawer";
import { ExportButton } from "../parts/ExportButton";
import { Filter, FilterBar, SearchBox } from "../parts/Filters";
import { Page } from "../parts/Page";
import { type Column, RowList } from "../parts/RowList";
import { Empty, Failure, type Sample, Skeleton } from "../parts/states";
import { Time } from "../parts/Time";
import { usePlace } from "../parts/usePlace";
import { Views } from "../parts/Views";

const columns: Column<CompanyFieldsFragment>[] = [
	{
		head: "Company",
		sort: (c) => c.name,
		width: "minmax(140px, 1.5fr)",
		cell: (c) => <span title={c.name}>{c.name}</span>,
	},
	{ head: "Domain", sort: (c) => c.domain, width: "minmax(130px, 1fr)", yields: 3, cell: (c) => c.domain },
	{
		head: "Temperature",
		sort: (c) => TemperatureValues.indexOf(c.temperature),
		width: "100px",
		cell: (c) => <Badge state={c.temperature} />,
		phone: "side",
	},
	{
		head: "Why",
		width: "minmax(180px, 3fr)",
		cell: (c) => <span title={c.temperatureReason}>{capital(c.temperatureReason)}</span>,
		phone: "sub",
	},
	{
		head: "Prospects",
		num: true,
		sort: (c) => c.prospectCount,
		width: "84px",
		yields: 4,
		cell: (c) => count(c.prospectCount),
	},
];

const exported: Record<string, (c: CompanyFieldsFragment) => unknown> = {
	name: (c) => c.name,
	domain: (c) => c.domain,
	temperature: (c) => c.temperature,
	temperature_reason: (c) => c.temperatureReason,
	prospect_count: (c) => c.prospectCount,
	created_at: (c) => c.createdAt,
};

const sample: Sample[] = [
	["Northwind Logistics", "Hot", "Positive reply 2 days ago"],
	["Litware", "Warm", "Clicked yesterday"],
	["Fabrikam", "Cold", "No signal for 7 days"],
];

export default function Companies() {
	const {
		path: [, id],
		params,
		close,
	} = usePlace();
	const filter = {
		temperature: params.get("temperature") as Temperature | null,
		search: params.get("search"),
	};
	const list = useRows(CompaniesDocument, (data) => data.companies, filter);
	return (
		<Page
			title="Companies"
			wide
			action={
				<ExportButton
					list="companies"
					document={CompaniesDocument}
					pick={(data) => data.companies}
					variables={filter}
					columns={exported}
				/>
			}
			filters={
				<FilterBar
					search={<SearchBox label="Search name or domain" />}
					names={["temperature"]}
					more={
						<>
							<Views list="companies" />
							<span className="faint not-phone">Based on the last seven days. Opens never count.</span>
						</>
					}
				>
					<Filter name="temperature" label="Temperature" options={TemperatureValues} />
				</FilterBar>
			}
		>
			<RowList
				label="Companies"
				list={list}
				columns={columns}
				href={(c) => `/companies/${c.id}`}
				empty={
					filter.search ? (
						<Empty title="No companies match this search." />
					) : filter.temperature ? (
						<Empty title={`No ${filter.temperature} companies right now.`}>
							<Link className="button" href="/companies">
								Show all
							</Link>
						</Empty>
					) : (
						<Empty
							title="Companies appear when you add prospects. They are grouped by e-mail domain or company name."
							sample={sample}
						>
							<Link className="button primary" href="/prospects/new">
								Add a prospect
							</Link>
						</Empty>
					)
				}
			/>
			{id && <CompanyDrawer key={id} id={id} onClose={() => close("/companies")} />}
		</Page>
	);
}

function CompanyDrawer({ id, onClose }: { id: string; onClose: () => void }) {
	const { data, error, refetch } = useOne(CompanyDocument, { id });
	const people = useRows(ProspectsDocument, (found) => found.prospects, { companyId: id }, { size: 50 });
	const c = people.loading ? undefined : data?.company; // all is shown at once, so that nothing moves
	return (
		<Drawer title={data?.company.name ?? "Company"} subtitle={data?.company.domain ?? "\u00a0"} onClose={onClose}>
			{!c && (error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />)}
			{c && (
				<p className="note">
					<Badge state={c.temperature} />
					<span>{capital(c.temperatureReason)}</span>
				</p>
			)}
			{c && (
				<p className="faint">
					{plural(c.prospectCount, "prospect")}, first seen <Time at={c.createdAt} />.
				</p>
			)}
			{c && (
				<section className="section" aria-labelledby="people">
					<h3 id="people">Prospects</h3>
					{people.error && <Failure error={people.error} retry={people.retry} />}
					<ul className="rows">
						{people.rows.map((p) => (
							<li key={p.id}>
								<span className="grow">
									<Link className="clip" href={`/prospects/${p.id}`}>
										{nameOf(p)}
									</Link>
									<small className="faint clip">{p.email}</small>
								</span>
								<Badge state={p.status} />
							</li>
						))}
					</ul>
					{people.more && (
						<button type="button" onClick={people.fetchMore} disabled={people.fetchingMore}>
							More
						</button>
					)}
				</section>
			)}
		</Drawer>
	);
}
