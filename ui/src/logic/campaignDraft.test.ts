import { expect, it } from "vitest";
import type { CampaignFieldsFragment } from "../gql/generated";
import { adopt, checklist, differences, draftOf, inputOf, newStep, rebase } from "./campaignDraft";

const campaign: CampaignFieldsFragment = {
	id: "c",
	name: "Autumn",
	status: "draft",
	notSendingReason: null,
	timezone: "UTC",
	sendDays: ["mon"],
	sendFrom: "09:00",
	sendUntil: "17:00",
	skipDates: ["2026-12-25"],
	startsOn: null,
	endsOn: "2027-03-31",
	dailyNewLimit: 40,
	companyDailyLimit: 2,
	stopOnReply: true,
	stopCompanyOnReply: false,
	trackClicks: true,
	trackOpens: false,
	mailboxIds: ["m"],
	createdAt: "2026-11-20T12:00:00Z",
	revision: "r1",
	steps: [{ id: "s", delayMinutes: 0, subject: "Hello", bodyHtml: "<p>Hi</p>", bodyText: null }],
};
const fine = { unsaved: false, working: 1, chosen: 1, people: 3, domainVerified: true };

it("sends back what it was given, with the ids of steps", () =>
	expect(inputOf(draftOf(campaign))).toMatchObject({
		name: "Autumn",
		skipDates: ["2026-12-25"],
		startsOn: null,
		endsOn: "2027-03-31",
		dailyNewLimit: 40,
		companyDailyLimit: 2,
		steps: [{ id: "s", delayMinutes: 0, subject: "Hello", bodyHtml: "<p>Hi</p>", bodyText: null }],
	}));
it("sends a new step without an id and only the bodies that show", () => {
	const draft = draftOf(campaign);
	draft.steps.push({ ...newStep(false), format: "text", bodyText: "Again", bodyHtml: "<p>hidden</p>" });
	expect(inputOf(draft).steps?.[1]).toEqual({ delayMinutes: 4320, subject: null, bodyHtml: null, bodyText: "Again" });
});
it("is ready when all stands", () => expect(checklist(campaign, fine).every(({ ok }) => ok)).toBe(true));
it.each([
	[{ ...campaign, steps: [] }, fine, "steps"],
	[{ ...campaign, steps: [{ ...campaign.steps[0]!, subject: null }] }, fine, "steps"],
	[campaign, { ...fine, chosen: 0, working: 0 }, "mailboxes"],
	[campaign, { ...fine, unsaved: true }, "steps"],
])("stops what cannot send (%#)", (given, facts, tab) =>
	expect(
		checklist(given, facts)
			.filter(({ ok, must }) => !ok && must)
			.map((item) => item.tab),
	).toEqual([tab]),
);
it("says once that no mailbox is chosen", () =>
	expect(
		checklist(campaign, { ...fine, chosen: 0, working: 0 })
			.filter(({ ok }) => !ok)
			.map(({ text }) => text),
	).toEqual(["No mailbox selected"]));
it("only warns of an empty list and of a domain that is not verified", () =>
	expect(
		checklist(campaign, { ...fine, people: 0, domainVerified: false })
			.filter(({ ok }) => !ok)
			.map(({ must, tab }) => [must, tab]),
	).toEqual([
		[false, "people"],
		[false, "domain"],
	]));
it("keeps what was typed while it was saved, under the ids that it was stored with", () => {
	const draft = { ...draftOf(campaign), steps: [newStep(true)] };
	const stored = [{ ...campaign.steps[0]!, id: "fresh" }];
	const typed = { ...draft, steps: [{ ...draft.steps[0]!, bodyText: "typed since" }, newStep(false)] };
	adopt(draft.steps, stored);
	expect(rebase(typed, { revision: "r2", steps: stored }).revision).toBe("r2");
	expect(rebase(typed, { revision: "r2", steps: stored }).steps.map(({ id, bodyText }) => [id, bodyText])).toEqual([
		["fresh", "typed since"],
		[null, ""],
	]);
	expect(draftOf({ ...campaign, steps: stored }).steps[0]?.key).toBe(draft.steps[0]?.key);
});
it("sends no revision among the values", () => expect(inputOf(draftOf(campaign))).not.toHaveProperty("revision"));
it("makes a step again that another user removed", () =>
	expect(
		rebase(draftOf(campaign), { revision: "r2", steps: [{ id: "other" }] }).steps.map(({ id, subject }) => [
			id,
			subject,
		]),
	).toEqual([[null, "Hello"]]));
it("says where two drafts differ", () => {
	const mine = draftOf(campaign),
		[step] = mine.steps;
	expect(
		differences(mine, { ...mine, revision: "r2", steps: [{ ...step!, key: "k", id: "other", bodyText: "not shown" }] }),
	).toEqual([]);
	expect(
		differences(mine, {
			...mine,
			name: "x",
			sendUntil: "18:00",
			trackOpens: true,
			mailboxIds: [],
			steps: [{ ...step!, subject: "x" }, newStep(false)],
		}),
	).toEqual(["step 1", "step 2", "the name", "the schedule", "the rules", "the mailboxes"]);
});
