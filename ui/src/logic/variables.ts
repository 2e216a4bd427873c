/** What stands between an open "{{" and the caret; null where no variable is being typed. */
export function typing(text: string, caret: number): string | null {
	const before = text.slice(0, caret);
	const open = before.lastIndexOf("{{");
	if (open < 0) return null;
	const part = before.slice(open + 2);
	return /^\s*[\w.]*$/.test(part) ? part.trim() : null;
}

/** Puts a variable in at the caret, in place of one begun; gives the text and where the caret goes. */
export function insert(text: string, caret: number, name: string): { text: string; caret: number } {
	const begun = typing(text, caret) !== null;
	const from = begun ? text.slice(0, caret).lastIndexOf("{{") : caret;
	const rest = begun ? text.slice(caret).replace(/^\s*\}\}/, "") : text.slice(caret);
	const put = `{{ ${name} }}`;
	return { text: text.slice(0, from) + put + rest, caret: from + put.length };
}
