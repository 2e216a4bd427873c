import { describe, expect, it } from "vitest";
import { firstToAnswer, inOneLine } from "./waiting";

describe("the replies that are shown first", () => {
	const of = (ids: string) => [...ids].map((id) => ({ id }));
	const ids = (positive: string, newest: string, most: number) =>
		firstToAnswer(of(positive), of(newest), most)
			.map(({ id }) => id)
			.join("");
	it.each([
		["positive ones before newer ones", "ce", "abcde", 5, "ceabd"],
		["only as many as fit", "ce", "abcde", 3, "cea"],
		["many positive ones alone", "abcde", "abcde", 5, "abcde"],
		["positive ones that are older than the newest", "xy", "ab", 5, "xyab"],
		["nothing", "", "", 5, ""],
	] as const)("are %s", (_, positive, newest, most, want) => expect(ids(positive, newest, most)).toBe(want));
});

describe("what a person wrote", () => {
	it.each([
		["Yes,\n\n please\tcall me.  ", "Re: Hello", "Yes, please call me."],
		["  \n ", "Re: Hello", "Re: Hello"],
		["", null, ""],
	])("%j is one line", (text, subject, want) => expect(inOneLine({ text, subject })).toBe(want));
	it("is read no further than a line needs", () => expect(inOneLine({ text: "word ".repeat(900) }).length).toBe(399));
});
