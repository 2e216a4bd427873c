import Papa from "papaparse";
import { encodingOf } from "../../logic/encoding";
import type { Sheet } from "../../logic/importer";

type Values = Record<string, string> & { __parsed_extra?: string[] };

/** The separator of a file: the one it names itself, as Excel does in a first line of its own, else the likeliest. Empty rows say nothing of it. */
function separate(text: string): { text: string; delimiter: string } {
	const named = /^sep=(.)\r?\n/i.exec(text);
	if (named) return { text: text.slice(named[0].length), delimiter: named[1] ?? "," };
	return {
		text,
		delimiter: Papa.parse(text.slice(0, 100_000), { preview: 20, skipEmptyLines: "greedy" }).meta.delimiter,
	};
}
const breath = () =>
	new Promise<void>((resolve) => {
		setTimeout(resolve);
	});

/**
 * Reads a file in pieces, so that the page stays alive, and says how far it is.
 * Rows are numbered as a spreadsheet does: the names of the columns stand in row
 * 1, an empty row counts, a line break within quotes does not. Without a given
 * encoding it is found out.
 */
export async function readCSV(file: File, tell: (rows: number) => void, given?: string): Promise<Sheet> {
	const bytes = await file.arrayBuffer();
	const encoding = given ?? encodingOf(bytes);
	const sheet: Sheet = { name: file.name, file, encoding, headers: [], rows: [], numbers: [], faults: [] };
	const open: number[] = [],
		long: number[] = [];
	let number = 1;
	await new Promise<void>((resolve, reject) => {
		const { text, delimiter } = separate(new TextDecoder(encoding).decode(bytes));
		Papa.parse(text, {
			header: true,
			delimiter,
			chunkSize: 512 * 1024,
			transformHeader: (header) => header.trim(),
			chunk: ({ data, errors, meta }: Papa.ParseResult<Values>, parser: Papa.Parser) => {
				sheet.headers = (meta.fields ?? []).filter(Boolean);
				for (const { code, row } of errors)
					if (code === "MissingQuotes") open.push(number + (row ?? 0) + (number === 1 ? 0 : 1)); // the first piece counts the names too
				for (const { __parsed_extra: more, ...row } of data) {
					number++;
					if (more?.some((value) => value.trim())) long.push(number);
					if (!Object.values(row).some((value) => value.trim())) continue;
					sheet.rows.push(row);
					sheet.numbers.push(number);
				}
				tell(sheet.rows.length);
				parser.pause();
				void breath().then(() => {
					parser.resume();
				});
			},
			complete: () => resolve(),
			error: (error: Error) => reject(new Error(`The file cannot be read: ${error.message}`)),
		});
	});
	if (sheet.rows.length === 0) throw new Error("The file has no rows below its first line.");
	sheet.faults = faultsOf(sheet.headers, open, long);
	return sheet;
}

const some = (numbers: number[]) =>
	`${numbers.length === 1 ? "Row" : "Rows"} ${numbers.slice(0, 5).join(", ")}${numbers.length > 5 ? ` and ${numbers.length - 5} more` : ""}`;

/** What makes a file come out otherwise than its writer meant. */
function faultsOf(headers: string[], open: number[], long: number[]): string[] {
	return [
		...(headers.some((header) => header.includes("@"))
			? [
					"The first row looks like a prospect, not like names of columns, and is not imported. Put a row of names above it.",
				]
			: []),
		...(open.length > 0
			? [
					`${some(open)}: a quotation mark is opened and never closed, so all that follows counts as one value. Mend the file first.`,
				]
			: []),
		...(long.length > 0
			? [
					`${some(long)}: more values than there are columns, as where a separator stands in a value without quotation marks. What is too many is left out.`,
				]
			: []),
	];
}
