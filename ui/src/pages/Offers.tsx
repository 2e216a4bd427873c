import { Plus } from "lucide-react";
import { Link } from "wouter";
import { useRows } from "../data";
import { OfferStatusValues } from "../gql/enums";
import { type OfferFieldsFragment, type OfferStatus, OffersDocument } from "../gql/generated";
import { plural } from "../logic/format";
import { Badge } from "../parts/Badge";
import { Filter, FilterBar } from "../parts/Filters";
import { Page } from "../parts/Page";
import { type Column, RowList } from "../parts/RowList";
import { Empty, type Sample } from "../parts/states";
import { Time } from "../parts/Time";
import { copy } from "../parts/Toasts";
import { usePlace } from "../parts/usePlace";
import { OfferDrawer, offerWords } from "./offers/OfferDrawer";
import { OfferForm } from "./offers/OfferForm";

const columns: Column<OfferFieldsFragment>[] = [
	{
		head: "Title",
		sort: (o) => o.title,
		width: "minmax(150px, 2fr)",
		cell: (o) => <span title={o.title}>{o.title}</span>,
	},
	{
		head: "Read",
		width: "104px",
		cell: (o) => <Badge state={o.status} label={offerWords(o.status)} />,
		phone: "side",
	},
	{ head: "Visits", num: true, sort: (o) => o.visitCount, width: "60px", yields: 3, cell: (o) => o.visitCount },
	{
		head: "Last read",
		sort: (o) => o.lastReadAt,
		width: "104px",
		cell: (o) => <Time at={o.lastReadAt} none="not yet" />,
	},
	{
		head: "Visits and last read",
		cell: (o) =>
			o.visitCount === 0 ? (
				"Not read yet"
			) : (
				<>
					{plural(o.visitCount, "visit")}, last <Time at={o.lastReadAt} />
				</>
			),
		phone: "only",
	},
	{ head: "Created", sort: (o) => o.createdAt, width: "104px", yields: 2, cell: (o) => <Time at={o.createdAt} /> },
	{
		head: "Link",
		width: "70px",
		cell: (o) => (
			<button
				type="button"
				className="link"
				tabIndex={-1}
				title={o.url}
				aria-label={`Copy link to ${o.title}`}
				onClick={() => copy(o.url, "Link")}
			>
				Copy
			</button>
		),
	},
];

const sample: Sample[] = [
	["Ten seats for Northwind", "Read again", "4 visits"],
	["Pilot proposal", "Read", "1 visit"],
	["Price list", "Unread", "Not read yet"],
];

export default function Offers() {
	const {
		path: [, id],
		params,
		open,
		swap,
		close,
	} = usePlace();
	const status = params.get("status") as OfferStatus | null;
	const list = useRows(OffersDocument, (data) => data.offers, { status });
	const shut = () => close("/offers");
	return (
		<Page
			title="Offers"
			wide
			action={
				<button type="button" className="primary" onClick={() => open("/offers/new")}>
					<Plus size={14} aria-hidden /> New offer
				</button>
			}
			filters={
				<FilterBar names={["status"]}>
					<Filter
						name="status"
						label="Read"
						options={OfferStatusValues.map((value) => ({ value, label: offerWords(value) }))}
					/>
				</FilterBar>
			}
		>
			<RowList
				label="Offers"
				list={list}
				columns={columns}
				href={(o) => `/offers/${o.id}`}
				empty={
					status ? (
						<Empty title="No offers with this status.">
							<Link className="button" href="/offers">
								Show all
							</Link>
						</Empty>
					) : (
						<Empty title="An offer is a page for one prospect or company. You see when it is read." sample={sample}>
							<Link className="button primary" href="/offers/new">
								New offer
							</Link>
						</Empty>
					)
				}
			/>
			{id === "new" && <OfferForm onClose={shut} onSaved={(made) => swap(`/offers/${made}`)} />}
			{id && id !== "new" && <OfferDrawer key={id} id={id} onClose={shut} />}
		</Page>
	);
}
