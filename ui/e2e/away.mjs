// The server goes away while the user types, and the session ends.
import assert from "node:assert/strict";
import { signIn } from "./signin.mjs";
import { toast } from "./toast.mjs";

export async function away(page, program, step) {
	const drawer = page.getByRole("dialog");
	await signIn(page, program);

	await step("away: a quiet bar, the form keeps what was typed, saving works once it is back", async () => {
		await page.goto(`${program.base}/prospects/new`);
		await drawer.getByLabel("E-mail").fill("kept@acme.example");
		await page.route("**/graphql", (route) => route.abort());
		await drawer.getByRole("button", { name: "Save" }).click();
		await drawer.getByText("The server cannot be reached.").waitFor();
		await page.getByText("Retrying…").waitFor();
		assert.equal(await drawer.getByLabel("E-mail").inputValue(), "kept@acme.example");
		await page.reload();
		await page.getByText("The server does not respond.").waitFor();
		await page.unroute("**/graphql");
		await page.getByRole("button", { name: "Try again" }).click();
		await drawer.getByLabel("E-mail").waitFor();
		assert.equal(await drawer.getByLabel("E-mail").inputValue(), "kept@acme.example");
		await drawer.getByRole("button", { name: "Save" }).click();
		await toast(page, "kept@acme.example saved");
		await page.getByText("Retrying…").waitFor({ state: "detached" });
	});

	await step("away: the session ends, the page stays, signing in goes on", async () => {
		await page.goto(`${program.base}/prospects/new`);
		await drawer.getByLabel("E-mail").fill("still@acme.example");
		await page.context().clearCookies();
		await drawer.getByRole("button", { name: "Save" }).click();
		const again = page.getByRole("dialog", { name: "Your session has ended" });
		if (program.mock) return;
		await again.waitFor();
		await page.waitForFunction(() => document.activeElement.type === "password");
		await again.getByLabel("Password").fill(program.password);
		await again.getByRole("button", { name: "Sign in" }).click();
		await again.waitFor({ state: "detached" });
		assert.equal(await drawer.getByLabel("E-mail").inputValue(), "still@acme.example");
		await drawer.getByRole("button", { name: "Save" }).click();
		await toast(page, "still@acme.example saved");
	});
}
