import { passes } from "./passes";

type Page<N> = { nodes: N[]; nextCursor?: string | null };

/** Reads a list page by page to its end or up to a number of rows, and reports the number of rows so far. */
export async function findAll<N extends { id: string }>(
	ask: (after: string | null, signal: AbortSignal) => Promise<Page<N>>,
	tell: (found: number) => void,
	signal: AbortSignal,
	{ wait = 2_000, most = Infinity } = {},
): Promise<N[]> {
	const found = new Map<string, N>();
	for (let after: string | null = null, attempt = 0; ; ) {
		let page: Page<N>;
		try {
			page = await ask(after, signal);
		} catch (error) {
			if (signal.aborted || !passes(error, attempt++)) throw error;
			await new Promise((resolve) => setTimeout(resolve, wait));
			continue;
		}
		attempt = 0;
		for (const person of page.nodes) found.set(person.id, person);
		tell(found.size);
		if (!page.nextCursor || found.size >= most) return [...found.values()];
		after = page.nextCursor;
	}
}
