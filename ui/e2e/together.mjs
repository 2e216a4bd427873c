// Two people in one inbox, each in a browser of their own.
import assert from "node:assert/strict";
import { signIn } from "./signin.mjs";

/** How long a colleague's change may take to be seen, in milliseconds. */
const SEEN = 2_000;

export async function together(page, program, step) {
	const context = await page.context().browser().newContext({ reducedMotion: "reduce" });
	const other = await context.newPage();
	other.setDefaultTimeout(15_000);
	await signIn(page, program);
	await signIn(other, program);
	const conversations = (one) => one.locator("[role=option]"); // and not those of menus
	const options = conversations(other);

	await step("together: what one changes, the other sees within two seconds", async () => {
		// The stream is open once the server has answered; asking each five seconds would be too slow to pass.
		const open = Promise.all([page, other].map((one) => one.waitForResponse("**/live")));
		await page.goto(`${program.base}/inbox`);
		await other.goto(`${program.base}/inbox`);
		await open;
		await options.first().waitFor();
		await conversations(page).first().waitFor();
		const label = await conversations(page).first().innerText();
		const [who] = label.split("\n");
		const theirs = options.filter({ hasText: who }).first();
		await theirs.waitFor();
		const before = await options.count();
		await conversations(page).first().click();
		await page.getByRole("button", { name: "Done" }).waitFor();
		const act = async (key, seen) => {
			await page.keyboard.press(key);
			const begun = Date.now();
			await other.waitForFunction((want) => document.querySelectorAll("[role=option]").length === want, seen, {
				polling: 50,
			});
			const took = Date.now() - begun;
			assert.ok(took < SEEN, `${key} was seen after ${took} ms`);
			return took;
		};
		const done = await act("e", before - 1);
		await page.getByRole("button", { name: "Undo" }).first().click();
		await other.waitForFunction((want) => document.querySelectorAll("[role=option]").length === want, before);
		console.log(`     done was seen after ${done} ms`);
	});
	await context.close();
}
