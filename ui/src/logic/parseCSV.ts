/** One row of a file; line is its number in a spreadsheet, from 1. */
export interface ParsedRow {
	line: number;
	cells: string[];
}
/** The rows that were read, and the lines with wrong quotation marks. */
export interface Parsed {
	rows: ParsedRow[];
	/** Lines with a quotation mark that does not enclose its cell, or is never closed. Such a cell is read as plain text. */
	quotes: number[];
}

const SEPARATORS = [",", ";", "\t", "|"];
/** How many characters of a file are used to guess the separator. */
const SAMPLE = 20;

/** The separator that splits the first lines most evenly; a comma for a file of one column. */
export function separatorOf(text: string): string {
	const lines = text
		.slice(0, 100_000)
		.split(/\r\n|\n|\r/)
		.filter((line) => line.replaceAll(/[\s,;|]/g, "") !== "")
		.slice(0, SAMPLE);
	let best = { separator: ",", score: 0 };
	for (const separator of SEPARATORS) {
		const counts = lines.map((line) => line.replaceAll(/"[^"]*"/g, "").split(separator).length - 1);
		const usual = counts[0] ?? 0;
		const score =
			usual === 0 ? 0 : (counts.filter((n) => n === usual).length / counts.length) * 10 + Math.min(usual, 9);
		if (score > best.score) best = { separator, score };
	}
	return best.separator;
}

/**
 * Reads CSV by RFC 4180, and continues if a file does not follow it: a
 * cell whose closing quotation mark is followed by more text, is missing, or
 * comes only after lines that look like rows of their own, is read as plain text
 * up to the next separator. It stops after so many rows and is called again with
 * the state that it returned, so that the page stays responsive.
 */
export class CSVReader {
	private at = 0;
	private line = 1;
	readonly parsed: Parsed = { rows: [], quotes: [] };

	constructor(
		private readonly text: string,
		private readonly separator: string,
	) {}

	/** Reads up to a number of further rows. Returns false at the end. */
	read(most: number): boolean {
		for (let n = 0; n < most && this.at < this.text.length; n++) {
			this.parsed.rows.push({ line: this.line, cells: this.row() });
			this.line++;
		}
		return this.at < this.text.length;
	}

	private row(): string[] {
		const cells: string[] = [];
		for (;;) {
			cells.push(this.cell());
			if (this.text[this.at] !== this.separator) break;
			this.at++;
		}
		if (this.text[this.at] === "\r") this.at++;
		if (this.text[this.at] === "\n") this.at++;
		return cells;
	}

	private cell(): string {
		if (this.text[this.at] === '"') {
			const quoted = this.quoted();
			if (quoted !== null) return quoted;
			this.parsed.quotes.push(this.line);
		}
		const from = this.at;
		while (this.at < this.text.length && !this.ends(this.at)) this.at++;
		return this.text.slice(from, this.at);
	}

	/** The text between quotation marks, or null where they do not enclose a cell. */
	private quoted(): string | null {
		let end = this.at + 1;
		for (;;) {
			end = this.text.indexOf('"', end);
			if (end < 0) return null;
			if (this.text[end + 1] !== '"') break;
			end += 2;
		}
		const inside = this.text.slice(this.at + 1, end);
		if (end + 1 < this.text.length && !this.ends(end + 1)) return null;
		if (this.holdsRows(inside)) return null;
		this.at = end + 1;
		return inside.replaceAll('""', '"');
	}

	/** Whether a cell of several lines contains rows by mistake: one of its inner lines has as many cells as the first row. */
	private holdsRows(inside: string): boolean {
		const columns = this.parsed.rows[0]?.cells.length ?? 0;
		if (columns < 2 || !inside.includes("\n")) return false;
		const inner = inside.split(/\r?\n/).slice(1);
		return inner.some((line) => line.split(this.separator).length >= columns && /\S@\S/.test(line));
	}

	private ends(at: number): boolean {
		const letter = this.text[at];
		return letter === this.separator || letter === "\n" || letter === "\r";
	}
}
