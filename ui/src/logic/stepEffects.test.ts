import { expect, test } from "vitest";
import { stepEffects } from "./stepEffects";

const DAY = 1440;
const now = Date.parse("2026-11-26T12:00:00Z");
const stored = [
	{ id: "a", delayMinutes: 0 },
	{ id: "b", delayMinutes: 3 * DAY },
	{ id: "c", delayMinutes: 3 * DAY },
];
const [a, b, c] = stored as [(typeof stored)[0], (typeof stored)[0], (typeof stored)[0]];
const fresh = { id: null, delayMinutes: 2 * DAY };
/** 12 people wait for the second step and 37 for the third; the second was sent, the third was not. */
const waiting = [
	{ step: 2, people: 12, since: "2026-11-25T12:00:00Z" },
	{ step: 3, people: 37, since: "2026-11-25T12:00:00Z" },
];

test.each([
	["nothing", stored, 2, [null, null, null], []],
	[
		"a longer wait",
		[a, b, { ...c, delayMinutes: 5 * DAY }],
		2,
		[null, null, "37 people get this step next, the first on Monday at the earliest."],
		[],
	],
	[
		"a wait that is over",
		[a, { ...b, delayMinutes: 60 }, c],
		2,
		[null, "12 people get this step next, the first now at the earliest.", null],
		[],
	],
	["a wait that no one has", [{ ...a, delayMinutes: 60 }, b, c], 2, ["No one waits for this step.", null, null], []],
	[
		"a step before the last",
		[a, b, fresh, c],
		2,
		[null, null, "37 people get this step next, the first tomorrow at the earliest.", null],
		[],
	],
	["a step at the end", [a, b, c, fresh], 2, [null, null, null, "49 people get this step later."], []],
	[
		"the last step removed",
		[a, b],
		2,
		[null, null],
		[
			"Step 3 is removed. 37 people who wait for it finish when it would have been due. " +
				"12 people before it will not get it.",
		],
	],
	[
		"a step removed with another behind it",
		[a, c],
		1,
		[null, "12 people get this step next, the first on Saturday at the earliest."],
		["Step 2 is removed. 12 people who wait for it get step 2 of this list instead."],
	],
	[
		"a step that was sent removed",
		[a, c],
		2,
		[null, "Step 2 has been sent: it can be edited, but not removed or moved."],
		[],
	],
	["all removed", [], 2, [], ["Step 1 has been sent: it can be edited, but not removed or moved."]],
	[
		"a step put before one that was sent",
		[fresh, a, b, c],
		2,
		["Step 1 has been sent: it can be edited, but not removed or moved.", null, null, null],
		[],
	],
	[
		"two steps changed places",
		[a, c, b],
		1,
		[
			null,
			"12 people get this step next, the first on Saturday at the earliest.",
			"37 people get this step next, the first on Saturday at the earliest.",
		],
		[],
	],
])("%s", (_, draft, lastSent, beside, removed) =>
	expect(stepEffects(stored, draft, waiting, lastSent, now)).toEqual({ beside, removed }),
);

test("one person, and people whose step was removed before", () => {
	const one = [{ step: 2, people: 1, since: "2026-11-25T12:00:00Z" }];
	const said = stepEffects([a], [a, fresh], one, 1, now);
	expect(said).toEqual({ beside: [null, "1 person gets this step next, tomorrow at the earliest."], removed: [] });
	expect(stepEffects([a, b], [a], one, 1, now).removed).toEqual([
		"Step 2 is removed. 1 person who waits for it finishes when it would have been due.",
	]);
});

test("any number can be typed as a wait", () =>
	expect(stepEffects([a, b], [a, { ...b, delayMinutes: 1e15 }], waiting, 1, now).beside[1]).toMatch(
		/, the first on Sep/,
	));
