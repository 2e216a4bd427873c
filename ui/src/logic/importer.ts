import type { BulkProspectsMutation, OnExisting, ProspectInput } from "../gql/generated";
import type { Mapping } from "./csv";
import { type Refused, type Verdict, Work } from "./work";

type Result = BulkProspectsMutation["bulkProspects"]["results"][number];
export interface ImportRow {
	row: number;
	input: ProspectInput;
}
/** A file as it was read: numbers says where each row stands, faults what is likely wrong with it. */
export interface Sheet {
	name: string;
	file: File;
	encoding: string;
	headers: string[];
	rows: Record<string, string>[];
	numbers: number[];
	faults: string[];
}
/** A file, what its columns become, the rows that come of it, and those left out before anything is sent. */
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
 * Takes a plan through its dry run and its import. Sending a chunk again does no
 * harm: addresses are unique, so rows that had been stored count as there already.
 */
export class Importer extends Work<ImportRow, Outcome> {
	plan: ImportPlan | null = null;
	dryRun = false;
	/** Who is in the workspace by now, of the rows sent. */
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

	/** Says what an import would do; nothing is stored. */
	tryOut(plan: ImportPlan): Promise<void> {
		return this.begin(plan, true, `Checking ${plan.sheet.name}`);
	}

	/** Imports; what a dry run of this plan refused is not sent again. */
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
