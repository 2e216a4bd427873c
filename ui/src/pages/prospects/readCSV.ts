import { encodingOf } from "../../logic/encoding";
import type { Sheet } from "../../logic/importer";
import { CSVReader, separatorOf } from "../../logic/parseCSV";

/** How many rows are read before the page draws again. */
const PIECE = 5_000;

/** The separator of a file: the one it names itself, as Excel does in a first line of its own, else the likeliest. */
function separate(text: string): { text: string; separator: string } {
	const named = /^sep=(.)\r?\n/i.exec(text);
	if (named) return { text: text.slice(named[0].length), separator: named[1] ?? "," };
	return { text, separator: separatorOf(text) };
}
const breath = () =>
	new Promise<void>((resolve) => {
		setTimeout(resolve);
	});

/**
 * Reads a file in pieces, so that the page stays responsive, and reports the progress.
 * Rows are numbered as a spreadsheet does: the names of the columns stand in row
 * 1, an empty row counts, a line break within quotes does not. Without a given
 * encoding it is found out.
 */
export async function readCSV(file: File, tell: (rows: number) => void, given?: string): Promise<Sheet> {
	const bytes = await file.arrayBuffer();
	const encoding = given ?? encodingOf(bytes);
	const { text, separator } = separate(new TextDecoder(encoding).decode(bytes));
	const reader = new CSVReader(text, separator);
	while (reader.read(PIECE)) {
		tell(reader.parsed.rows.length);
		await breath();
	}
	const [names, ...rows] = reader.parsed.rows;
	const headers = columnsOf(names?.cells ?? []);
	const sheet: Sheet = {
		name: file.name,
		file,
		encoding,
		headers: headers.filter(Boolean),
		rows: [],
		numbers: [],
		faults: [],
	};
	const long: number[] = [];
	for (const { line, cells } of rows) {
		if (!cells.some((value) => value.trim())) continue;
		if (cells.slice(headers.length).some((value) => value.trim())) long.push(line);
		sheet.rows.push(Object.fromEntries(headers.flatMap((header, n) => (header ? [[header, cells[n] ?? ""]] : []))));
		sheet.numbers.push(line);
	}
	tell(sheet.rows.length);
	if (sheet.rows.length === 0) throw new Error("The file has no rows below the column names.");
	sheet.faults = faultsOf(sheet.headers, reader.parsed.quotes, long);
	return sheet;
}

/** The names of the columns; one that comes twice gets a number. */
function columnsOf(cells: string[]): string[] {
	const seen = new Map<string, number>();
	return cells.map((cell) => {
		const name = cell.trim();
		const before = seen.get(name) ?? 0;
		seen.set(name, before + 1);
		return name && before > 0 ? `${name}_${before}` : name;
	});
}

const some = (numbers: number[]) =>
	`${numbers.length === 1 ? "Row" : "Rows"} ${numbers.slice(0, 5).join(", ")}${numbers.length > 5 ? ` and ${numbers.length - 5} more` : ""}`;

/** The likely problems of a file. */
function faultsOf(headers: string[], open: number[], long: number[]): string[] {
	return [
		...(headers.some((header) => header.includes("@"))
			? [
					"The first row looks like a person, not like column names. It is not imported. Add a row of column names above it.",
				]
			: []),
		...(open.length > 0
			? [
					`${some(open)}: a quotation mark does not enclose the whole value, so the value is read as it stands, ` +
						`with the mark. Check ${open.length === 1 ? "it" : "them"} in the file.`,
				]
			: []),
		...(long.length > 0
			? [
					`${some(long)}: more values than columns. A value with a separator in it needs quotation marks. Extra values are ignored.`,
				]
			: []),
	];
}
