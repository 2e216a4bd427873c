import { expect, test } from "vitest";
import { settings } from "../parts/settings";
import { settingsTabs } from "../parts/settingsTabs";
import { NO_MATCH, rank } from "./rank";

test("what begins with the text comes first, other names last", () => {
	expect(rank("Audit log", "audit")).toBe(0);
	expect(rank("Audit log", "log")).toBe(1);
	expect(rank("Audit log", "udit")).toBe(2);
	expect(rank("Audit log", "history", "history")).toBe(3);
	expect(rank("Audit log", "nothing", "history")).toBe(NO_MATCH);
});

test("each setting is found by its name and by other words", () => {
	const found = (typed: string) =>
		settings.filter(({ label, also }) => rank(label, typed, also) < NO_MATCH).map(({ label }) => label);
	for (const { label } of settings) expect(found(label)).toContain(label);
	expect(found("contact gap")).toEqual(["Hours between campaigns"]);
	expect(found("frequency")).toEqual(["Hours between campaigns"]);
	expect(found("dark mode")).toEqual(["Change the theme"]);
	expect(found("2fa")).toEqual(["Two-factor sign-in"]);
	expect(found("api key")).toEqual(["API token"]);
});

test("each tab of the settings has a setting", () => {
	const pages = new Set(settings.map(({ to }) => to));
	for (const tab of Object.keys(settingsTabs)) expect(pages).toContain(`/settings/${tab}`);
});
