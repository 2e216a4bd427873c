import { RotateCw } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { refresh, useChange, useOne } from "../../data";
import { DeliveryDocument, type DeliveryRowFragment, RedeliverDocument } from "../../gql/generated";
import { prospectOf } from "../../logic/delivery";
import { Badge } from "../../parts/Badge";
import { Drawer } from "../../parts/Drawer";
import { FormError } from "../../parts/Field";
import { ScrollX } from "../../parts/ScrollX";
import { CodeBox } from "../../parts/Secret";
import { Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { toast } from "../../parts/Toasts";

/** The last answer in a few words: a status, else the error, else what is waited for. */
export function answerOf(d: Pick<DeliveryRowFragment, "httpStatus" | "error" | "status">): string {
	if (d.httpStatus) return `HTTP ${d.httpStatus}`;
	return d.error ?? (d.status === "queued" ? "no attempt yet" : "");
}

export function DeliveryDrawer({ id, onClose }: { id: string; onClose: () => void }) {
	return (
		<Drawer title="Delivery" subtitle={id} onClose={onClose}>
			<DeliveryDetail id={id} />
		</Drawer>
	);
}

export function DeliveryDetail({ id }: { id: string }) {
	const { data, error, refetch } = useOne(DeliveryDocument, { id });
	const again = useChange(RedeliverDocument);
	const [raw, setRaw] = useState(false);
	const d = data?.delivery;
	if (!d) return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />;
	const prospect = prospectOf(d);
	return (
		<div className="stack">
			<dl className="facts">
				<dt>Event</dt>
				<dd>
					<code>{d.type}</code>
					{d.subscriptionEvent !== d.type && (
						<>
							{" "}
							for <code>{d.subscriptionEvent}</code>
						</>
					)}
				</dd>
				<dt>Status</dt>
				<dd>
					<Badge state={d.status} />
				</dd>
				{prospect && (
					<>
						<dt>Prospect</dt>
						<dd>
							<Link href={`/prospects/${prospect.id}`}>{prospect.email}</Link>
						</dd>
					</>
				)}
				<dt>To</dt>
				<dd>{d.url}</dd>
				<dt>Delivery id</dt>
				<dd>
					<code>{d.id}</code>
				</dd>
				<dt>Event id</dt>
				<dd>
					<code>{d.eventId}</code>
				</dd>
				{d.redeliveryOf && (
					<>
						<dt>Redelivery of</dt>
						<dd>
							<code>{d.redeliveryOf}</code>
						</dd>
					</>
				)}
				{d.nextAttemptAt && (
					<>
						<dt>Next attempt</dt>
						<dd>
							<Time at={d.nextAttemptAt} />
						</dd>
					</>
				)}
				<dt>Created</dt>
				<dd>
					<Time at={d.createdAt} />
				</dd>
			</dl>
			<ScrollX label="Attempts">
				<table className="plain">
					<thead>
						<tr>
							<th scope="col">Attempt</th>
							<th scope="col">Started</th>
							<th scope="col">Duration</th>
							<th scope="col">Response</th>
						</tr>
					</thead>
					<tbody>
						{d.attemptLog.map((a) => (
							<tr key={a.number}>
								<td>{a.number}</td>
								<td>
									<Time at={a.startedAt} />
								</td>
								<td>
									{a.durationMs === null || a.durationMs === undefined
										? "–"
										: a.durationMs === 0
											? "under 1 ms"
											: `${a.durationMs} ms`}
								</td>
								<td>{a.httpStatus ? `HTTP ${a.httpStatus}` : (a.error ?? "–")}</td>
							</tr>
						))}
					</tbody>
				</table>
			</ScrollX>
			{d.attemptLog.length === 0 && <p className="faint">No attempts yet.</p>}
			<section className="section" aria-labelledby="body">
				<header>
					<h3 id="body">Body</h3>
					<label className="check">
						<input type="checkbox" checked={raw} onChange={() => setRaw(!raw)} /> Raw bytes, as signed
					</label>
				</header>
				<CodeBox wrap label="Body" code={raw ? d.body : JSON.stringify(JSON.parse(d.body), null, 2)} />
			</section>
			<FormError error={again.error} />
			<div>
				<button
					type="button"
					disabled={again.isPending}
					onClick={() =>
						again.mutate(
							{ id },
							{
								onSuccess: () => {
									toast("Queued as a new delivery.");
									void refresh();
								},
							},
						)
					}
				>
					<RotateCw size={14} aria-hidden /> Redeliver
				</button>
			</div>
		</div>
	);
}
