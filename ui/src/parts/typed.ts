// What a user typed and the server does not have yet. It is kept on this device, for each user apart, so it
// outlives a reload, a closed tab and a browser that dies. Nothing secret belongs here.

const FORMS = "outreach.draft.";
const ANSWERS = "outreach.answer.";

/** The keys of a form and of the answer to a reply. */
export const formKey = (userId: string, form: string) => `${FORMS}${userId}.${form}`;
export const answerKey = (userId: string, replyId: string) => `${ANSWERS}${userId}.${replyId}`;

/** Returns what was kept, or null. */
export function readTyped<T>(key: string): T | null {
	try {
		return JSON.parse(localStorage.getItem(key) ?? "null") as T | null;
	} catch {
		return null;
	}
}

export function keepTyped(key: string, typed: unknown): void {
	try {
		localStorage.setItem(key, JSON.stringify(typed));
	} catch {
		// The storage is full: what was typed stays in the page.
	}
}

export const dropTyped = (key: string) => localStorage.removeItem(key);

/** Forgets the forms of all users, for one who signs out. Answers stay until the server has them. */
export function forgetForms(): void {
	for (const key of Object.keys(localStorage)) if (key.startsWith(FORMS)) localStorage.removeItem(key);
}
