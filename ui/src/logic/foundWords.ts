import type { Piece } from "./markWords";

/** A word of a text: as it is compared, and where it stands in the text. */
interface Word {
	word: string;
	from: number;
	to: number;
}

const LONGEST = 40; // characters of a word; the rest is left out
const SHORTEST_PREFIX = 3;
const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const letter = /[\p{L}\p{Nd}]/u;
const accent = /\p{Mn}/u;
const folded: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", ı: "i" };

/** The words of a text in their order, by the rule of search.go. testdata/foundwords.json has the cases of both. */
function wordsOf(text: string): Word[] {
	const words: Word[] = [];
	let word = "",
		length = 0,
		from = 0,
		to = 0,
		at = 0;
	const end = () => {
		if (length > 0) words.push({ word, from, to });
		word = "";
		length = 0;
	};
	for (const sign of text) {
		const next = at + sign.length;
		for (const part of sign.normalize("NFKD")) {
			if (ideograph.test(part)) {
				end();
				words.push({ word: part, from: at, to: next });
			} else if (letter.test(part)) {
				if (length === 0) from = at;
				to = next;
				if (length < LONGEST) {
					const lower = part.toLowerCase();
					word += folded[lower] ?? lower;
					length++;
				}
			} else if (accent.test(part)) {
				if (length > 0) to = next;
			} else end();
		}
		at = next;
	}
	end();
	return words;
}

/**
 * A text with the words marked that a search of the server found. The words are compared without accents and case;
 * the last word of the search also finds longer words that begin with it.
 */
export function markFound(text: string, search: string): Piece[] {
	const wanted = wordsOf(search).map(({ word }) => word);
	const last = wanted.at(-1) ?? "";
	const prefix = [...last].length >= SHORTEST_PREFIX ? last : null;
	const pieces: Piece[] = [];
	let done = 0;
	const add = (to: number, marked: boolean) => {
		if (to > done) pieces.push({ text: text.slice(done, to), marked });
		done = Math.max(done, to);
	};
	for (const { word, from, to } of wanted.length > 0 ? wordsOf(text) : [])
		if (wanted.includes(word) || (prefix !== null && word.startsWith(prefix))) {
			add(from, false);
			add(to, true);
		}
	add(text.length, false);
	return pieces;
}
