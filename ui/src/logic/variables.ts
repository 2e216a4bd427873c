/** The text between an open "{{" and the caret; null if no variable is being typed. */
export function typing(text: string, caret: number): string | null {
	const before = text.slice(0, caret);
	const open = before.lastIndexOf("{{");
	if (open < 0) return null;
	const part = before.slice(open + 2);
	return /^\s*[\w.]*$/.test(part) ? part.trim() : null;
}

/** Inserts a variable at the caret and replaces one that was begun. Returns the text and the new caret. */
export function insert(text: string, caret: number, name: string): { text: string; caret: number } {
	const begun = typing(text, caret) !== null;
	const from = begun ? text.slice(0, caret).lastIndexOf("{{") : caret;
	const rest = begun ? text.slice(caret).replace(/^\s*\}\}/, "") : text.slice(caret);
	const put = `{{ ${name} }}`;
	return { text: text.slice(0, from) + put + rest, caret: from + put.length };
}
