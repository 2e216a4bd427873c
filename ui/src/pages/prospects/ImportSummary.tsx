import { useMemo } from "react";
import { Link } from "wouter";
import { count, duration, plural } from "../../logic/format";
import type { Outcome } from "../../logic/importer";
import type { WorkState } from "../../logic/work";
import { importer } from "../../works";
import { BulkEnrol } from "./BulkEnrol";
import { LeftOut } from "./LeftOut";

/** What an import did, and where to go from there. */
export function ImportSummary({ state, again }: { state: WorkState<Outcome>; again: () => void }) {
	const { created = 0, updated = 0, unchanged = 0 } = state.counts;
	const { createdSince } = importer;
	const people = useMemo(() => [...importer.people], []);
	return (
		<section className="panel" aria-label="Summary of the import">
			<div role="status">
				<h2>{state.stopped ? "Import stopped" : "Import finished"}</h2>
				<p className="faint">
					{importer.plan?.sheet.name}, {count(state.done)} of {plural(state.total, "row")} in{" "}
					{duration((state.finishedAt - state.startedAt) / 1000)}
				</p>
			</div>
			<dl className="numbers">
				{(
					[
						["Created", created],
						["Updated", updated],
						["Already there", unchanged],
						["Left out", state.refused.length],
					] as const
				).map(([label, n]) => (
					<div className="number" key={label}>
						<dt>{label}</dt>
						<dd>{count(n)}</dd>
					</div>
				))}
			</dl>
			{importer.plan && <LeftOut refused={state.refused} sheet={importer.plan.sheet} />}
			{people.length > 0 && (
				<div className="section">
					<h3>Enrol those of the file</h3>
					<BulkEnrol people={people} />
				</div>
			)}
			<div className="buttons start">
				{createdSince && (
					<Link className="button primary" href={`/prospects?since=${encodeURIComponent(createdSince)}`}>
						See the {count(created)} created
					</Link>
				)}
				<Link className={createdSince ? "button" : "button primary"} href="/prospects">
					See all prospects
				</Link>
				<button type="button" onClick={again}>
					Import another file
				</button>
			</div>
		</section>
	);
}
