import { fold } from "./format";

/** The rank of what does not match. */
export const NO_MATCH = 4;

/**
 * Ranks a label against the typed text: its start, the start of a word, any part, the beginnings of words among other
 * names of it, no match.
 */
export function rank(label: string, typed: string, also = ""): number {
	const name = fold(label),
		wanted = fold(typed);
	const at = name.indexOf(wanted);
	if (at === 0) return 0;
	if (at > 0) return name.includes(` ${wanted}`) ? 1 : 2;
	const known = ` ${name} ${fold(also)}`;
	return wanted.split(/\s+/).every((word) => known.includes(` ${word}`)) ? 3 : NO_MATCH;
}
