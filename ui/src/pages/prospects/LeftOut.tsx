import { download, leftOutRows, toCSV } from "../../logic/csv";
import { count } from "../../logic/format";
import type { Sheet } from "../../logic/importer";
import type { Refused } from "../../logic/work";

/** The first rows that were left out, with the reason, and all of them as a file that can be mended and imported. */
export function LeftOut({ refused, sheet }: { refused: Refused[]; sheet: Sheet }) {
	if (refused.length === 0) return null;
	return (
		<div className="section">
			<header>
				<h3>What is left out and why</h3>
				<button type="button" onClick={() => download("not-imported.csv", toCSV(leftOutRows(refused, sheet)))}>
					Download all {count(refused.length)}
				</button>
			</header>
			<ul className="rows">
				{refused.slice(0, 8).map((row) => (
					<li key={row.row}>
						<span className="faint line-no">Row {row.row}</span>
						<span className="grow">
							<span className="clip" title={row.what}>
								{row.what || "no address"}
							</span>
							<small className="faint">{row.reason}</small>
						</span>
					</li>
				))}
			</ul>
			<p className="faint">
				Rows are counted as a spreadsheet does. The file to download holds them whole, with the reason: mend them there
				and import it again.
			</p>
			{refused.length > 8 && <p className="faint">And {count(refused.length - 8)} more.</p>}
		</div>
	);
}
