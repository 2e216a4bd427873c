// The user writes a first campaign while the server is slow.
import assert from "node:assert/strict";
import { ask } from "./ask.mjs";
import { check } from "./axe.mjs";
import { signIn } from "./signin.mjs";
import { slow } from "./slow.mjs";
import { toast } from "./toast.mjs";

export async function writing(page, program, step) {
	const drawer = page.getByRole("dialog");
	const button = (name, within = page) => within.getByRole("button", { name, exact: true });
	const text = page.getByRole("textbox", { name: "Text", exact: true });
	const focused = (field) => field.evaluate((element) => element === document.activeElement);
	await signIn(page, program);

	await step("writing: a new step is where the caret goes", async () => {
		await page.goto(`${program.base}/campaigns/new`);
		await drawer.getByLabel("Name").fill("Written slowly");
		await page.keyboard.press("Escape");
		await drawer.waitFor({ state: "detached" });
		await page.goto(`${program.base}/campaigns/new`);
		assert.equal(await drawer.getByLabel("Name").inputValue(), "Written slowly");
		await drawer.getByLabel("Name").focus();
		await page.keyboard.press("Enter");
		await page.getByRole("heading", { name: "Written slowly" }).waitFor();
		await button("Add first step").click();
		await page.getByLabel("Subject", { exact: true }).waitFor();
		assert.ok(await focused(page.getByLabel("Subject", { exact: true })), "the subject has the focus");
		await page.keyboard.type("A subject");
	});

	await step("writing: what is typed while it is saved stays, and so does the caret", async () => {
		await text.fill("Dear reader,");
		const fast = await slow(page, ["UpdateCampaign"]);
		await page.keyboard.press("Control+s");
		await page.keyboard.type(" this is typed while it is saved.");
		await toast(page, "Saved.");
		assert.equal(await text.inputValue(), "Dear reader, this is typed while it is saved.");
		assert.ok(await focused(text), "the text has the focus");
		await page.keyboard.press("Control+s");
		await toast(page, "Saved.");
		await button("Save").waitFor({ state: "detached" });
		assert.ok(await focused(text), "the text has the focus after all is saved");
		await fast();
		await page.reload();
		await text.waitFor();
		assert.equal(await page.getByRole("heading", { name: /^Step / }).count(), 1);
		assert.equal(await text.inputValue(), "Dear reader, this is typed while it is saved.");
	});

	await step("writing: saved and left before the answer, nothing waits to be saved again", async () => {
		const fast = await slow(page, ["UpdateCampaign"]);
		await text.fill("Left at once.");
		await page.keyboard.press("Control+s");
		await page.getByRole("link", { name: "Companies", exact: true }).first().click();
		await toast(page, "Saved.");
		await fast();
		await page.goBack();
		await text.waitFor();
		assert.equal(await text.inputValue(), "Left at once.");
		assert.equal(await button("Save").count(), 0);
	});

	await step("writing: a step taken out and changes discarded come back", async () => {
		await text.fill("Not saved yet");
		await button("Add step").click();
		await page.keyboard.type("Second");
		await button("Remove step 1").click();
		await toast(page, "Step 1 removed.");
		await button("Undo").last().click();
		assert.equal(await page.getByLabel("Subject", { exact: true }).last().inputValue(), "Second");
		assert.equal(await text.first().inputValue(), "Not saved yet");
		await button("Discard").click();
		await toast(page, "Changes discarded.");
		assert.equal(await text.inputValue(), "Left at once.");
		await button("Undo").last().click();
		await text.nth(1).waitFor();
		assert.equal(await text.first().inputValue(), "Not saved yet");
		await button("Discard").click();
	});

	await step("writing: somebody else saves meanwhile; nothing is lost, neither theirs nor mine", async () => {
		const id = page.url().split("/")[4];
		const notice = page.getByText("Someone else changed this campaign");
		/** A colleague rewrites the text of step 1. */
		const colleague = async (bodyText) => {
			const {
				campaign: {
					steps: [first],
				},
			} = await ask(page, "query It($id: UUID!) { campaign(id: $id) { steps { id subject } } }", { id });
			await ask(
				page,
				"mutation Edit($id: UUID!, $input: CampaignInput!) { updateCampaign(id: $id, input: $input) { id } }",
				{ id, input: { steps: [{ ...first, bodyText }] } },
			);
		};
		const stored = async () =>
			(await ask(page, "query It($id: UUID!) { campaign(id: $id) { steps { bodyText } } }", { id })).campaign.steps.map(
				({ bodyText }) => bodyText,
			);

		await text.fill("Mine.");
		await colleague("Theirs.");
		await page.keyboard.press("Control+s"); // before the page can know
		await notice.waitFor();
		assert.deepEqual(await stored(), ["Theirs."], "nothing is overwritten unasked");
		assert.equal(await text.inputValue(), "Mine.");
		await page.getByText("Differences: step 1.").waitFor();
		await check(page, "two versions of a campaign");
		await page.reload();
		await notice.waitFor();
		await button("View their version").click();
		assert.equal(await text.inputValue(), "Theirs.");
		assert.ok(await text.isDisabled(), "what is only looked at cannot be typed into");
		await button("Back to my version").click();
		assert.equal(await text.inputValue(), "Mine.");
		await button("Keep mine").click();
		await toast(page, "Saved.");
		await notice.waitFor({ state: "detached" });
		assert.deepEqual(await stored(), ["Mine."]);

		await text.fill("Mine again.");
		await colleague("Theirs again.");
		await notice.waitFor(); // seen by itself, without an attempt to save
		await button("Discard").click();
		await toast(page, "Changes discarded.");
		assert.equal(await text.inputValue(), "Theirs again.");
		await button("Undo").last().click();
		await notice.waitFor();
		assert.equal(await text.inputValue(), "Mine again.");
		await button("Discard").click();
	});
}
