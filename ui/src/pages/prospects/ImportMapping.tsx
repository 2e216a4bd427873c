import { AlertTriangle } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { OnExisting } from "../../gql/generated";
import { guess, judge, type Mapping, plainName, type Target, targets } from "../../logic/csv";
import { encodings } from "../../logic/encoding";
import { count, plural } from "../../logic/format";
import type { ImportPlan, Sheet } from "../../logic/importer";
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

/** Says what each column is; what comes of it is checked, or imported at once. */
export function ImportMapping({ sheet, before, keep, back, reread }: Props) {
	const [mapping, setMapping] = useState<Mapping>(() => before?.mapping ?? guess(sheet.headers));
	const [onExisting, setOnExisting] = useState<OnExisting>(before?.onExisting ?? "skip");
	const judged = useMemo(() => judge(sheet, mapping), [sheet, mapping]);
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
				<Field
					label="The file is not UTF-8. Read it as"
					hint="Look at the first values: letters with accents must come out right."
				>
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
							<th scope="col">First values</th>
							<th scope="col">Becomes</th>
						</tr>
					</thead>
					<tbody>
						{sheet.headers.map((header) => (
							<tr key={header}>
								<th scope="row">{header}</th>
								<td className="faint">
									{sheet.rows
										.slice(0, 3)
										.map((row) => row[header])
										.filter(Boolean)
										.join(" · ")
										.slice(0, 80)}
								</td>
								<td>
									<select
										aria-label={`What ${header} becomes`}
										value={mapping[header]}
										onChange={(event) => setMapping({ ...mapping, [header]: event.target.value as Mapping[string] })}
									>
										<option value="">Leave out</option>
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
				<legend>When an address is already a prospect</legend>
				<label className="check">
					<input type="radio" name="existing" checked={onExisting === "skip"} onChange={() => setOnExisting("skip")} />{" "}
					Leave the prospect as it is
				</label>
				<label className="check">
					<input
						type="radio"
						name="existing"
						checked={onExisting === "update"}
						onChange={() => setOnExisting("update")}
					/>{" "}
					Update it with what the file says
				</label>
			</fieldset>
			{!hasEmail && <p className="note warn">Choose the column that holds the e-mail address.</p>}
			{hasEmail && (
				<p role="status" aria-label="The file itself">
					<b>{count(judged.valid.length)}</b> {judged.valid.length === 1 ? "row" : "rows"} can be imported,{" "}
					<b>{count(judged.twice.length)}</b> {judged.twice.length === 1 ? "comes" : "come"} twice in the file,{" "}
					<b>{count(judged.invalid.length)}</b> {judged.invalid.length === 1 ? "has" : "have"} no usable e-mail address.
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
					Import unchecked
				</button>
				<button type="button" className="link" onClick={back}>
					Another file
				</button>
			</div>
			<p className="faint">The check goes through all rows as the import would, and stores nothing.</p>
		</section>
	);
}
