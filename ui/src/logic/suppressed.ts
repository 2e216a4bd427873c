import { plural } from "./format";

interface Suppression {
	email?: string | null;
	domain?: string | null;
	reason: string;
}

/** What a suppression is of: the address, or everyone at the domain. */
export const targetOf = (s: Pick<Suppression, "email" | "domain">) => s.email ?? `Everyone at ${s.domain}`;

/** Whether a new suppression belongs into a list with these filters. */
export function fits(
	s: Suppression,
	filters: { reason?: string | null; email?: string | null; domain?: string | null },
): boolean {
	const is = (wanted: string | null | undefined, value: string | null | undefined) =>
		!wanted || wanted.replace(/^@/, "").toLowerCase() === value?.toLowerCase();
	return is(filters.reason, s.reason) && is(filters.email, s.email) && is(filters.domain, s.domain);
}

/** The message after a suppression; people is how many at the domain were stopped, if it was counted. */
export function suppressedText(
	s: Suppression,
	{ created, people, enrollments }: { created: boolean; people: number | null; enrollments: number },
): string {
	if (!created) return `${targetOf(s)} ${s.email ? "is" : "was"} suppressed already.`;
	if (enrollments === 0) return `${targetOf(s)} suppressed.`;
	const of = people ? ` of ${plural(people, "person", "people")}` : "";
	return `${targetOf(s)} suppressed. ${plural(enrollments, "enrollment")}${of} stopped.`;
}
