import { download, toCSV } from "../../logic/csv";
import { count } from "../../logic/format";
import { SHOWN } from "../../logic/importSummary";
import type { Refused } from "../../logic/work";

interface Props {
	refused: Refused[];
	total: number;
	/** All of them as the rows of a file, with the reason of each. */
	csv: () => unknown[][];
}

/** The first rows with errors, and all of them as a file to correct and import again. */
export function LeftOut({ refused, total, csv }: Props) {
	if (total === 0) return null;
	return (
		<div className="section">
			<header>
				<h3>Rows with errors</h3>
				<button type="button" onClick={() => download("not-imported.csv", toCSV(csv()))}>
					Download {count(total)} rows
				</button>
			</header>
			<ul className="rows">
				{refused.slice(0, SHOWN).map((row) => (
					<li key={row.row}>
						<span className="faint line-no">Row {row.row}</span>
						<span className="grow">
							<span className="clip" title={row.what}>
								{row.what || "No e-mail address"}
							</span>
							<small className="faint">{row.reason}</small>
						</span>
					</li>
				))}
			</ul>
			<p className="faint">
				{total > SHOWN && `And ${count(total - SHOWN)} more. `}
				Row numbers match your spreadsheet. Download the rows with the reasons, fix them and import the file again.
			</p>
		</div>
	);
}
