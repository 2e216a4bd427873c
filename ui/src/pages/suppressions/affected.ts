import { request } from "../../api";
import {
	type EnrollmentFieldsFragment,
	EnrollmentsDocument,
	ResumeEnrollmentDocument,
	UndoSuppressionsDocument,
} from "../../gql/generated";
import { type Made, undoChunks } from "../../logic/undoChunks";

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
