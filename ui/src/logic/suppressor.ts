import type { BulkSuppressionsMutation, SuppressionInput } from "../gql/generated";
import { Work } from "./work";

type Answer = BulkSuppressionsMutation["bulkSuppressions"];
export type SuppressOutcome = Answer["results"][number]["outcome"];

/** The addresses and domains of a pasted text: one per line, or the first column of a CSV file. */
export function readList(text: string): string[] {
	const cells = text
		.split(/\r?\n/)
		.map((line) => (line.split(/[,;\t]/)[0] ?? "").trim().replace(/^"|"$/g, "").replace(/^@/, ""));
	return [...new Set(cells.filter((cell) => cell.includes(".") && !/\s/.test(cell)).map((cell) => cell.toLowerCase()))];
}

/** Suppresses many. Repeated entries count as suppressed already. */
export class Suppressor extends Work<string, SuppressOutcome> {
	/** How many enrollments the suppressions stopped so far. */
	enrollmentsStopped = 0;

	constructor(
		private readonly ask: (suppressions: SuppressionInput[]) => Promise<Answer>,
		pause?: (ms: number) => Promise<void>,
	) {
		super({ href: "/suppressions/import", unit: "entry", name: (text) => ({ what: text }) }, pause);
	}

	suppress(list: string[]): Promise<void> {
		if (!this.busy) this.enrollmentsStopped = 0;
		return this.run("Importing suppressions", list, async (some) => {
			const { results, stopped } = await this.ask(
				some.map((text) => (text.includes("@") ? { email: text } : { domain: text })),
			);
			this.enrollmentsStopped += stopped;
			return results.map(({ outcome, refusal }) => ({
				outcome,
				refused: refusal ? { pointer: refusal.fields[0]?.pointer ?? "", reason: refusal.message } : undefined,
			}));
		});
	}
}
