import type { BulkEnrollMutation } from "../gql/generated";
import { Work } from "./work";

export interface Person {
	id: string;
	email: string;
}
export type EnrollOutcome = BulkEnrollMutation["bulkEnroll"]["results"][number]["outcome"];
export type AskEnroll = (
	campaignId: string,
	prospectIds: string[],
) => Promise<BulkEnrollMutation["bulkEnroll"]["results"]>;

/** Enrolls many prospects. If a chunk is sent again, its prospects count as enrolled already. */
export class Enroller extends Work<Person, EnrollOutcome> {
	constructor(
		private readonly ask: AskEnroll,
		pause?: (ms: number) => Promise<void>,
	) {
		super({ href: "/prospects", unit: "prospect", name: ({ email }) => ({ what: email }) }, pause);
	}

	enroll(campaign: { id: string; name: string }, people: Person[]): Promise<void> {
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
