export interface Piece {
	text: string;
	marked: boolean;
}

/**
 * The words that a reason quotes, found again in the reply. A "…" in them stands
 * for a few words between. Words that are not in the reply are left out.
 */
export function markWords(text: string, reason: string | null | undefined): Piece[] {
	const quoted = [...(reason ?? "").matchAll(/["“„«]([^"“”„«»]{2,80})["”“»]/g)]
		.map((match) => (match[1] ?? "").trim())
		.filter(Boolean);
	if (quoted.length === 0) return [{ text, marked: false }];
	const pattern = quoted
		.sort((a, b) => b.length - a.length)
		.map((words) =>
			words
				.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
				.replace(/\s*…\s*/g, "[^]{1,60}?")
				.replace(/\s+/g, "\\s+")
				.replace(/['’]/g, "['’]"),
		)
		.join("|");
	return text
		.split(new RegExp(`(${pattern})`, "giu"))
		.map((piece, at) => ({ text: piece, marked: at % 2 === 1 }))
		.filter(({ text: piece }) => piece !== "");
}
