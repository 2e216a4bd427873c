import { request } from "../../api";
import { refresh, refreshWhole } from "../../data";
import {
	type EnrollmentFieldsFragment,
	EnrollmentsDocument,
	RestoreEnrollmentsDocument,
	ResumeEnrollmentDocument,
	UndoSuppressionsDocument,
} from "../../gql/generated";
import { count, plural } from "../../logic/format";
import { type Made, undoChunks } from "../../logic/undoChunks";
import { CHUNK } from "../../logic/work";
import { toast, toastError } from "../../parts/Toasts";

/** How many requests are on their way at once. */
const SIDE_BY_SIDE = 8;

/** The enrollments of prospects that are active, held or paused. */
export async function runningOf(prospectIds: string[]): Promise<EnrollmentFieldsFragment[]> {
	const lists = await sideBySide(prospectIds, async (prospectId) => {
		const { enrollments } = await request(EnrollmentsDocument, { first: 100, prospectId });
		return enrollments.nodes.filter(({ status }) => status === "active" || status === "held" || status === "paused");
	});
	return lists.flat();
}

/** Removes suppressions and restores the enrollments that they stopped. Returns how many of these stayed stopped. */
export async function undoSuppressions(made: Made[]): Promise<number> {
	let left = 0;
	for (const chunk of undoChunks(made)) {
		const { restored } = (await request(UndoSuppressionsDocument, chunk)).undoSuppressions;
		left += chunk.stopped.length - restored;
	}
	return left;
}

/** Restores enrollments that were stopped by hand, and shows how many were restored and how many were not. */
export async function undoStop(ids: string[]): Promise<void> {
	let restored = 0;
	try {
		for (let from = 0; from < ids.length; from += CHUNK) {
			const chunk = ids.slice(from, from + CHUNK);
			restored += (await request(RestoreEnrollmentsDocument, { ids: chunk })).restoreEnrollments;
		}
	} catch (error) {
		toastError(error);
	}
	const left = ids.length - restored;
	toast(`${plural(restored, "enrollment")} restored.${left > 0 ? ` ${count(left)} stayed stopped.` : ""}`);
	refreshWhole("Enrollments");
	void refresh();
}

/** Resumes enrollments and returns those that could be, as they are now. */
export const resumeAll = (ids: string[]): Promise<EnrollmentFieldsFragment[]> =>
	answersOf(ids, async (id) => (await request(ResumeEnrollmentDocument, { id })).resumeEnrollment);

/** Does the same for each, a few at once, and returns those for which it did not fail. */
export const doneOf = (ids: string[], act: (id: string) => Promise<unknown>): Promise<string[]> =>
	answersOf(ids, (id) => act(id).then(() => id));

/** Does the same for each, a few at once, and returns the results of those for which it did not fail. */
export async function answersOf<R>(ids: string[], act: (id: string) => Promise<R>): Promise<R[]> {
	const done = await sideBySide(ids, (id) =>
		act(id).then(
			(result) => [result],
			() => [],
		),
	);
	return done.flat();
}

/** Does the same for each, a few at once. */
export async function sideBySide<T, R>(all: T[], act: (one: T) => Promise<R>): Promise<R[]> {
	const results: R[] = [];
	for (let from = 0; from < all.length; from += SIDE_BY_SIDE)
		results.push(...(await Promise.all(all.slice(from, from + SIDE_BY_SIDE).map(act))));
	return results;
}
