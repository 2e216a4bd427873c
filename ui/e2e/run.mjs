// npm run e2e: a real browser walks the whole story against the real program.
import assert from "node:assert/strict";
import { account } from "./account.mjs";
import { away } from "./away.mjs";
import { launch, watch } from "./browser.mjs";
import { inbox } from "./inbox.mjs";
import { keyboard } from "./keyboard.mjs";
import { lists } from "./lists.mjs";
import { operator } from "./operator.mjs";
import { start } from "./program.mjs";
import { providers } from "./providers.mjs";
import { screens } from "./screens.mjs";
import { story } from "./story.mjs";
import { together } from "./together.mjs";
import { week } from "./week.mjs";
import { writing } from "./writing.mjs";

const wide = { width: 1440, height: 900 },
	phone = { width: 390, height: 844 };
let program = await start();
const browser = await launch();
let failed = false;

const only = process.env.ONLY?.split(",");

async function act(name, options, play, quiet = true) {
	if (only && !only.includes(name)) return;
	const context = await browser.newContext({ reducedMotion: "reduce", ...options });
	const page = await context.newPage();
	page.setDefaultTimeout(15_000);
	const faults = watch(page, program.base);
	try {
		await play(page, program, async (what, run) => {
			const begun = Date.now();
			try {
				await run();
			} catch (error) {
				error.message = `${what}: ${error.message}`;
				throw error;
			}
			console.log(`ok   ${what} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
		});
		if (quiet) assert.deepEqual(faults, [], `${name}: the browser complains`);
	} catch (error) {
		failed = true;
		console.log(`FAIL ${error.message}\n${faults.join("\n")}`);
		await page.screenshot({ path: `${process.env.SHOTS ?? "/tmp"}/e2e-failed-${name}.png` }).catch(() => undefined);
	}
	await context.close();
}

try {
	await act("story", { viewport: wide, colorScheme: "light" }, story);
	await act("keyboard", { viewport: wide, colorScheme: "dark" }, keyboard);
	await act("inbox", { viewport: wide }, inbox);
	await act("together", { viewport: wide }, together);
	await act("lists", { viewport: wide }, lists);
	await act("providers", { viewport: wide }, providers, false); // the answer to a cancelled sign-in is a 422
	await act("writing", { viewport: wide }, writing);
	await act("account", { viewport: wide }, account);
	await act("operator", { viewport: wide }, operator);
	await act("away", { viewport: wide }, away, false); // a lost server is an error to the browser
	for (const [form, viewport, colorScheme] of [
		["wide-light", wide, "light"],
		["wide-dark", wide, "dark"],
		["phone-light", phone, "light"],
		["phone-dark", phone, "dark"],
	]) {
		await act(form, { viewport, colorScheme }, (page, given, step) => screens(page, given, step, form));
	}
	// Each first week starts from an empty workspace. Without ONLY it is walked in one form.
	const weeks = [
		["1440-dark-keys", wide, "dark"],
		["1440-light-mouse", wide, "light"],
		["1024-light-keys", { width: 1024, height: 768 }, "light"],
		["1024-dark-mouse", { width: 1024, height: 768 }, "dark"],
		["390-light-keys", phone, "light"],
		["390-dark-mouse", phone, "dark"],
	].filter(([form], n) => (only ? only.includes("week") || only.includes(`week-${form}`) : n === 0));
	let empty = only?.every((name) => name.startsWith("week"));
	for (const [form, viewport, colorScheme] of program.mock ? [] : weeks) {
		if (!empty) {
			await program.stop();
			program = await start();
		}
		empty = false;
		const [size, light, way] = form.split("-");
		const given = { way, tag: `${size}${light[0]}${way[0]}` };
		const name = only?.includes("week") ? "week" : `week-${form}`;
		await act(name, { viewport, colorScheme }, (page, whole, step) => week(page, whole, step, given));
	}
} finally {
	await browser.close();
	await program.stop();
}
process.exit(failed ? 1 : 0);
