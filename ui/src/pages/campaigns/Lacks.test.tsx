import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { client } from "../../data";
import type { ProspectFieldsFragment } from "../../gql/generated";
import { newStep } from "../../logic/campaignDraft";
import { Lacks, OnlyNewest } from "./Lacks";
import { lacksOf, usePeople } from "./usePeople";

const step = { ...newStep(true), subject: "Hello", bodyText: "As {{ job_title }}", format: "text" as const };

/** What the server knows of n people; one has a job. */
const people = (n: number): ProspectFieldsFragment[] =>
	Array.from({ length: n }, (_, at) => ({
		id: String(at),
		email: `p${at}@x.test`,
		firstName: null,
		lastName: null,
		companyName: null,
		companyId: null,
		jobTitle: at === 0 ? "Buyer" : null,
		status: "new",
		interest: null,
		lastContactedAt: null,
		lastRepliedAt: null,
		createdAt: "2026-11-20T10:00:00Z",
		phone: null,
		website: null,
		linkedinUrl: null,
		timezone: null,
		customFields: {},
	}));

/** What the editor says below a step, in the menu of variables, and about what it does not count. */
function Said() {
	const people = usePeople("c1");
	return (
		<>
			<Lacks step={step} people={people} />
			<p>{lacksOf(people, ["email", "job_title"]).job_title}</p>
			{people?.more && <OnlyNewest campaignId="c1" save={null} />}
		</>
	);
}

function said(n: number): string {
	client.setQueryData(["all", "CampaignPeople", { campaignId: "c1" }], people(n));
	const markup = renderToStaticMarkup(
		<QueryClientProvider client={client}>
			<Said />
		</QueryClientProvider>,
	);
	return markup.replaceAll(/<[^>]*>/g, "|").replaceAll(/\|+/g, "|");
}

afterEach(() => client.clear());

test.each([
	[2, "|1| of 2 people has no |job_title| and would be held.|Fill in|1 has none|"],
	[1_000, "|999| of 1,000 people have no |job_title| and would be held.|Fill in|999 have none|"],
	[
		1_001,
		"|At least |999| people have no |job_title| and would be held.|Fill in|at least 999 have none|" +
			"Missing values are counted for the newest 1,000 people only. |Check everyone|",
	],
])("of %i people", (n, text) => expect(said(n)).toBe(text));
