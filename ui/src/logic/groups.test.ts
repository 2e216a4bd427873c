import { describe, expect, it } from "vitest";
import { type Group, grouped } from "./groups";

const target = (group: Group, label: string, to = `/${label}`, also?: string) => ({ group, label, to, also });
const shown = (all: ReturnType<typeof target>[], typed: string) =>
	grouped(all, typed).map(([group, items]) => [group, ...items.map(({ label }) => label)]);

const all = [
	target("Settings", "API token"),
	target("Go to", "Prospects"),
	target("Actions", "Add a prospect"),
	target("Go to", "Offers"),
	target("People", "Petra Ho"),
];

describe("the groups of the palette", () => {
	it("stand in a fixed order without a text, their targets as they came", () =>
		expect(shown(all, "")).toEqual([
			["Go to", "Prospects", "Offers"],
			["People", "Petra Ho"],
			["Actions", "Add a prospect"],
			["Settings", "API token"],
		]));
	it("begin with the best match", () => expect(shown(all, "a")[0]).toEqual(["Actions", "Add a prospect"]));
	it("stand in the fixed order where they match alike", () =>
		expect(shown(all, "p").map(([group]) => group)).toEqual(["Go to", "People", "Actions", "Settings"]));
	it("have the best match first in each", () =>
		expect(shown([target("Go to", "Offers"), target("Go to", "Prospects")], "pro")).toEqual([
			["Go to", "Prospects", "Offers"],
		]));
	it("show what was used last once, in front", () =>
		expect(shown([target("Recent", "Offers"), ...all], "")).toEqual([
			["Recent", "Offers"],
			["Go to", "Prospects"],
			["People", "Petra Ho"],
			["Actions", "Add a prospect"],
			["Settings", "API token"],
		]));
	it("keep people that were found by another word than their name", () =>
		expect(shown(all, "zzz").flat()).toContain("Petra Ho"));
});
