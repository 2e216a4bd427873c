import type { StepDraft } from "./campaignDraft";
import { plural, when } from "./format";

/** The people whose next step has this number, and the earliest time from which its delay counts for one of them. */
export interface Waiting {
	step: number;
	people: number;
	since: string;
}

interface Stored {
	id: string;
	delayMinutes: number;
}

/** The sentences about an edit: one beside each step of the draft that has one, and those about removed steps. */
export interface Effects {
	beside: (string | null)[];
	removed: string[];
}

type Edited = Pick<StepDraft, "id" | "delayMinutes">;

/** The time some minutes later; at most the last one that a Date can have, because any number can be typed. */
const after = (iso: string, minutes: number) =>
	new Date(Math.min(Date.parse(iso) + minutes * 60_000, 8.64e15)).toISOString();

/** The first stored step that the draft removes or moves, from 0; -1 if every one keeps its place. */
export const firstMoved = (stored: Stored[], draft: Edited[]) => stored.findIndex(({ id }, n) => draft[n]?.id !== id);

/**
 * What saving does to the people who wait, by docs/reference.md, "Edits while people wait". People wait for a number:
 * they get the step that has it after the edit, due by its delay. lastSent is the highest number that was sent: the
 * server refuses an edit that removes or moves one up to it.
 */
export function stepEffects(
	stored: Stored[],
	draft: Edited[],
	waiting: Waiting[],
	lastSent: number,
	now: number,
): Effects {
	const moved = firstMoved(stored, draft);
	if (moved >= 0 && moved < lastSent) {
		const refusal = `Step ${moved + 1} has been sent: it can be edited, but not removed or moved.`;
		const beside = draft.map((_, n) => (n === moved ? refusal : null));
		return { beside, removed: moved < draft.length ? [] : [refusal] };
	}
	const at = (number: number) => waiting.find(({ step }) => step === number);
	const before = (number: number) => waiting.reduce((sum, { step, people }) => (step < number ? sum + people : sum), 0);
	const beside = draft.map((step, n) => {
		const same = stored[n]?.id === step.id;
		if (same && stored[n]?.delayMinutes === step.delayMinutes) return null;
		const next = at(n + 1);
		if (next) {
			const due = when(after(next.since, step.delayMinutes), now);
			const who = plural(next.people, "person gets", "people get");
			return `${who} this step next, ${next.people === 1 ? "" : "the first "}${due} at the earliest.`;
		}
		if (!same && step.id) return null; // it only has another place
		const later = before(n + 1);
		return later > 0 ? `${plural(later, "person gets", "people get")} this step later.` : "No one waits for this step.";
	});
	const removed = stored.flatMap(({ id }, n) => {
		if (draft.some((step) => step.id === id)) return [];
		const here = at(n + 1)?.people ?? 0,
			later = before(n + 1),
			one = here === 1;
		const instead =
			n < draft.length
				? `${one ? "gets" : "get"} step ${n + 1} of this list instead`
				: `${one ? "finishes" : "finish"} when it would have been due`;
		const sentences = [
			...(here > 0 ? [`${plural(here, "person who waits", "people who wait")} for it ${instead}.`] : []),
			...(later > 0 ? [`${plural(later, "person", "people")} before it will not get it.`] : []),
		];
		return [`Step ${n + 1} is removed. ${sentences.join(" ") || "No one waits for it."}`];
	});
	return { beside, removed };
}
