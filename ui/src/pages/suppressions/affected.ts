import { request } from "../../api";
import { EnrollmentsDocument, ResumeEnrollmentDocument } from "../../gql/generated";

/** How many requests are on their way at once. */
const SIDE_BY_SIDE = 8;

/** The enrollments of prospects that are active, held or paused. */
export async function runningOf(prospectIds: string[]): Promise<string[]> {
	const lists = await sideBySide(prospectIds, async (prospectId) => {
		const { enrollments } = await request(EnrollmentsDocument, { first: 100, prospectId });
		return enrollments.nodes.filter(({ status }) => status === "active" || status === "held" || status === "paused");
	});
	return lists.flat().map(({ id }) => id);
}

/** Resumes enrollments and says how many could be. */
export async function resumeAll(ids: string[]): Promise<number> {
	return (await doneOf(ids, (id) => request(ResumeEnrollmentDocument, { id }))).length;
}

/** Does the same for each, a few at once, and returns those for which it did not fail. */
export async function doneOf(ids: string[], act: (id: string) => Promise<unknown>): Promise<string[]> {
	const done = await sideBySide(ids, (id) =>
		act(id).then(
			() => id,
			() => null,
		),
	);
	return done.filter((id) => id !== null);
}

/** Does the same for each, a few at once. */
export async function sideBySide<T, R>(all: T[], act: (one: T) => Promise<R>): Promise<R[]> {
	const results: R[] = [];
	for (let from = 0; from < all.length; from += SIDE_BY_SIDE)
		results.push(...(await Promise.all(all.slice(from, from + SIDE_BY_SIDE).map(act))));
	return results;
}
