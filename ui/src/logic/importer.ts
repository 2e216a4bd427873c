import type { BulkProspectsMutation, OnExisting, ProspectInput } from "../gql/generated";
import type { Mapping } from "./csv";
import { type Refused, type Verdict, Work } from "./work";

type Result = BulkProspectsMutation["bulkProspects"]["results"][number];
export interface ImportRow {
	row: number;
	input: ProspectInput;
}
/** A file that was read. numbers holds the line of each row, faults the likely problems. */
export interface Sheet {
	name: string;
	file: File;
	encoding: string;
	headers: string[];
	rows: Record<string, string>[];
	numbers: number[];
	faults: string[];
}
/** A file, the meaning of its columns, the rows to import, and those left out before the import. */
export interface ImportPlan {
	sheet: Sheet;
	mapping: Mapping;
	onExisting: OnExisting;
	rows: ImportRow[];
	refused: Refused[];
}
export type Outcome = "created" | "updated" | "unchanged" | "refused";
export type Ask = (prospects: ProspectInput[], onExisting: OnExisting, dryRun: boolean) => Promise<Result[]>;

/**
 * Runs the dry run and the import of a plan. Sending a chunk again does no
 * harm: addresses are unique, so rows that were stored count as existing.
 */
export class Importer extends Work<ImportRow, Outcome> {
	plan: ImportPlan | null = null;
	dryRun = false;
	/** The prospects of the sent rows that are in the workspace now. */
	people: { id: string; email: string }[] = [];
	/** When the first of them was created; null while none was. */
	createdSince: string | null = null;

	constructor(
		private readonly ask: Ask,
		pause?: (ms: number) => Promise<void>,
	) {
		super(
			{ href: "/prospects/import", unit: "row", name: ({ row, input }) => ({ row, what: input.email ?? "" }) },
			pause,
		);
	}

	/** Reports the effect of an import without storing anything. */
	tryOut(plan: ImportPlan): Promise<void> {
		return this.begin(plan, true, `Checking ${plan.sheet.name}`);
	}

	/** Imports the rows. Rows that the dry run refused are not sent again. */
	store(plan: ImportPlan): Promise<void> {
		const judged = this.plan === plan && this.dryRun ? this.read().refused : plan.refused;
		const out = new Set(judged.map(({ row }) => row));
		const rows = plan.rows.filter(({ row }) => !out.has(row));
		return this.begin({ ...plan, rows, refused: judged }, false, `Importing ${plan.sheet.name}`);
	}

	private begin(plan: ImportPlan, dryRun: boolean, title: string): Promise<void> {
		Object.assign(this, { plan, dryRun, people: [], createdSince: null });
		return this.run(
			title,
			plan.rows,
			async (rows) => {
				const results = await this.ask(
					rows.map(({ input }) => input),
					plan.onExisting,
					dryRun,
				);
				for (const { index, prospectId, outcome } of results) {
					if (!prospectId) continue;
					this.people.push({ id: prospectId, email: rows[index]?.input.email ?? "" });
					if (outcome === "created") this.createdSince ??= timeOf(prospectId);
				}
				return results.map(verdict);
			},
			plan.refused,
		);
	}
}

function verdict({ outcome, changes, errors }: Result): Verdict<Outcome> {
	if (outcome === "invalid")
		return {
			outcome: "refused",
			refused: {
				pointer: errors.map(({ pointer }) => pointer).join(" "),
				reason: errors.map(({ detail }) => detail).join(" "),
			},
		};
	if (outcome === "created") return { outcome };
	return { outcome: outcome === "updated" && changes.length > 0 ? "updated" : "unchanged" };
}

/** The millisecond that a UUID of version 7 begins with (RFC 9562, 5.7). */
export const timeOf = (id: string): string => new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
