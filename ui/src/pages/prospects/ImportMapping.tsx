import { AlertTriangle } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { OnExisting } from "../../gql/generated";
import { guess, judge, type Mapping, plainName, type Target, targets } from "../../logic/csv";
import { encodings } from "../../logic/encoding";
import { count, plural } from "../../logic/format";
import type { ImportPlan, Sheet } from "../../logic/importer";
import { timezoneReader } from "../../logic/timezones";
import { Field } from "../../parts/Field";
import { ScrollX } from "../../parts/ScrollX";
import { importer } from "../../works";

/** What was said of the columns of a sheet. */
export type Said = Pick<ImportPlan, "mapping" | "onExisting">;
interface Props {
	sheet: Sheet;
	before: Said | null;
	keep: (said: Said) => void;
	back: () => void;
	reread: (encoding: string) => void;
}

/** A sample says what kind of value a column has. */
const clipped = (value: string) => (value.length > 40 ? `${value.slice(0, 40).trimEnd()}…` : value);

/** Says what each column is; what comes of it is checked, or imported at once. */
export function ImportMapping({ sheet, before, keep, back, reread }: Props) {
	const [mapping, setMapping] = useState<Mapping>(() => before?.mapping ?? guess(sheet.headers, sheet.rows));
	const [onExisting, setOnExisting] = useState<OnExisting>(before?.onExisting ?? "skip");
	const zone = useMemo(() => timezoneReader(), []);
	const judged = useMemo(() => judge(sheet, mapping, zone), [sheet, mapping, zone]);
	useEffect(() => keep({ mapping, onExisting }), [keep, mapping, onExisting]);
	const hasEmail = Object.values(mapping).includes("email");
	const plan = (): ImportPlan => ({
		sheet,
		mapping,
		onExisting,
		rows: judged.valid,
		refused: [...judged.invalid, ...judged.twice].sort((a, b) => (a.row ?? 0) - (b.row ?? 0)),
	});
	const used = (target: Target, header: string) =>
		Object.entries(mapping).some(([other, value]) => value === target && other !== header);
	return (
		<section className="panel">
			<h2>
				{sheet.name}: {plural(sheet.rows.length, "row")}
			</h2>
			{sheet.faults.map((fault) => (
				<p key={fault} className="note warn" role="alert">
					<AlertTriangle size={16} aria-hidden />
					{fault}
				</p>
			))}
			{!sheet.encoding.startsWith("utf") && (
				<Field label="File encoding" hint="Check the sample values: accented letters must look right.">
					{(wired) => (
						<select {...wired} value={sheet.encoding} onChange={(event) => reread(event.target.value)}>
							{Object.entries(encodings).map(([name, label]) => (
								<option key={name} value={name}>
									{label}
								</option>
							))}
						</select>
					)}
				</Field>
			)}
			<ScrollX label="Columns">
				<table className="plain columns">
					<thead>
						<tr>
							<th scope="col">Column</th>
							<th scope="col">Sample values</th>
							<th scope="col">Import as</th>
						</tr>
					</thead>
					<tbody>
						{sheet.headers.map((header) => (
							<tr key={header}>
								<th scope="row">{header}</th>
								<td className="faint">
									{sheet.rows
										.slice(0, 3)
										.map((row) => clipped(row[header] ?? ""))
										.filter(Boolean)
										.join(" · ")}
								</td>
								<td>
									<select
										aria-label={`Import ${header} as`}
										value={mapping[header]}
										onChange={(event) => setMapping({ ...mapping, [header]: event.target.value as Mapping[string] })}
									>
										<option value="">Do not import</option>
										{Object.entries(targets).map(([target, label]) => (
											<option key={target} value={target} disabled={used(target as Target, header)}>
												{label}
											</option>
										))}
										{plainName(header) && (
											<option value={`custom:${plainName(header)}`}>Custom field {plainName(header)}</option>
										)}
									</select>
								</td>
							</tr>
						))}
					</tbody>
				</table>
			</ScrollX>
			<fieldset>
				<legend>If the prospect already exists</legend>
				<label className="check">
					<input type="radio" name="existing" checked={onExisting === "skip"} onChange={() => setOnExisting("skip")} />{" "}
					Skip
				</label>
				<label className="check">
					<input
						type="radio"
						name="existing"
						checked={onExisting === "update"}
						onChange={() => setOnExisting("update")}
					/>{" "}
					Update with the values from the file
				</label>
			</fieldset>
			{!hasEmail && <p className="note warn">Choose the column with the e-mail address.</p>}
			{hasEmail && (
				<p role="status" aria-label="Rows of the file">
					{plural(sheet.rows.length, "row")}: <b>{count(judged.valid.length)}</b> to import,{" "}
					<b>{count(judged.twice.length)}</b> {judged.twice.length === 1 ? "duplicate" : "duplicates"},{" "}
					<b>{count(judged.invalid.length)}</b> without a valid e-mail address.
				</p>
			)}
			{judged.dropped.length > 0 && (
				<p className="note warn">
					<AlertTriangle size={16} aria-hidden />
					<span>
						{plural(judged.dropped.length, "row")} with an unknown time zone, such as “{judged.dropped[0]?.value}” in
						row {judged.dropped[0]?.row}. These people are imported without a time zone. Use names such as Europe/Paris.
					</span>
				</p>
			)}
			<div className="buttons start">
				<button
					type="button"
					className="primary"
					disabled={!hasEmail || judged.valid.length === 0}
					onClick={() => void importer.tryOut(plan())}
				>
					Check {plural(judged.valid.length, "row")}
				</button>
				<button
					type="button"
					disabled={!hasEmail || judged.valid.length === 0}
					onClick={() => void importer.store(plan())}
				>
					Import without checking
				</button>
				<button type="button" className="link" onClick={back}>
					Choose another file
				</button>
			</div>
			<p className="faint">Checking compares every row with your prospects and changes nothing.</p>
		</section>
	);
}
