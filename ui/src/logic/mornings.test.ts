import { expect, test } from "vitest";
import { nextMonday, tomorrow } from "./mornings";

test.each([
	["2026-11-26T13:05", "2026-11-27T08:00", "2026-11-30T08:00"], // a Thursday
	["2026-11-29T00:00", "2026-11-30T08:00", "2026-11-30T08:00"], // a Sunday
	["2026-11-30T07:00", "2026-12-01T08:00", "2026-12-07T08:00"], // a Monday
])("from %s on", (now, next, monday) => {
	expect(tomorrow(new Date(now))).toEqual(new Date(next));
	expect(nextMonday(new Date(now))).toEqual(new Date(monday));
});
