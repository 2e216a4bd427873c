import { expect, test } from "vitest";
import { markFound } from "./foundWords";

const marked = (text: string, search: string) =>
	markFound(text, search)
		.filter((piece) => piece.marked)
		.map((piece) => piece.text);

test.each([
	["Anna Öberg <a.keller+x@firma.de>", "oberg KELLER", ["Öberg", "keller"]],
	["Straße, Łódź and Ærø", "strasse lodz aero", ["Straße", "Łódź", "Ærø"]],
	["O\u0308berg", "öberg", ["O\u0308berg"]],
	["demos and a demo. Demonstration", "demo", ["demos", "demo", "Demonstration"]], // the last word: its beginning
	["demos and a demo on Tuesday", "demo tuesday", ["demo", "Tuesday"]], // another word: the whole of it
	["to a tone", "to", ["to"]], // two characters find no longer words
	["I would like to see a demo. Tuesday afternoon works", "demo tuesday", ["demo", "Tuesday"]],
	["会議は10時", "議 10", ["議", "10"]],
	["ﬁle ２０２６", "file 2026", ["ﬁle", "２０２６"]],
	["nothing", "other", []],
	["nothing", " - ", []],
] as const)("in %j the search %j marks", (text, search, want) => expect(marked(text, search)).toEqual(want));

test("every character is kept", () =>
	expect(
		markFound("Ä b, (ä) B!", "a b")
			.map(({ text }) => text)
			.join(""),
	).toBe("Ä b, (ä) B!"));
