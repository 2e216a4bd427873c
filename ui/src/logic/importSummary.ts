import { leftOutRows } from "./csv";
import type { Importer, Outcome } from "./importer";
import type { Refused, WorkState } from "./work";

/** The result of an import, kept in the tab, also after a reload. */
export interface Summary {
	file: string;
	/** Rows of the file, and those that were sent. */
	rows: number;
	done: number;
	created: number;
	updated: number;
	unchanged: number;
	seconds: number;
	stopped: boolean;
	createdSince: string | null;
	errors: number;
	/** The first errors, for the page. */
	refused: Refused[];
	/** The rows with errors as they are in the file, for the download. */
	csv: unknown[][];
}

const STORE = "outreach.import";
/** More rows with errors than this are kept only in the page, because the storage of a tab is a few megabytes. */
const MOST = 5_000;
export const SHOWN = 8;

export function summaryOf(state: WorkState<Outcome>, { plan, createdSince }: Importer): Summary | null {
	if (!plan) return null;
	const { created = 0, updated = 0, unchanged = 0 } = state.counts;
	return {
		file: plan.sheet.name,
		rows: plan.sheet.rows.length,
		done: state.done,
		created,
		updated,
		unchanged,
		seconds: (state.finishedAt - state.startedAt) / 1000,
		stopped: state.stopped,
		createdSince,
		errors: state.refused.length,
		refused: state.refused.slice(0, SHOWN),
		csv: leftOutRows(state.refused, plan.sheet),
	};
}

export function keepSummary(summary: Summary | null): void {
	if (!summary) sessionStorage.removeItem(STORE);
	else sessionStorage.setItem(STORE, JSON.stringify({ ...summary, csv: summary.csv.slice(0, MOST + 1) }));
}

export function keptSummary(): Summary | null {
	try {
		return JSON.parse(sessionStorage.getItem(STORE) ?? "null") as Summary | null;
	} catch {
		return null;
	}
}
