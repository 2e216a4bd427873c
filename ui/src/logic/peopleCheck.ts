import type { PeopleCheckFieldsFragment } from "../gql/generated";
import { plural } from "./format";
import { passes } from "./passes";

export type PeopleCheck = PeopleCheckFieldsFragment;
export type Finding = PeopleCheck["findings"][number];

/** Adds up the checks of parts: the same cause once, most people first. */
export function sumChecks(parts: PeopleCheck[]): PeopleCheck {
	const findings = new Map<string, Finding>();
	for (const finding of parts.flatMap((part) => part.findings)) {
		const key = JSON.stringify([finding.cause, finding.variable, finding.detail]);
		const had = findings.get(key);
		findings.set(key, had ? { ...had, people: [...had.people, ...finding.people] } : finding);
	}
	return {
		people: parts.reduce((sum, { people }) => sum + people, 0),
		ready: parts.reduce((sum, { ready }) => sum + ready, 0),
		findings: [...findings.values()].sort((a, b) => b.people.length - a.people.length),
	};
}

/** Asks for the parts of a check one after the other; what will pass by itself is asked for again. */
export async function checkAll(
	ask: (after: string | null, signal: AbortSignal) => Promise<{ check: PeopleCheck; next: string | null }>,
	signal: AbortSignal,
	wait = 2_000,
): Promise<PeopleCheck> {
	const parts: PeopleCheck[] = [];
	for (let after: string | null = null, attempt = 0; ; ) {
		try {
			const { check, next } = await ask(after, signal);
			parts.push(check);
			attempt = 0;
			if (next === null) return sumChecks(parts);
			after = next;
		} catch (error) {
			if (signal.aborted || !passes(error, attempt++)) throw error;
			await new Promise((resolve) => setTimeout(resolve, wait));
		}
	}
}

const goesOn: Finding["cause"][] = ["missing", "content", "had_steps", "contact_gap"];

/** Whether a finding refuses the person, rather than holding or delaying a step, or telling which is next. */
export const refuses = ({ cause }: Finding) => !goesOn.includes(cause);

/** Says what a finding means; enrolled people lose their enrollment by a refusal. */
export function findingText({ cause, variable, detail, people }: Finding, enrolled: boolean): string {
	const who = (one: string, more: string) => plural(people.length, `person ${one}`, `people ${more}`);
	const end = enrolled ? ": nothing more is sent" : ": refused";
	switch (cause) {
		case "enrolled":
			return `${who("is", "are")} in the campaign already`;
		case "suppressed":
			return `${who("is", "are")} suppressed${end}`;
		case "unsubscribed":
			return `${who("has", "have")} unsubscribed${end}`;
		case "bounced":
			return `${who("has an address", "have addresses")} that bounced${end}`;
		case "replied":
			return `${who("has", "have")} replied${end}`;
		case "company_replied":
			return `${who("has a colleague", "have colleagues")} who replied${end}`;
		case "missing":
			return `${who("has", "have")} no ${variable} and would be held`;
		case "content":
			return `${who("would", "would")} be held: ${detail}`;
		case "had_steps":
			return `${who("was", "were")} in this campaign before: step ${detail} is next`;
		case "had_all":
			return `${who("was", "were")} in this campaign before and got every step: nothing is sent`;
		case "contact_gap":
			return `${who("gets", "get")} the step later: another campaign wrote a short time ago`;
	}
}
