/** One page of a list, newest first. */
export interface Page<N> {
	nodes: N[];
	nextCursor?: string | null;
}
/** The pages that were read, each with the cursor that it was requested with. */
export interface Pages<N> {
	pages: Page<N>[];
	pageParams: (string | null)[];
}
interface Row {
	id: string;
}

/**
 * Merges a new page, requested with the cursor after, into the pages read
 * before. It replaces all rows from the cursor to its last row. Those
 * after it stay as a separate page that begins after it, so that each
 * page can be refetched. If the two do not overlap (too much is new),
 * the last page is replaced and any other is not changed: slightly old rows are
 * better than losing the reader's place.
 */
export function mergePage<N extends Row>(old: Pages<N>, after: string | null, fresh: Page<N>, size: number): Pages<N> {
	const from = old.pageParams.indexOf(after);
	const to = from < 0 ? null : meeting(old, from, fresh);
	if (!to) return old; // the pages changed meanwhile, or the cursor is unknown
	const pages = [...old.pages.slice(0, from), fresh],
		pageParams = old.pageParams.slice(0, from + 1);
	let below = old.pages.slice(to.page + 1);
	const met = old.pages[to.page];
	const rest = met?.nodes.slice(to.row + 1) ?? [];
	const [next] = below;
	if (rest.length > 0 && next && rest.length + next.nodes.length <= size)
		below = [{ nodes: [...rest, ...next.nodes], nextCursor: next.nextCursor }, ...below.slice(1)];
	else if (rest.length > 0) below = [{ nodes: rest, nextCursor: met?.nextCursor }, ...below];
	below.forEach((page, n) => {
		pageParams.push((n === 0 ? fresh : below[n - 1])?.nextCursor ?? null);
		pages.push(page);
	});
	const merged = { pages, pageParams };
	return same(old, merged, from) ? old : merged;
}

/** The position in the old pages at which the new one ends: the last row that it replaces. */
function meeting<N extends Row>(old: Pages<N>, from: number, fresh: Page<N>): { page: number; row: number } | null {
	const end = { page: old.pages.length - 1, row: Infinity };
	if (!fresh.nextCursor) return end;
	const exact = old.pages.findIndex((page, n) => n >= from && page.nextCursor === fresh.nextCursor);
	if (exact >= 0) return { page: exact, row: Infinity };
	for (const { id } of fresh.nodes.toReversed()) {
		for (let page = from; page < old.pages.length; page++) {
			const row = old.pages[page]?.nodes.findIndex((node) => node.id === id) ?? -1;
			if (row >= 0) return { page, row };
		}
	}
	return from === end.page ? end : null;
}

function same<N>(a: Pages<N>, b: Pages<N>, from: number): boolean {
	const near = (of: Pages<N>) => JSON.stringify([of.pages.slice(from, from + 2), of.pageParams.slice(from, from + 2)]);
	return a.pages.length === b.pages.length && near(a) === near(b);
}

/** The cursors of the pages that hold the rows first to last, at most three, and always that of the first page. */
export function inView(old: Pages<unknown> | undefined, first: number, last: number): (string | null)[] {
	const cursors: (string | null)[] = [null];
	let row = 0;
	old?.pages.forEach((page, n) => {
		const end = row + page.nodes.length;
		if (n > 0 && row <= last && end > first && cursors.length <= 3) cursors.push(old.pageParams[n] ?? null);
		row = end;
	});
	return cursors;
}
