import { request } from "../../api";
import { EnrollmentsDocument, ProspectsDocument, ResumeEnrollmentDocument } from "../../gql/generated";
import { findAll } from "../../logic/findAll";

/** The most prospects whose enrollments are counted. */
const MOST = 500;
/** How many requests are on their way at once. */
const SIDE_BY_SIDE = 8;

export interface Affected {
	/** The prospects at the address or domain. */
	people: number;
	more: boolean;
	/** Their enrollments that are active, held or paused. */
	running: string[];
}

/** Returns the people and enrollments that suppressing an address or a domain stops. */
export async function affectedBy(text: string, isDomain: boolean): Promise<Affected> {
	const wanted = text.toLowerCase();
	// A domain covers its subdomains too.
	const matches = (email: string) =>
		isDomain ? `.${email.toLowerCase().split("@").pop()}`.endsWith(`.${wanted}`) : email.toLowerCase() === wanted;
	const found = await findAll(
		async (after, signal) =>
			(await request(ProspectsDocument, { first: 100, after, search: wanted }, signal)).prospects,
		() => undefined,
		new AbortController().signal,
		{ most: MOST },
	);
	const people = found.filter(({ email }) => matches(email));
	const inSequence = people.filter(({ status }) => status === "in_sequence" || status === "paused");
	return {
		people: people.length,
		more: found.length >= MOST,
		running: await runningOf(inSequence.map(({ id }) => id)),
	};
}

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
