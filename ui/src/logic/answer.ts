/** Returns the subject of an answer: "Re: " and the subject of the mail, without a second "Re: ". */
export function answerSubject(subject: string | null | undefined): string {
	const about = subject?.trim() ?? "";
	return /^re:/i.test(about) ? about : `Re: ${about}`.trim();
}

/** Returns a text as HTML shows it. */
export const asHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const VARIABLE = /\{\{-?\s*([A-Za-z_][\w.]*)\s*(?:\|\s*default:\s*(?:"([^"]*)"|'([^']*)'))?\s*-?\}\}/g;

/** Fills the variables of a snippet with the values of a prospect. A variable without a value and a default stays. */
export function fill(html: string, values: Record<string, unknown>): string {
	return html.replaceAll(VARIABLE, (whole, name: string, double?: string, single?: string) => {
		const value = values[name];
		const text =
			value === null || value === undefined || String(value).trim() === "" ? (double ?? single) : String(value);
		return text === undefined ? whole : asHtml(text);
	});
}

/** Returns why an answer cannot be sent as it is, null if it can. later is a local time, "" for at once. */
export function unsendable(html: string, asksLater: boolean, later: string, now: number): string | null {
	const left = unfilled(html);
	if (left) return `Fill in ${left} first: answers are sent as they are.`;
	if (!html.replaceAll(/<[^>]*>/g, "").trim()) return "Write something first.";
	if (asksLater && !later) return "Choose when to send, or turn off Send later.";
	return later && new Date(later).getTime() <= now ? "Choose a time that is not over." : null;
}

/** Returns the first variable that a text still holds; null without one. */
export function unfilled(html: string): string | null {
	return /\{\{.*?\}\}/.exec(html)?.[0] ?? null;
}
