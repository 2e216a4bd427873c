import { expect, test } from "vitest";
import { undoChunks } from "./undoChunks";

const made = (...stopped: string[]) => stopped.map((all, n) => ({ id: `${n}`, stopped: [...all] }));

test.each([
	["nothing", [], []],
	["one without enrollments", made(""), [{ ids: ["0"], stopped: [] }]],
	[
		"each with its own enrollments",
		made("a", "b", "c"),
		[
			{ ids: ["0", "1"], stopped: ["a", "b"] },
			{ ids: ["2"], stopped: ["c"] },
		],
	],
	[
		"a domain that stopped many",
		made("abcde"),
		[
			{ ids: ["0"], stopped: ["a", "b"] },
			{ ids: [], stopped: ["c", "d"] },
			{ ids: [], stopped: ["e"] },
		],
	],
	[
		"one that does not fit whole",
		made("a", "bcd", ""),
		[
			{ ids: ["0", "1"], stopped: ["a", "b"] },
			{ ids: ["2"], stopped: ["c", "d"] },
		],
	],
] as const)("%s", (_, all, want) => expect(undoChunks([...all], 2)).toEqual(want));
