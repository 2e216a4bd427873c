import { expect, test } from "vitest";
import { threadOf } from "./thread";

const mails = (...hours: number[]) => hours.map((hour) => ({ id: `${hour}`, at: `2026-11-20T${hour}:00:00Z` }));
const shown = (...lists: Parameters<typeof threadOf>[0]) => threadOf(lists).map(({ id }) => Number(id));

test("the mails of all lists stand in order, the newest last, each once", () =>
	expect(shown({ mails: mails(18, 12), more: false }, { mails: mails(15, 12, 10), more: false })).toEqual([
		10, 12, 15, 18,
	]));

test("nothing older is shown than the list that has more reaches", () => {
	expect(shown({ mails: mails(18, 14), more: true }, { mails: mails(15, 12, 10), more: false })).toEqual([14, 15, 18]);
	expect(shown({ mails: [], more: false }, { mails: mails(12, 10), more: true })).toEqual([10, 12]);
});
