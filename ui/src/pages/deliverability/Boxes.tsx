import { Link } from "wouter";
import { useOne } from "../../data";
import {
	HealthOfMailboxesDocument,
	type HealthOfMailboxesQuery,
	type MailboxFieldsFragment,
} from "../../gql/generated";
import { ratesOver, standingOf, tally, WINDOW, worstFirst } from "../../logic/deliverability";
import { count } from "../../logic/format";
import { VerdictMark } from "../../parts/VerdictMark";
import { Placement, usePlacements } from "../mailboxes/Placement";
import { Rate } from "./Rate";

type Counted = HealthOfMailboxesQuery["mailboxes"]["nodes"][number];

/** The mailboxes, the worst first: how each stands, what came back from it, and where its mail arrives. */
export function Boxes({ boxes }: { boxes: MailboxFieldsFragment[] }) {
	const counted = useOne(HealthOfMailboxesDocument, {}, { live: 300_000 }).data?.mailboxes.nodes ?? [];
	const placements = usePlacements();
	const rows = worstFirst(
		boxes.map((box) => {
			const counts = counted.find(({ id }) => id === box.id);
			return { box, counts, standing: standingOf(box, counts?.health.warning, placements.get(box.id)) };
		}),
		({ standing }) => standing.verdict,
	);
	return (
		<section className="section" aria-labelledby="mailboxes">
			<header>
				<h2 id="mailboxes">Mailboxes</h2>
				<span className="faint">{tally(rows.map(({ standing }) => standing.verdict))}</span>
			</header>
			<p className="faint">
				Rates over {WINDOW} days, at the end of each day of the last weeks. At the dashed line the mailbox is paused.
			</p>
			<ul className="boxes">
				{rows.map(({ box, counts, standing: { verdict, why, next } }) => (
					<li key={box.id}>
						<VerdictMark verdict={verdict} />
						<div className="stack">
							<div className="line tight">
								<Link className="clip" href={`/mailboxes/${box.id}`} title={box.email}>
									{box.email}
								</Link>
								<span className="faint nowrap">
									{count(box.sentToday)} of {count(box.limitToday)} today
								</span>
							</div>
							{why && <p className={verdict === "pass" ? "faint" : undefined}>{why}</p>}
							{next && (
								<p>
									<b>Next:</b> {next}
								</p>
							)}
							{(verdict === "warn" || verdict === "fail") && counts && counts.health.bounced > 0 && (
								<p>
									<Link href="/prospects?status=bounced">Show who bounced</Link>
								</p>
							)}
						</div>
						{counts && <Rates counts={counts} paused={box.status === "paused"} />}
						<div className="place">
							<Placement box={box} boxes={boxes} last={placements.get(box.id)} />
						</div>
					</li>
				))}
			</ul>
		</section>
	);
}

function Rates({ counts: { health: h, activity }, paused }: { counts: Counted; paused: boolean }) {
	const { days } = activity;
	const shared = { all: h.attempted, paused, from: days[WINDOW - 1]?.date ?? "", to: days.at(-1)?.date ?? "" };
	return (
		<>
			<Rate {...shared} name="Bounces" value={h.bounced} bound={h.bounceBound} rates={ratesOver(days, "bounced")} />
			<Rate
				{...shared}
				name="Complaints"
				value={h.complained}
				bound={h.complaintBound}
				rates={ratesOver(days, "complained")}
			/>
		</>
	);
}
