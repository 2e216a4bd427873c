interface Mail {
	id: string;
	at: string;
}
/** Mails of a conversation, newest first; of two with one id the later is shown. more reports whether there are older ones. */
export interface Listed<M> {
	mails: M[];
	more: boolean;
}

/**
 * The mails of several lists in one, newest last. Where a list has more mails, those of the other lists that are
 * older than its last one are left out: one that is not loaded may belong between them.
 */
export function threadOf<M extends Mail>(lists: Listed<M>[]): M[] {
	const from =
		lists
			.map(({ mails, more }) => (more ? (mails.at(-1)?.at ?? "") : ""))
			.sort()
			.at(-1) ?? "";
	const mails = new Map(lists.flatMap((list) => list.mails).map((mail) => [mail.id, mail]));
	return [...mails.values()].filter(({ at }) => at >= from).sort((a, b) => a.at.localeCompare(b.at));
}
