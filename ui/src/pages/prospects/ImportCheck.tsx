import { leftOutRows } from "../../logic/csv";
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

/** The result of the dry run, before the import. */
export function ImportCheck({ state, plan, columns }: Props) {
	const { created = 0, updated = 0, unchanged = 0 } = state.counts;
	const update = plan.onExisting === "update";
	const rest = plan.rows.length - (state.refused.length - plan.refused.length);
	return (
		<section className="panel" aria-label="Dry run">
			<div role="status">
				<h2>
					{state.stopped
						? `Checked ${count(state.done)} of ${plural(plan.sheet.rows.length, "row")}`
						: `Checked ${plural(plan.sheet.rows.length, "row")}`}
				</h2>
				<p className="faint">
					{plan.sheet.name}. Nothing is imported yet.{state.stopped && " The remaining rows were not checked."}
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
					<dt>{update ? "Unchanged" : "Already exist"}</dt>
					<dd>{count(unchanged)}</dd>
					{!update && unchanged > 0 && <dd>are skipped</dd>}
				</div>
				<div className="number">
					<dt>Errors</dt>
					<dd>{count(state.refused.length)}</dd>
				</div>
			</dl>
			<LeftOut
				refused={state.refused}
				total={state.refused.length}
				csv={() => leftOutRows(state.refused, plan.sheet)}
			/>
			<div className="buttons start">
				<button type="button" className="primary" disabled={rest === 0} onClick={() => void importer.store(plan)}>
					Import {plural(rest, "row")}
				</button>
				<button type="button" onClick={columns}>
					Change columns
				</button>
			</div>
		</section>
	);
}
