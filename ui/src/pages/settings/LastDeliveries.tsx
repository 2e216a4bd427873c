import { RotateCw } from "lucide-react";
import { useEffect, useState } from "react";
import { request } from "../../api";
import { refresh, useChange, useOne } from "../../data";
import { DeliveriesDocument, RedeliverFailedDocument } from "../../gql/generated";
import { prospectOf } from "../../logic/delivery";
import { plural } from "../../logic/format";
import { Badge } from "../../parts/Badge";
import { Confirm } from "../../parts/Confirm";
import { ScrollX } from "../../parts/ScrollX";
import { Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { toast } from "../../parts/Toasts";
import { answerOf, DeliveryDetail } from "./DeliveryDrawer";

export const useLastDeliveries = (subscriptionId: string) => useOne(DeliveriesDocument, { first: 10, subscriptionId });

/** The last ten deliveries; one opens in place, so the drawer is not left. */
export function LastDeliveries({ subscriptionId }: { subscriptionId: string }) {
	const { data, error, refetch } = useLastDeliveries(subscriptionId);
	const [open, setOpen] = useState<string | null>(null);
	const [asking, setAsking] = useState(false);
	const rows = data?.deliveries.nodes;
	return (
		<section className="section" aria-labelledby="last">
			<header>
				<h3 id="last">Last 10 deliveries</h3>
				<button type="button" onClick={() => setAsking(true)}>
					<RotateCw size={14} aria-hidden /> Redeliver failed
				</button>
			</header>
			{!rows && (error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton />)}
			{rows?.length === 0 && <p className="faint">No deliveries yet. Send a test event.</p>}
			{rows && rows.length > 0 && (
				<ScrollX label="Last deliveries">
					<table className="plain">
						<thead>
							<tr>
								<th scope="col">Event</th>
								<th scope="col" className="not-phone">
									Prospect
								</th>
								<th scope="col">Status</th>
								<th scope="col" className="not-phone">
									Attempts
								</th>
								<th scope="col" className="not-phone">
									Response
								</th>
								<th scope="col" className="not-phone">
									When
								</th>
								<th scope="col">
									<span className="offscreen">Open</span>
								</th>
							</tr>
						</thead>
						<tbody>
							{rows.map((d) => (
								<tr key={d.id}>
									<td>
										<code>{d.type}</code>
										<small className="only-phone faint">
											{prospectOf(d)?.email ?? "–"} · <Time at={d.createdAt} />
										</small>
									</td>
									<td className="not-phone">{prospectOf(d)?.email ?? "–"}</td>
									<td>
										<Badge state={d.status} />
									</td>
									<td className="not-phone">
										{d.attempts} of {d.type === "test" ? 1 : 3}
									</td>
									<td className="not-phone">{answerOf(d)}</td>
									<td className="not-phone">
										<Time at={d.createdAt} />
									</td>
									<td>
										<button
											type="button"
											className="link"
											aria-expanded={open === d.id}
											onClick={() => setOpen(open === d.id ? null : d.id)}
										>
											{open === d.id ? "Close" : "Open"}
										</button>
									</td>
								</tr>
							))}
						</tbody>
					</table>
				</ScrollX>
			)}
			{open && <DeliveryDetail id={open} />}
			{asking && <RedeliverFailed subscriptionId={subscriptionId} onClose={() => setAsking(false)} />}
		</section>
	);
}

/** Counts first, in a dry run, and sends only what was agreed to. */
function RedeliverFailed({ subscriptionId, onClose }: { subscriptionId: string; onClose: () => void }) {
	const [days, setDays] = useState(7);
	const [now] = useState(() => Date.now());
	const since = new Date(now - days * 86_400_000).toISOString();
	const { mutate: ask, data, error } = useChange(RedeliverFailedDocument);
	useEffect(() => ask({ subscriptionId, since, dryRun: true }), [ask, subscriptionId, since]);
	const n = data?.redeliverFailed.count;
	const act = async () => {
		const { count } = (await request(RedeliverFailedDocument, { subscriptionId, since, dryRun: false }))
			.redeliverFailed;
		toast(`${plural(count, "delivery", "deliveries")} queued.`);
		void refresh();
	};
	return (
		<Confirm title="Redeliver failed deliveries?" verb="Redeliver" idle={!n} act={act} onClose={onClose}>
			<label className="field">
				<span>Since</span>
				<select value={days} onChange={(event) => setDays(Number(event.target.value))}>
					<option value={1}>the last 24 hours</option>
					<option value={7}>the last 7 days</option>
					<option value={30}>the last 30 days</option>
				</select>
			</label>
			<p role="status">
				{error
					? error.message
					: n === undefined
						? "Counting…"
						: n === 0
							? "No failed deliveries to send again."
							: `${plural(n, "delivery")} failed. Each becomes a new delivery with three attempts.`}
			</p>
		</Confirm>
	);
}
