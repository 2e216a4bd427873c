import { describe, expect, it } from "vitest";
import {
	ago,
	change,
	count,
	dayAndTime,
	dayName,
	delay,
	duration,
	exact,
	fold,
	leaves,
	localTime,
	nameOf,
	plural,
	share,
	size,
	toTheMinute,
	when,
	words,
} from "./format";

const now = Date.parse("2026-11-20T12:00:00Z");

describe("ago", () => {
	it.each([
		["2026-11-20T11:59:40.000000+00:00", "just now"],
		["2026-11-20T12:00:30Z", "in a moment"],
		["2026-11-20T11:57:00.123456+00:00", "3 min. ago"],
		["2026-11-20T11:59:10Z", "1 min. ago"],
		["2026-11-20T10:00:00Z", "2 hr. ago"],
		["2026-11-19T12:00:00Z", "yesterday"],
		["2026-11-20T14:00:00Z", "in 2 hr."],
		["2025-11-20T12:00:00Z", "last yr."],
		["no time", "no time"],
		["2026-11-20T12:01:00Z", "in 1 min."],
		["2026-11-20T10:30:01Z", "1 hr. ago"],
		["2026-11-21T12:00:00Z", "tomorrow"],
		["2026-11-16T12:00:00Z", "4 days ago"],
		["2026-11-13T12:00:00Z", "last wk."],
		["2026-11-30T12:00:00Z", "next wk."],
		["2026-08-20T12:00:00Z", "3 mo. ago"],
		["2031-11-20T12:00:00Z", "in 5 yr."],
	])("%s reads %s", (at, want) => expect(ago(at, now)).toBe(want));
});

// What Intl says, which is too heavy for the first screen.
describe("dates", () => {
	const times = [
		"2026-11-20T00:05:09Z",
		"2026-02-28T12:00:00Z",
		"2024-02-29T13:59:59.999999+00:00",
		"1999-12-31T23:30:00+05:30",
	];
	const intl = (options: Intl.DateTimeFormatOptions) => (iso: string) =>
		new Intl.DateTimeFormat("en", options).format(new Date(iso)).replaceAll("\u202f", " ");
	it("read as in English", () => {
		expect(times.map(exact)).toEqual(
			times
				.map(
					intl({
						year: "numeric",
						month: "short",
						day: "numeric",
						hour: "numeric",
						minute: "2-digit",
						second: "2-digit",
						hourCycle: "h23",
						timeZoneName: "shortOffset",
					}),
				)
				.map((text) => text.replace(/GMT(\+0)?$/, "UTC")),
		);
		expect(times.map(toTheMinute)).toEqual(
			times
				.map(
					intl({
						year: "numeric",
						month: "short",
						day: "numeric",
						hour: "numeric",
						minute: "2-digit",
						hourCycle: "h23",
						timeZoneName: "shortOffset",
					}),
				)
				.map((text) => text.replace(/GMT(\+0)?$/, "UTC")),
		);
		expect(times.map((iso) => dayName(new Date(iso)))).toEqual(
			times.map(intl({ month: "short", day: "numeric", timeZone: "UTC" })),
		);
		expect(exact("no time")).toBe("no time");
	});
});

// 20 November 2026 is a Friday. Days are those of the reader.
describe("when", () => {
	const local = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
	it.each([
		[local(20, 11), "now"],
		[local(20, 15), "today at 15:00"],
		[local(21, 9), "tomorrow"],
		[local(23, 9), "on Monday"],
		[local(26, 23), "on Thursday"],
		[local(27, 9), "on Nov 27, 2026"],
	])("%s reads %s", (at, want) => expect(when(at, Date.parse(local(20, 12)))).toBe(want));
});

describe("numbers", () => {
	it.each([0, 7, 999, 1_000, 123_456, 1_234_567, -45_678])("count(%d) reads as in English", (n) =>
		expect(count(n)).toBe(n.toLocaleString("en")),
	);
	it.each([
		[1, 0, "new"],
		[0, 0, "±0 %"],
		[5, 4, "+25 %"],
		[9, 10, "−10 %"],
		[1000, 1001, "±0 %"],
		[0, 7, "−100 %"],
	])("change(%d, %d) is %s", (after, before, want) => expect(change(after, before)).toBe(want));
	it.each([
		[0, 0, "–"],
		[1, 3, "33.3 %"],
		[5, 5, "100 %"],
	])("share(%d, %d) is %s", (part, whole, want) => expect(share(part, whole)).toBe(want));
	it("counts words", () =>
		expect([plural(1, "row"), plural(1204, "row"), plural(0, "reply", "replies")]).toEqual([
			"1 row",
			"1,204 rows",
			"0 replies",
		]));
});

describe("spans", () => {
	it.each([
		[0, "at once"],
		[45, "45 min"],
		[1440, "1 day"],
		[1620, "1 day 3 h"],
		[2 * 1440 + 61, "2 days 1 h 1 min"],
	])("delay(%d) is %s", (minutes, want) => expect(delay(minutes)).toBe(want));
	it.each([
		[-3, "0 s"],
		[12.4, "12 s"],
		[60, "1 min"],
		[200, "3 min 20 s"],
		[3900, "1 h 5 min"],
		[7200, "2 h"],
	])("duration(%d) is %s", (seconds, want) => expect(duration(seconds)).toBe(want));
});

it("names a prospect by name, else by address", () => {
	expect([
		nameOf({ email: "a@x.example", firstName: "Ada", lastName: null }),
		nameOf({ email: "a@x.example" }),
	]).toEqual(["Ada", "a@x.example"]);
	expect(words("in_sequence")).toBe("In sequence");
});

it("compares texts without case and accents", () => expect(fold("Öberg, Łukasz É")).toBe("oberg, łukasz e"));

it("sizes have the largest unit that fits", () => {
	for (const [bytes, text] of [
		[0, "0 B"],
		[999, "999 B"],
		[1_000, "1 kB"],
		[999_499, "999 kB"],
		[999_500, "1.0 MB"],
		[3_440_000, "3.4 MB"],
	] as const)
		expect(size(bytes)).toBe(text);
});

it("writes a time as a field for a date and a time holds it", () =>
	expect(localTime(new Date(2026, 10, 5, 9, 7, 30))).toBe("2026-11-05T09:07"));

it.each([
	["2026-11-26T08:00", "today at 08:00"],
	["2026-11-26T23:59", "today at 23:59"],
	["2026-11-27T00:00", "tomorrow at 00:00"],
	["2026-11-30T09:05", "Mon, Nov 30 at 09:05"],
	["2027-01-01T09:00", "Jan 1, 2027 at 09:00"],
	["2026-11-25T09:00", "Nov 25, 2026 at 09:00"], // over
])("the day and time of %s", (at, want) =>
	expect(dayAndTime(new Date(at).toISOString(), new Date("2026-11-26T13:05").getTime())).toBe(want),
);

it.each([
	["2026-11-26T13:05:00", "leaves now"],
	["2026-11-26T13:05:07.200", "leaves in 8 s"],
	["2026-11-26T13:05:59", "leaves in 59 s"],
	["2026-11-26T13:06:00", "leaves today at 13:06"],
	["2026-11-30T09:00:00", "leaves Mon, Nov 30 at 09:00"],
])("an answer at %s", (at, want) =>
	expect(leaves(new Date(at).toISOString(), new Date("2026-11-26T13:05").getTime())).toBe(want),
);
