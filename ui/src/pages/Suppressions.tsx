import { Plus, Upload } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link } from "wouter";
import { request } from "../api";
import { addRow, dropRow, refresh, useRows } from "../data";
import { SuppressionReasonValues } from "../gql/enums";
import {
	CreateSuppressionDocument,
	DeleteSuppressionDocument,
	type SuppressionReason,
	SuppressionsDocument,
	type SuppressionsQuery,
	type SuppressionsQueryVariables,
} from "../gql/generated";
import { fits, targetOf as what } from "../logic/suppressed";
import { Badge } from "../parts/Badge";
import { Confirm } from "../parts/Confirm";
import { Drawer } from "../parts/Drawer";
import { ExportButton } from "../parts/ExportButton";
import { Filter, FilterBar, SearchBox } from "../parts/Filters";
import { Page } from "../parts/Page";
import { type Column, RowList } from "../parts/RowList";
import { Empty, type Sample } from "../parts/states";
import { Time } from "../parts/Time";
import { toast, toastError } from "../parts/Toasts";
import { usePlace } from "../parts/usePlace";

import { SuppressForm } from "./suppressions/SuppressForm";

const SuppressionImport = lazy(() => import("./SuppressionImport"));
type Item = SuppressionsQuery["suppressions"]["nodes"][number];

const exported: Record<string, (s: Item) => unknown> = {
	email: (s) => s.email,
	domain: (s) => s.domain,
	reason: (s) => s.reason,
	note: (s) => s.note,
	created_at: (s) => s.createdAt,
};

const sample: Sample[] = [
	["ann@example.com", "Unsubscribed", "3 days ago"],
	["Everyone at rival.example", "Manual", "Competitor"],
	["old@example.org", "Bounced", "last week"],
];

export default function Suppressions() {
	const {
		path: [, second],
		params,
		open,
		close,
	} = usePlace();
	const [removing, setRemoving] = useState<Item | null>(null);
	const search = params.get("search")?.trim() ?? "";
	const filter = {
		reason: params.get("reason") as SuppressionReason | null,
		email: search.includes("@") ? search : null,
		domain: search && !search.includes("@") ? search : null,
	};
	const list = useRows(SuppressionsDocument, (data) => data.suppressions, filter);
	const columns: Column<Item>[] = [
		{
			head: "Address or domain",
			sort: what,
			width: "minmax(170px, 3fr)",
			cell: (s) => <span title={what(s)}>{what(s)}</span>,
		},
		{ head: "Reason", sort: (s) => s.reason, width: "130px", cell: (s) => <Badge state={s.reason} />, phone: "side" },
		{
			head: "Note",
			width: "minmax(120px, 2fr)",
			yields: 4,
			cell: (s) => s.note && <span title={s.note}>{s.note}</span>,
			phone: "sub",
		},
		{ head: "Since", sort: (s) => s.createdAt, width: "110px", yields: 3, cell: (s) => <Time at={s.createdAt} /> },
		{
			head: "Remove",
			width: "80px",
			cell: (s) => (
				<button
					type="button"
					className="link"
					tabIndex={-1}
					onClick={() => setRemoving(s)}
					aria-label={`Remove ${what(s)}`}
				>
					Remove
				</button>
			),
		},
	];
	const shown = list.rows.find(({ id }) => id === second);
	const filtered = search || params.get("reason");
	const shut = () => close("/suppressions");
	return (
		<Page
			title="Suppressions"
			wide
			action={
				<>
					<ExportButton
						list="suppressions"
						document={SuppressionsDocument}
						pick={(data) => data.suppressions}
						variables={filter}
						columns={exported}
					/>
					<button type="button" onClick={() => open("/suppressions/import")}>
						<Upload size={14} aria-hidden /> Import
					</button>
					<button type="button" className="primary" onClick={() => open("/suppressions/new")}>
						<Plus size={14} aria-hidden /> Add
					</button>
				</>
			}
			filters={
				<FilterBar search={<SearchBox label="Search address or domain" />} names={["reason"]}>
					<Filter name="reason" label="Reason" options={SuppressionReasonValues} />
				</FilterBar>
			}
		>
			<RowList
				label="Suppressions"
				list={list}
				columns={columns}
				href={(s) => `/suppressions/${s.id}`}
				empty={
					filtered ? (
						<Empty title="No suppressions match these filters.">
							<Link className="button" href="/suppressions">
								Show all
							</Link>
						</Empty>
					) : (
						<Empty title="People who unsubscribe, bounce or complain are added here automatically." sample={sample}>
							<Link className="button primary" href="/suppressions/new">
								Add a suppression
							</Link>
						</Empty>
					)
				}
			/>
			{second === "new" && <SuppressForm onClose={shut} />}
			{second === "import" && (
				<Suspense>
					<SuppressionImport onClose={shut} />
				</Suspense>
			)}
			{shown && <Details item={shown} onClose={shut} remove={() => setRemoving(shown)} />}
			{removing && (
				<Remove
					item={removing}
					onClose={() => {
						setRemoving(null);
						if (second === removing.id) shut();
					}}
				/>
			)}
		</Page>
	);
}

function Details({ item, onClose, remove }: { item: Item; onClose: () => void; remove: () => void }) {
	return (
		<Drawer title={what(item)} onClose={onClose}>
			<dl className="facts">
				<dt>Reason</dt>
				<dd>
					<Badge state={item.reason} />
				</dd>
				<dt>Since</dt>
				<dd>
					<Time at={item.createdAt} />
				</dd>
				{item.note && (
					<>
						<dt>Note</dt>
						<dd>{item.note}</dd>
					</>
				)}
			</dl>
			<div>
				<button type="button" className="danger" onClick={remove}>
					Remove
				</button>
			</div>
		</Drawer>
	);
}

function Remove({ item, onClose }: { item: Item; onClose: () => void }) {
	const asked = item.reason === "unsubscribed" || item.reason === "complaint";
	const act = async () => {
		await request(DeleteSuppressionDocument, { id: item.id, confirm: asked });
		dropRow("Suppressions", item.id);
		const again = () =>
			void request(CreateSuppressionDocument, {
				input: { email: item.email, domain: item.email ? null : item.domain, note: item.note },
			}).then(({ createSuppression: { suppression } }) => {
				addRow<SuppressionsQueryVariables>("Suppressions", suppression, (filters) => fits(suppression, filters));
				void refresh();
			}, toastError);
		// One made by hand can be made again; the others carry a reason that only an event gives.
		toast(`${what(item)} is no longer suppressed.`, item.reason === "manual" ? again : undefined);
		void refresh();
	};
	return (
		<Confirm
			title={`Remove ${what(item)}?`}
			verb="Remove suppression"
			typed={item.reason === "manual" ? undefined : "remove"}
			act={act}
			onClose={onClose}
		>
			<p>
				Removes 1 suppression. Campaigns can write to {item.email ?? "these people"} again. Enrollments that it stopped
				stay stopped: select them in People of their campaign and resume them.
			</p>
			{asked && (
				<p className="note warn">
					This person {item.reason === "complaint" ? "complained" : "unsubscribed"}. Writing to them without consent may
					be against the law.
				</p>
			)}
		</Confirm>
	);
}
