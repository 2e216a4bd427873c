import { describe, expect, it } from "vitest";
import { nextForRecord, ratesOver, standingOf, tally, type Verdict, worstFirst } from "./deliverability";

const box = {
	status: "connected" as const,
	lastError: null,
	authError: null,
	rampUp: null,
	limitToday: 50,
	dailyLimit: 50,
	sentToday: 3,
};

describe("how a mailbox stands", () => {
	it.each<[string, Parameters<typeof standingOf>, Verdict, RegExp]>([
		["well", [box], "pass", /^$/],
		[
			"without a grant",
			[{ ...box, status: "error", authError: "Google no longer accepts us.", lastError: "x" }],
			"fail",
			/^Google/,
		],
		["in error", [{ ...box, status: "error", lastError: "imap: refused" }], "fail", /^imap: refused$/],
		["paused for its bounces", [{ ...box, status: "paused", lastError: "9 of 60 came back" }], "fail", /^9 of 60/],
		["paused by a person", [{ ...box, status: "paused" }], "idle", /^Paused by a person\.$/],
		["near a bound", [box, "4 of 95 messages came back."], "warn", /^4 of 95/],
		["with a message that was refused", [{ ...box, lastError: "550 blocked" }], "warn", /^550 blocked$/],
		["in spam", [box, null, { status: "arrived", folder: "junk" }], "warn", /spam folder/],
		["lost", [box, null, { status: "missing", folder: null }], "warn", /did not arrive/],
		["in the inbox", [box, null, { status: "arrived", folder: "inbox" }], "pass", /^$/],
		[
			"ramping up",
			[{ ...box, limitToday: 10, rampUp: { start: 10, increase: 5 } }],
			"pass",
			/^Ramping up: 5 more .* up to 50\.$/,
		],
		["used up", [{ ...box, sentToday: 50 }], "pass", /limit is used up/],
	])("is told %s", (_, given, verdict, why) => {
		const standing = standingOf(...given);
		expect(standing.verdict).toBe(verdict);
		expect(standing.why).toMatch(why);
	});
	it("says that nothing is sent, and until when", () => {
		expect(standingOf({ ...box, status: "error" }).next).toBe("Nothing is sent until the error is corrected.");
		expect(standingOf({ ...box, status: "paused" }).next).toBe("Nothing is sent until the mailbox is resumed.");
		expect(standingOf(box).next).toBe("");
	});
});

describe("what to do about a record", () => {
	const publish = [{ type: "TXT", name: "x.test", value: "v=spf1 -all" }];
	it.each([
		["SPF", "pass", publish, /^$/],
		["SPF", "fail", publish, /^Publish the record below/],
		["SPF", "unknown", [], /^Check again/],
		["DMARC", "none", [], /^Correct the record/],
		["DKIM", "unknown", [], /placement check to a mailbox of another domain/],
		["DKIM", "fail", [], /^Turn on DKIM/],
	] as const)("%s with the result %s", (name, result, records, want) =>
		expect(nextForRecord(name, { result, publish: [...records] })).toMatch(want),
	);
});

describe("the worst first", () => {
	it("keeps the order of those that stand alike", () =>
		expect(worstFirst(["pass a", "warn", "fail", "pass b", "idle"], (one) => one.split(" ")[0] as Verdict)).toEqual([
			"fail",
			"warn",
			"idle",
			"pass a",
			"pass b",
		]));
	it("is told in numbers", () => {
		expect(tally(["pass", "fail", "pass", "warn"])).toBe("1 fails, 1 warns, 2 pass");
		expect(tally(["idle", "pass"])).toBe("1 is paused, 1 passes");
		expect(tally([])).toBe("");
	});
});

describe("the rate over seven days", () => {
	const days = [...Array(9).keys()].map((n) => ({
		attempted: 10,
		bounced: n === 8 ? 7 : 0,
		complained: n === 0 ? 1 : 0,
	}));
	it("begins with the seventh day and forgets what is older", () => {
		expect(ratesOver(days, "bounced")).toEqual([0, 0, 0.1]);
		expect(ratesOver(days, "complained")).toEqual([1 / 70, 0, 0]);
	});
	it("is nothing where nothing was sent", () =>
		expect(
			ratesOver(
				days.map((day) => ({ ...day, attempted: 0 })),
				"bounced",
			),
		).toEqual([null, null, null]));
});
