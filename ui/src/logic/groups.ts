import { NO_MATCH, rank } from "./rank";

/** The groups of the palette, in the order in which they stand where none matches better than another. */
export const GROUPS = ["Recent", "Go to", "People", "Companies", "Campaigns", "Actions", "Settings"] as const;
export type Group = (typeof GROUPS)[number];

interface Target {
	group: Group;
	to?: string;
	label: string;
	/** Other words by which it is found. */
	also?: string;
}

/**
 * The targets below the headings of their groups, each once. With a text the group with the best match is first,
 * and in each group the best match; without one they keep their order.
 */
export function grouped<T extends Target>(all: T[], typed: string): [Group, T[]][] {
	const seen = new Set<string>();
	const once = all.filter(({ to, label }) => {
		const key = `${to ?? ""} ${label}`;
		return !seen.has(key) && seen.add(key);
	});
	const order = ({ label, also }: T) => (typed ? rank(label, typed, also) : NO_MATCH);
	const best = (items: T[]) => Math.min(...items.map(order));
	return GROUPS.map((group): [Group, T[]] => [
		group,
		once.filter((target) => target.group === group).sort((a, b) => order(a) - order(b)),
	])
		.filter(([, items]) => items.length > 0)
		.sort(([, a], [, b]) => best(a) - best(b));
}
