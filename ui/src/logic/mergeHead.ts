/** One page of a list, newest first. */
export interface Page<N> { nodes: N[]; nextCursor?: string | null }
interface Pages<N> { pages: Page<N>[]; pageParams: (string | null)[] }

/**
 * Lays a fresh first page over pages read before. Rows after the fresh page's
 * last one stay where they are; those before it are what the fresh page says.
 * When that last row is not among the known ones (so much is new that the two
 * do not meet), a list of one page is replaced and a longer one left alone:
 * better a little old than losing the reader's place.
 */
export function mergeHead<N extends { id: string }>(old: Pages<N>, fresh: Page<N>): Pages<N> {
  const single = { pages: [fresh], pageParams: [null] };
  if (!fresh.nextCursor) return same(old, single) ? old : single;
  const last = fresh.nodes.at(-1);
  if (!last) return old;
  const at = old.pages.findIndex((page) => page.nodes.some(({ id }) => id === last.id));
  if (at < 0) return old.pages.length <= 1 ? single : old;
  const meeting = old.pages[at]!;
  const rest = meeting.nodes.slice(meeting.nodes.findIndex(({ id }) => id === last.id) + 1);
  const first = { nodes: [...fresh.nodes, ...rest], nextCursor: rest.length > 0 || at > 0 ? meeting.nextCursor : fresh.nextCursor };
  const merged = { pages: [first, ...old.pages.slice(at + 1)], pageParams: [null, ...old.pageParams.slice(at + 1)] };
  return same(old, merged) ? old : merged;
}

/** Whether nothing changed; compares the first pages, which is where news comes. */
function same<N>(a: Pages<N>, b: Pages<N>): boolean {
  return a.pages.length === b.pages.length && JSON.stringify(a.pages[0]) === JSON.stringify(b.pages[0]);
}
