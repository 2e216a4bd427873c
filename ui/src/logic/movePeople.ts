import { count, plural } from "./format";

/** The counts of a campaign by status. */
export interface StatusCount<S extends string = string> {
	status: S;
	prospects: number;
}
interface Enrolled {
	id: string;
	status: string;
}

/** The counts after some people went from one status to another; a status that none has is left out. */
export function recount<S extends string>(counts: StatusCount<S>[], moves: [from: S, to: S][]): StatusCount<S>[] {
	const by = new Map(counts.map(({ status, prospects }) => [status, prospects]));
	for (const [from, to] of moves) {
		if (from === to || !by.get(from)) continue;
		by.set(from, (by.get(from) ?? 0) - 1);
		by.set(to, (by.get(to) ?? 0) + 1);
	}
	return [...by].filter(([, prospects]) => prospects > 0).map(([status, prospects]) => ({ status, prospects }));
}

/** The rows of a list of one status, or of any, after some were changed: those of another status leave it. */
export function moveRows<N extends Enrolled>(
	rows: N[],
	changed: Map<string, N>,
	status: string | null | undefined,
): N[] {
	if (!rows.some(({ id }) => changed.has(id))) return rows;
	return rows.flatMap((row) => {
		const now = changed.get(row.id);
		if (!now) return [row];
		return status && now.status !== status ? [] : [{ ...row, ...now }];
	});
}

/** How many people a filter shows of how many there are. */
export const foundText = (found: number, all: number) => `${count(found)} of ${plural(all, "person", "people")}`;
