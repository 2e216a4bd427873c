import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { pieces, Rate } from "./Rate";

const given = {
	name: "Bounces",
	value: 4,
	all: 80,
	bound: 4,
	rates: [null, 0, 0.025, 0.05],
	from: "2026-11-03",
	to: "2026-11-26",
	paused: false,
} as const;
const draw = (other: Partial<Parameters<typeof Rate>[0]>) =>
	renderToStaticMarkup(createElement(Rate, { ...given, rates: [...given.rates], ...other }));

describe("the rate of a mailbox", () => {
	it("is told in figures, with the number at which the mailbox is paused", () => {
		const html = draw({});
		expect(html).toContain("<b>5 %</b>");
		expect(html).toContain("4 of 80, paused at 4");
		expect(html).toContain('aria-label="Bounces over 7 days, Nov 3 to Nov 26: at most 5 %, now 5 %"');
	});
	it("has a line for the days with mails, and one where the mailbox is paused", () => {
		const html = draw({});
		expect(html).toMatch(/<polyline points="1,40 2,[\d.]+ 3,([\d.]+)"/);
		const end = /<polyline points="[^"]* 3,([\d.]+)"/.exec(html)?.[1];
		expect(html).toContain(`y1="${end}"`);
	});
	it("has no such line where no mail could reach it", () => expect(draw({ all: 3, bound: 8 })).not.toContain("limit"));
	it("says that there were no mails", () => {
		const html = draw({ value: 0, all: 0, rates: [null, null, null, null] });
		expect(html).toContain("<b>–</b>");
		expect(html).toContain("No mails in 7 days");
		expect(html).toContain("now no mails");
		expect(html).not.toContain("polyline");
	});
	it.each([
		["plain below half of it", { value: 1 }, "plain"],
		["a warning from half on", { value: 2 }, "warn"],
		["a warning beyond it, until the mailbox is paused", { value: 5 }, "warn"],
		["bad where it paused the mailbox", { value: 5, paused: true }, "bad"],
		["a warning in a mailbox that a person paused", { value: 2, paused: true }, "warn"],
	] as const)("is %s", (_, other, tone) => expect(draw(other)).toContain(`class="outcome ${tone}"`));
});

describe("the pieces of a line", () => {
	it("end where nothing was sent", () =>
		expect(pieces([0.1, 0.2, null, 0.3, null, 0.4])).toEqual([
			[
				[0, 0.1],
				[1, 0.2],
			],
			[
				[2.5, 0.3],
				[3.5, 0.3],
			],
			[
				[4.5, 0.4],
				[5, 0.4],
			],
		]));
});
