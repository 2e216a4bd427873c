import type { BulkSuppressionsMutation, SuppressionInput } from "../gql/generated";
import { Work } from "./work";

type Result = BulkSuppressionsMutation["bulkSuppressions"]["results"][number];
export type SuppressOutcome = Result["outcome"];

/** The addresses and domains of a pasted text: one per line, or the first column of a CSV file. */
export function readList(text: string): string[] {
	const cells = text
		.split(/\r?\n/)
		.map((line) => (line.split(/[,;\t]/)[0] ?? "").trim().replace(/^"|"$/g, "").replace(/^@/, ""));
	return [...new Set(cells.filter((cell) => cell.includes(".") && !/\s/.test(cell)).map((cell) => cell.toLowerCase()))];
}

/** Suppresses many. Repeated entries count as suppressed already. */
export class Suppressor extends Work<string, SuppressOutcome> {
	constructor(
		private readonly ask: (suppressions: SuppressionInput[]) => Promise<Result[]>,
		pause?: (ms: number) => Promise<void>,
	) {
		super({ href: "/suppressions/import", unit: "entry", name: (text) => ({ what: text }) }, pause);
	}

	suppress(list: string[]): Promise<void> {
		return this.run("Importing suppressions", list, async (some) =>
			(await this.ask(some.map((text) => (text.includes("@") ? { email: text } : { domain: text })))).map(
				({ outcome, refusal }) => ({
					outcome,
					refused: refusal ? { pointer: refusal.fields[0]?.pointer ?? "", reason: refusal.message } : undefined,
				}),
			),
		);
	}
}
