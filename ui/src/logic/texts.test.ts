import { describe, expect, it } from "vitest";
import { markWords } from "./markWords";
import { readList } from "./suppressor";
import { insert, typing } from "./variables";

describe("markWords", () => {
	const marked = (text: string, reason: string | null) =>
		markWords(text, reason)
			.filter((piece) => piece.marked)
			.map((piece) => piece.text);
	it("finds what the reason quotes, in any case and over line ends", () =>
		expect(marked("That Sounds\ngood. OK", "Says “sounds good”.")).toEqual(["Sounds\ngood"]));
	it("marks nothing without a quotation or without the words", () => {
		expect(marked("hello", "A question.")).toEqual([]);
		expect(marked("hello", 'Says "bye now".')).toEqual([]);
	});
	it("reads the ellipsis as words between, and any apostrophe", () => {
		expect(marked("I am not at all interested.", 'declines: "not … interested"')).toEqual(["not at all interested"]);
		expect(marked("Yes, let’s do it. Sounds good", 'shows interest: "let\'s do it", "sounds good"')).toEqual([
			"let’s do it",
			"Sounds good",
		]);
	});
	it("keeps every character", () =>
		expect(
			markWords("a (b) a", 'Says "(b)".')
				.map((piece) => piece.text)
				.join(""),
		).toBe("a (b) a"));
});

describe("variables", () => {
	it.each([
		["Hi {{ fir", 9, "fir"],
		["Hi {{", 5, ""],
		["Hi {{ a }} b", 12, null],
		["no", 2, null],
		["{{ a | default", 14, null],
	] as const)("%s at %d", (text, caret, want) => expect(typing(text, caret)).toBe(want));
	it("completes what was begun, and adds where nothing was", () => {
		expect(insert("Hi {{ fi, you", 8, "first_name")).toEqual({ text: "Hi {{ first_name }}, you", caret: 19 });
		expect(insert("Hi {{ fi }}", 8, "first_name")).toEqual({ text: "Hi {{ first_name }}", caret: 19 });
		expect(insert("ab", 1, "email").text).toBe("a{{ email }}b");
	});
});

it("reads addresses and domains from lines and from the first column", () =>
	expect(readList('a@x.example, note\n"B.example"\n@c.example\nheader\n\na@x.example')).toEqual([
		"a@x.example",
		"b.example",
		"c.example",
	]));
