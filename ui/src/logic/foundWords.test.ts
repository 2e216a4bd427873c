import { expect, test } from "vitest";
import cases from "../../../testdata/foundwords.json"; // those of search_test.go
import { markFound } from "./foundWords";

const marked = (text: string, search: string) =>
	markFound(text, search)
		.filter((piece) => piece.marked)
		.map((piece) => piece.text);

test.each(cases)("$name", ({ text, search, marked: want }) => expect(marked(text, search)).toEqual(want));

test("every character is kept", () =>
	expect(
		markFound("Ä b, (ä) B!", "a b")
			.map(({ text }) => text)
			.join(""),
	).toBe("Ä b, (ä) B!"));
