interface Waits {
	id: string;
}

/** The replies that are shown first: the positive ones, then the newest of the others. Both lists are newest first. */
export function firstToAnswer<R extends Waits>(positive: R[], newest: R[], most: number): R[] {
	const others = newest.filter((reply) => !positive.some(({ id }) => id === reply.id));
	return [...positive, ...others].slice(0, most);
}

/** How much of a text is looked at for its line. */
const ENOUGH = 400;

/** What a person wrote, on one line; the subject if the mail has no text. */
export function inOneLine({ text, subject }: { text: string; subject?: string | null }): string {
	return text.slice(0, ENOUGH).replace(/\s+/g, " ").trim() || (subject ?? "");
}
