import type { BulkEnrollMutation } from "../gql/generated";
import { passes, Work } from "./work";

export interface Person {
	id: string;
	email: string;
}
export type EnrolOutcome = BulkEnrollMutation["bulkEnroll"]["results"][number]["outcome"];
export type AskEnroll = (
	campaignId: string,
	prospectIds: string[],
) => Promise<BulkEnrollMutation["bulkEnroll"]["results"]>;

/** Enrols many. A chunk that is sent again finds who is in the campaign already. */
export class Enroller extends Work<Person, EnrolOutcome> {
	constructor(
		private readonly ask: AskEnroll,
		pause?: (ms: number) => Promise<void>,
	) {
		super({ href: "/prospects", unit: "prospect", name: ({ email }) => ({ what: email }) }, pause);
	}

	enrol(campaign: { id: string; name: string }, people: Person[]): Promise<void> {
		return this.run(`Enrolling in ${campaign.name}`, people, async (some) =>
			(
				await this.ask(
					campaign.id,
					some.map(({ id }) => id),
				)
			).map(({ outcome, refusal }) => ({
				outcome,
				refused: refusal ? { pointer: "", reason: refusal.message } : undefined,
			})),
		);
	}
}

type Page = { nodes: Person[]; nextCursor?: string | null };

/** Reads a list to its end, page by page, and says how many there are by now. */
export async function findAll(
	ask: (after: string | null, signal: AbortSignal) => Promise<Page>,
	tell: (found: number) => void,
	signal: AbortSignal,
	wait = 2_000,
): Promise<Person[]> {
	const found = new Map<string, Person>();
	for (let after: string | null = null, attempt = 0; ; ) {
		let page: Page;
		try {
			page = await ask(after, signal);
		} catch (error) {
			if (signal.aborted || !passes(error, attempt++)) throw error;
			await new Promise((resolve) => setTimeout(resolve, wait));
			continue;
		}
		attempt = 0;
		for (const person of page.nodes) found.set(person.id, person);
		tell(found.size);
		if (!page.nextCursor) return [...found.values()];
		after = page.nextCursor;
	}
}
