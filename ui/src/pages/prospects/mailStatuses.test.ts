import { afterEach, expect, test, vi } from "vitest";
import { client, refreshGroups, refreshNews } from "../../data";
import { MailStatusesDocument, type MailStatusFieldsFragment } from "../../gql/generated";
import { changedRows, knownInView } from "./mailStatuses";

const status = (prospectId: string, reason: string): MailStatusFieldsFragment => ({
	prospectId,
	state: "waiting",
	reason,
	at: null,
	suppression: null,
});
const key = (...ids: string[]) => ["one", "MailStatuses", { ids }];
const outdated = (...ids: string[]) => client.getQueryState(key(...ids))?.isInvalidated;

afterEach(() => client.clear());

test("what is known are the answers for the rows in view, else what was known of them before", () => {
	const before = new Map(["a", "b", "c"].map((id) => [id, status(id, "old")]));
	const now = knownInView(["b", "c", "d", "e"], before, [status("c", "new"), status("d", "new"), status("z", "new")]);
	expect([...now.values()].map(({ prospectId, reason }) => `${prospectId} ${reason}`)).toEqual([
		"b old",
		"c new",
		"d new",
	]);
});

test("a row has changed if it was shown with other values", () => {
	const before = new Map([
		["a", "new"],
		["b", "in_sequence"],
		["gone", "new"],
	]);
	const now = new Map([
		["a", "new"],
		["b", "replied"],
		["added", "new"],
	]);
	expect(changedRows(before, now)).toEqual(["b"]);
});

test("the group of a changed row is fetched again, the others are not", () => {
	for (const ids of [["a", "b"], ["c"]]) client.setQueryData(key(...ids), { mailStatuses: [] });
	refreshGroups(MailStatusesDocument, ["b"]);
	expect([outdated("a", "b"), outdated("c")]).toEqual([true, false]);
});

test("the statuses are fetched again when a reply came", () => {
	vi.useFakeTimers();
	client.setQueryData(key("a"), { mailStatuses: [] });
	refreshNews();
	vi.advanceTimersByTime(1_000); // news are collected for a moment
	vi.useRealTimers();
	expect(outdated("a")).toBe(true);
});
