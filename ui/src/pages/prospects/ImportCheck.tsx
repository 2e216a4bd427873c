import { count, plural } from "../../logic/format";
import type { ImportPlan, Outcome } from "../../logic/importer";
import type { WorkState } from "../../logic/work";
import { importer } from "../../works";
import { LeftOut } from "./LeftOut";

interface Props {
	state: WorkState<Outcome>;
	plan: ImportPlan;
	columns: () => void;
}

/** What the dry run found, before anybody commits to it. */
export function ImportCheck({ state, plan, columns }: Props) {
	const { created = 0, updated = 0, unchanged = 0 } = state.counts;
	const update = plan.onExisting === "update";
	const rest = plan.rows.length - (state.refused.length - plan.refused.length);
	return (
		<section className="panel" aria-label="Dry run">
			<div role="status">
				<h2>
					{state.stopped
						? `Checked ${count(state.done)} of ${plural(state.total, "row")}`
						: `Checked ${plural(state.total, "row")}`}
				</h2>
				<p className="faint">
					{plan.sheet.name}. Nothing is stored yet.{state.stopped && " The rest was not looked at."}
				</p>
			</div>
			<dl className="numbers">
				<div className="number">
					<dt>New</dt>
					<dd>{count(created)}</dd>
				</div>
				{update && (
					<div className="number">
						<dt>Changed</dt>
						<dd>{count(updated)}</dd>
					</div>
				)}
				<div className="number">
					<dt>{update ? "Already the same" : "Already there"}</dt>
					<dd>{count(unchanged)}</dd>
					{!update && unchanged > 0 && <dd>stay as they are</dd>}
				</div>
				<div className="number">
					<dt>Left out</dt>
					<dd>{count(state.refused.length)}</dd>
				</div>
			</dl>
			<LeftOut refused={state.refused} sheet={plan.sheet} />
			<div className="buttons start">
				<button type="button" className="primary" disabled={rest === 0} onClick={() => void importer.store(plan)}>
					Import {plural(rest, "row")}
				</button>
				<button type="button" onClick={columns}>
					Change the columns
				</button>
			</div>
		</section>
	);
}
