import { useMemo } from "react";
import { Link } from "wouter";
import { count, duration, plural } from "../../logic/format";
import type { Summary } from "../../logic/importSummary";
import { importer } from "../../works";
import { BulkEnroll } from "./BulkEnroll";
import { LeftOut } from "./LeftOut";

/** What an import did, and where to go from there. */
export function ImportSummary({ summary: s, again }: { summary: Summary; again: () => void }) {
	const people = useMemo(() => [...importer.people], []);
	return (
		<section className="panel" aria-label="Summary of the import">
			<div role="status">
				<h2>{s.stopped ? "Import stopped" : "Import finished"}</h2>
				<p className="faint">
					{s.file}: {plural(s.rows, "row")} in {duration(s.seconds)}
				</p>
			</div>
			<dl className="numbers">
				{(
					[
						["Created", s.created],
						["Updated", s.updated],
						["Unchanged", s.unchanged],
						["Errors", s.errors],
					] as const
				).map(([label, n]) => (
					<div className="number" key={label}>
						<dt>{label}</dt>
						<dd>{count(n)}</dd>
					</div>
				))}
			</dl>
			<LeftOut refused={s.refused} total={s.errors} csv={() => s.csv} />
			{people.length > 0 && (
				<div className="section">
					<h3>Enroll imported people</h3>
					<BulkEnroll people={people} />
				</div>
			)}
			<div className="buttons start">
				{s.createdSince && (
					<Link className="button primary" href={`/prospects?since=${encodeURIComponent(s.createdSince)}`}>
						Show the {count(s.created)} created
					</Link>
				)}
				<Link className={s.createdSince ? "button" : "button primary"} href="/prospects">
					Show all prospects
				</Link>
				<button type="button" onClick={again}>
					Import another file
				</button>
			</div>
		</section>
	);
}
