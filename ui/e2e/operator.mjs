// An operator looks after what an endpoint did not take.
import assert from "node:assert/strict";
import { ask } from "./ask.mjs";
import { check } from "./axe.mjs";
import { signIn } from "./signin.mjs";

export async function operator(page, program, step) {
	if (program.mock) return; // its endpoints take everything
	const { base } = program;
	const dialog = page.getByRole("dialog"),
		confirm = page.getByRole("alertdialog");
	const button = (name, within = page) => within.getByRole("button", { name, exact: true });
	await signIn(page, program);
	const {
		createSubscription: { id },
	} = await ask(page, "mutation Make($input: SubscriptionInput!) { createSubscription(input: $input) { id } }", {
		input: { url: `${program.receiver}/nowhere`, events: ["sent"] },
	});
	const { testSubscription: test } = await ask(
		page,
		"mutation Try($id: UUID!) { testSubscription(id: $id) { id status } }",
		{ id },
	);
	assert.equal(test.status, "failed");

	await step("operator: what was sent again is marked and not sent a third time", async () => {
		await page.goto(`${base}/settings/integrations?status=failed&webhook=${id}`);
		await page.getByText("1 failed delivery loaded").waitFor();
		await button("Redeliver it").click();
		await page.getByText("1 queued again, 0 refused.").waitFor();
		await button("Done").click();
		await page.getByRole("row").getByText("Failed, resent").waitFor();
		// The new one fails in its turn; the old one is not offered with it.
		await page.getByText("1 more was sent again before").waitFor({ timeout: 60_000 });
		assert.equal(await page.getByText("1 failed delivery loaded").count(), 1);
		await check(page, "failed deliveries");
	});

	await step("operator: at phone width the last deliveries fit, each with its way in", async () => {
		await page.setViewportSize({ width: 390, height: 844 });
		await page.goto(`${base}/settings/webhooks/${id}`);
		const table = dialog.getByRole("region", { name: "Last deliveries" });
		await button("Open", table).first().waitFor();
		assert.ok(await table.evaluate((element) => element.scrollWidth <= element.clientWidth), "nothing is cut off");
		await page.setViewportSize({ width: 1440, height: 900 });
	});

	await step("operator: after the secret is revealed it can be rotated", async () => {
		await page.goto(`${base}/settings/webhooks/${id}`);
		await button("Reveal", dialog).click();
		const secret = dialog.locator('figure[aria-label="Signing secret"]');
		const before = await secret.innerText();
		await button("Rotate", dialog).click();
		await confirm.getByRole("textbox").fill("rotate");
		await button("Rotate secret", confirm).click();
		await page.waitForFunction(
			(old) => document.querySelector('figure[aria-label="Signing secret"]').textContent !== old,
			before,
		);
		await button("Delete", dialog).click();
		await confirm.getByText("Deletes 1 webhook with 1 event.").waitFor();
		await confirm.getByRole("textbox").fill("delete");
		await button("Delete webhook", confirm).click();
		await dialog.waitFor({ state: "detached" });
	});
}
