import { describe, expect, it } from "vitest";
import { namedDays, niceTop } from "./columns";

describe("the top of a scale", () => {
	it.each([
		[0, 2],
		[2, 2],
		[3, 4],
		[9, 10],
		[11, 20],
		[49, 60],
		[100, 100],
		[101, 200],
		[12_345, 20_000],
	])("above %i is %i", (most, top) => expect(niceTop(most)).toBe(top));
	it("is at least what is asked for", () => expect(niceTop(1, 10)).toBe(10));
});

describe("the named days", () => {
	const days = (first: string, many: number) =>
		[...Array(many).keys()].map((n) => new Date(Date.parse(first) + n * 86_400_000).toISOString().slice(0, 10));
	it("are the Mondays", () => expect(namedDays(days("2026-10-30", 28))).toEqual([3, 10, 17, 24]));
	it("leave out a Monday at the end", () => expect(namedDays(days("2026-11-10", 28))).toEqual([6, 13, 20]));
	it("are none without days", () => expect(namedDays([])).toEqual([]));
});
