import { useEffect, useMemo, useSyncExternalStore } from "react";
import { Link } from "wouter";
import { LIVE, type Rows, useGroups, useRows } from "../../data";
import { DeliveryStatusValues, EventTypeValues } from "../../gql/enums";
import {
	DeliveriesDocument,
	type DeliveryRowFragment,
	type DeliveryStatus,
	type EventType,
	RedeliveredDocument,
	SubscriptionsDocument,
} from "../../gql/generated";
import { download, toCSV } from "../../logic/csv";
import { prospectOf } from "../../logic/delivery";
import { count, plural } from "../../logic/format";
import { refusedRows } from "../../logic/work";
import { Badge } from "../../parts/Badge";
import { ExportButton } from "../../parts/ExportButton";
import { Filter, FilterBar } from "../../parts/Filters";
import { Progress } from "../../parts/Progress";
import { type Column, RowList } from "../../parts/RowList";
import { Empty } from "../../parts/states";
import { Time } from "../../parts/Time";
import { usePlace } from "../../parts/usePlace";
import { redeliver, redeliverer } from "../../works";
import { answerOf, DeliveryDrawer } from "./DeliveryDrawer";

/** A delivery; again says that what failed was queued once more. */
type Item = DeliveryRowFragment & { again?: boolean };
const columns: Column<Item>[] = [
	{ head: "Event", width: "104px", cell: (d) => <code>{d.type}</code> },
	{
		head: "Status",
		width: "150px",
		cell: (d) => (d.again ? <Badge state="stopped" label="Failed, resent" /> : <Badge state={d.status} />),
		phone: "side",
	},
	{
		head: "Prospect",
		width: "minmax(90px, 2fr)",
		yields: 3,
		cell: (d) => {
			const email = prospectOf(d)?.email;
			return <span title={email}>{email ?? "–"}</span>;
		},
	},
	{ head: "Attempts", width: "70px", yields: 2, cell: (d) => `${d.attempts} of ${d.type === "test" ? 1 : 3}` },
	{ head: "Response", width: "minmax(80px, 2fr)", cell: (d) => <span title={answerOf(d)}>{answerOf(d)}</span> },
	{ head: "To", width: "minmax(130px, 2fr)", yields: 2, cell: (d) => <span title={d.url}>{d.url}</span> },
	{
		head: "Result",
		cell: (d) => (
			<>
				{answerOf(d) && `${answerOf(d)} · `}
				<Time at={d.createdAt} />
				{prospectOf(d)?.email && ` · ${prospectOf(d)?.email}`}
			</>
		),
		phone: "only",
	},
	{ head: "Created", width: "96px", cell: (d) => <Time at={d.createdAt} /> },
];

const exported: Record<string, (d: DeliveryRowFragment) => unknown> = {
	event: (d) => d.type,
	event_id: (d) => d.eventId,
	status: (d) => d.status,
	prospect_email: (d) => prospectOf(d)?.email,
	attempts: (d) => d.attempts,
	response: answerOf,
	url: (d) => d.url,
	created_at: (d) => d.createdAt,
	delivered_at: (d) => d.deliveredAt,
	next_attempt_at: (d) => d.nextAttemptAt,
};

const GROUP = 100;
/** Deliveries that were redelivered, so that they are not offered again while the list loads. */
const sentAgain = new Set<string>();

/** The rows, each failed one with whether it was sent again; told is whether that is known of all. */
function useAgain(list: Rows<DeliveryRowFragment>): Rows<Item> & { told: boolean } {
	const { rows } = list;
	const failed = rows.filter(({ status }) => status === "failed").map(({ id }) => id);
	const { answers, whole } = useGroups(RedeliveredDocument, failed, GROUP, LIVE);
	const marked = useMemo(() => {
		for (const { redelivered } of answers) for (const id of redelivered) sentAgain.add(id);
		return rows.map((row) => (sentAgain.has(row.id) ? { ...row, again: true } : row));
	}, [rows, answers]);
	return { ...list, rows: marked, told: whole };
}

/** The history of every delivery. */
export function Integrations({ id }: { id: string | undefined }) {
	const { params, close } = usePlace();
	const subscriptions = useRows(SubscriptionsDocument, (data) => data.subscriptions, {}, { size: 100, live: false });
	const days = params.get("since");
	const since = days ? new Date(Math.floor(Date.now() / 86_400_000 - Number(days)) * 86_400_000).toISOString() : null;
	const filter = {
		subscriptionId: params.get("webhook"),
		type: params.get("type") as EventType | null,
		status: params.get("status") as DeliveryStatus | null,
		since,
	};
	const list = useAgain(useRows(DeliveriesDocument, (data) => data.deliveries, filter));
	const failed = list.rows.filter(({ status }) => status === "failed"),
		waiting = failed.filter(({ again }) => !again).map((delivery) => delivery.id);
	const names = ["webhook", "type", "status", "since"];
	return (
		<>
			<FilterBar
				names={names}
				more={
					<ExportButton
						inBar
						list="deliveries"
						document={DeliveriesDocument}
						pick={(data) => data.deliveries}
						variables={filter}
						columns={exported}
					/>
				}
			>
				<Filter
					name="webhook"
					label="Webhook"
					options={subscriptions.rows.map((s) => ({ value: s.id, label: s.url }))}
				/>
				<Filter name="type" label="Event" options={EventTypeValues} />
				<Filter name="status" label="Status" options={DeliveryStatusValues} />
				<Filter
					name="since"
					label="When"
					options={[
						{ value: "1", label: "Since yesterday" },
						{ value: "7", label: "Last 7 days" },
					]}
				/>
			</FilterBar>
			<RedeliverAll
				ids={params.get("status") === "failed" && list.told ? waiting : []}
				before={failed.length - waiting.length}
			/>
			<RowList
				label="Deliveries"
				list={list}
				columns={columns}
				href={(d) => `/settings/integrations/${d.id}`}
				empty={
					names.some((name) => params.get(name)) ? (
						<Empty title="No deliveries match these filters.">
							<Link className="button" href="/settings/integrations">
								Clear filters
							</Link>
						</Empty>
					) : subscriptions.rows.length > 0 ? (
						<Empty title="No deliveries yet. Each event appears here with the response of your endpoint." />
					) : (
						<Empty title="No deliveries yet. Add a webhook first.">
							<Link className="button primary" href="/settings/webhooks/new">
								Add a webhook
							</Link>
						</Empty>
					)
				}
			/>
			{id && <DeliveryDrawer key={id} id={id} onClose={() => close("/settings/integrations")} />}
		</>
	);
}

/** What failed and is loaded, and was not sent again before. */
function RedeliverAll({ ids, before }: { ids: string[]; before: number }) {
	const state = useSyncExternalStore(redeliverer.watch, redeliverer.read);
	useEffect(() => {
		if (state.phase === "done") redeliverer.see();
	}, [state.phase]);
	if (redeliverer.busy)
		return (
			<div className="bulk">
				<div className="grow">
					<Progress label="Redelivering" unit="delivery" {...state} />
				</div>
				<button type="button" onClick={redeliverer.stop}>
					Stop
				</button>
			</div>
		);
	if (state.phase === "done") {
		return (
			<div className="bulk">
				<span role="status">
					{count(state.counts.queued ?? 0)} queued again, {count(state.refused.length)} refused.
				</span>
				{state.refused.length > 0 && (
					<button
						type="button"
						onClick={() => download("not-redelivered.csv", toCSV(refusedRows(state.refused, "delivery_id")))}
					>
						Download errors
					</button>
				)}
				<button type="button" onClick={redeliverer.reset}>
					Done
				</button>
			</div>
		);
	}
	if (ids.length === 0) return null;
	return (
		<div className="bulk">
			<b>{plural(ids.length, "failed delivery")} loaded</b>
			{before > 0 && (
				<span className="faint">
					{count(before)} more {before === 1 ? "was" : "were"} sent again before
				</span>
			)}
			<button type="button" onClick={() => void redeliverer.run("Redelivering", ids, redeliver)}>
				Redeliver {ids.length === 1 ? "it" : `all ${count(ids.length)}`}
			</button>
		</div>
	);
}
