// The user changes the password while signed in elsewhere too.
import assert from "node:assert/strict";
import { check } from "./axe.mjs";
import { signIn } from "./signin.mjs";
import { toast } from "./toast.mjs";

export async function account(page, program, step) {
	if (program.mock) return; // it takes any password
	const field = (name) => page.getByLabel(name, { exact: true });
	const next = `${program.password}, and more`;
	await signIn(page, program);
	const elsewhere = await (await page.context().browser().newContext()).newPage();
	await signIn(elsewhere, program);

	const change = async (current, one, two = one) => {
		await field("Current password").fill(current);
		await field("New password").fill(one);
		await field("Repeat new password").fill(two);
		await page.keyboard.press("Enter");
	};
	/** The field that is refused has the focus, says why, and keeps what was typed. */
	const refused = async (name, why, typed) => {
		await page.getByText(why).first().waitFor();
		await page.waitForFunction(() => document.activeElement.getAttribute("aria-invalid") === "true");
		assert.ok(await field(name).evaluate((element) => element === document.activeElement), `${name} has the focus`);
		assert.equal(await field(name).inputValue(), typed);
	};

	await step("account: a password is refused at the field that is wrong", async () => {
		await page
			.getByRole("navigation", { name: "Main", exact: true })
			.getByRole("link", { name: program.email })
			.click();
		await page.getByRole("heading", { name: "Change password" }).waitFor();
		assert.deepEqual(await page.locator("form input").evaluateAll((all) => all.map((input) => input.autocomplete)), [
			"username",
			"current-password",
			"new-password",
			"new-password",
		]);
		await change(program.password, next, `${next}!`);
		await refused("Repeat new password", "The passwords do not match", `${next}!`);
		await change(program.password, "short");
		await refused("New password", "must have at least 12 characters", "short");
		await change("wrong", next);
		await refused("Current password", "This is not your current password.", "wrong");
		await check(page, "a refused password");
	});

	await step("account: light or dark is chosen here too", async () => {
		await page.getByRole("radio", { name: "Dark" }).check();
		assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
		await page.getByRole("radio", { name: "System" }).check();
		assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), undefined);
	});

	await step("account: a new password signs out everywhere else and stays here", async () => {
		await change(program.password, next);
		await toast(page, "Password changed.");
		assert.equal(await field("New password").inputValue(), "");
		await page.reload();
		await page.getByRole("heading", { name: "Change password" }).waitFor();
		await elsewhere.reload();
		await elsewhere.getByLabel("E-mail address").fill(program.email);
		await elsewhere.getByLabel("Password").fill(program.password);
		await elsewhere.getByRole("button", { name: "Sign in" }).click();
		await elsewhere.getByText("The address or the password is wrong").waitFor();
		program.password = next;
		await signIn(elsewhere, program);
		await elsewhere.context().close();
	});
}
