import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import type { HealthFieldsFragment } from "../../gql/generated";
import { Health } from "./Health";

vi.mock("../../parts/Time", () => ({ Time: ({ at }: { at: string }) => at }));

const days = (...counts: [attempted: number, bounced: number, complained: number][]) =>
	counts.map(([attempted, bounced, complained], n) => ({ date: `2026-11-0${n + 1}`, attempted, bounced, complained }));

const healthy: HealthFieldsFragment = {
	attempted: 70,
	bounced: 2,
	complained: 1,
	bounceBound: 4,
	complaintBound: 2,
	warning: null,
	days: days([0, 0, 0], [40, 1, 1], [10, 1, 0], [20, 0, 0]),
};

const draw = (health: Partial<HealthFieldsFragment>, paused = false) =>
	renderToStaticMarkup(createElement(Health, { health: { ...healthy, ...health }, paused }));

/** The top and the height of each column of one kind. */
const columns = (html: string, kind: string) =>
	[...html.matchAll(new RegExp(`<rect class="${kind}" y="([\\d.]+)" width="[\\d.]+" height="([\\d.]+)"`, "g"))].map(
		([, top, height]) => [Number(top), Number(height)],
	);

describe("the chart of days", () => {
	it("has a column for each day, to the scale of the largest, standing on the ground", () => {
		expect(columns(draw({}), "sent")).toEqual([
			[48, 0],
			[0, 48],
			[36, 12],
			[24, 24],
		]);
	});
	it("shows what came back as the lower part, never less than can be seen and never more than was sent", () => {
		const html = draw({ days: days([40, 1, 1], [100, 20, 5], [25, 25, 25]) });
		expect(columns(html, "bad").map(([, height]) => height)).toEqual([2, 12, 12]);
	});
	it("names its figures for those who do not see it", () => {
		const html = draw({});
		expect(html).toContain('aria-label="70 mails in the last seven days"');
		expect(html).toContain("2026-11-02: 40 mails, 1 bounced, 1 complaints");
	});
	it("stays flat without mails", () =>
		expect(columns(draw({ attempted: 0, days: days([0, 0, 0], [0, 0, 0]) }), "sent")).toEqual([
			[48, 0],
			[48, 0],
		]));
});

describe("the bounds", () => {
	it("stand on the scale beside the figures, with what they mean", () => {
		const html = draw({});
		expect(html).toContain("2 of 70 mails, paused at 4");
		expect(html).toContain("1 of 70 mails, paused at 2");
		expect(html).toContain('<span style="width:40%"></span><i style="left:80%"></i>');
	});
	it.each([
		["plain below half", { bounced: 1, complained: 0 }, false, ["plain", "plain"]],
		["a warning from half on", { bounced: 2, complained: 1 }, false, ["warn", "warn"]],
		["a warning beyond it, until the mailbox is paused", { bounced: 5, complained: 0 }, false, ["warn", "plain"]],
		["bad where it paused the mailbox", { bounced: 5, complained: 0 }, true, ["bad", "plain"]],
		["a warning in a mailbox that a person paused", { bounced: 2, complained: 0 }, true, ["warn", "plain"]],
	] as const)("are %s", (_, health, paused, tones) =>
		expect([...draw(health, paused).matchAll(/class="track (\w+)"/g)].map(([, tone]) => tone)).toEqual(tones),
	);
	it("say the warning of the server", () => {
		expect(draw({})).not.toContain("warn-text");
		expect(draw({ warning: "At 4 the mailbox is paused." })).toContain("At 4 the mailbox is paused.");
	});
});
