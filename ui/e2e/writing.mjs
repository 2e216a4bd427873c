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
	const text = page.getByRole("textbox", { name: /^Message of step / });
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
		assert.equal(await text.innerText(), "Dear reader, this is typed while it is saved.");
		assert.ok(await focused(text), "the text has the focus");
		await page.keyboard.press("Control+s");
		await toast(page, "Saved.");
		await button("Save").waitFor({ state: "detached" });
		assert.ok(await focused(text), "the text has the focus after all is saved");
		await fast();
		await page.reload();
		await text.waitFor();
		assert.equal(await page.getByRole("heading", { name: /^Step / }).count(), 1);
		assert.equal(await text.innerText(), "Dear reader, this is typed while it is saved.");
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
		assert.equal(await text.innerText(), "Left at once.");
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
		assert.equal(await text.first().innerText(), "Not saved yet");
		await button("Discard").click();
		await toast(page, "Changes discarded.");
		assert.equal(await text.innerText(), "Left at once.");
		await button("Undo").last().click();
		await text.nth(1).waitFor();
		assert.equal(await text.first().innerText(), "Not saved yet");
		await button("Discard").click();
	});

	await step("writing: somebody else saves meanwhile; nothing is lost, neither theirs nor mine", async () => {
		const id = page.url().split("/")[4];
		const notice = page.getByText("Someone else changed this campaign");
		/** A colleague rewrites the text of step 1. */
		const colleague = async (words) => {
			const bodyHtml = `<p>${words}</p>`;
			const {
				campaign: {
					steps: [first],
				},
			} = await ask(page, "query It($id: UUID!) { campaign(id: $id) { steps { id subject } } }", { id });
			await ask(
				page,
				"mutation Edit($id: UUID!, $input: CampaignInput!) { updateCampaign(id: $id, input: $input) { id } }",
				{ id, input: { steps: [{ ...first, bodyHtml }] } },
			);
		};
		const stored = async () =>
			(await ask(page, "query It($id: UUID!) { campaign(id: $id) { steps { bodyHtml } } }", { id })).campaign.steps.map(
				({ bodyHtml }) => bodyHtml.replaceAll(/<[^>]*>/g, ""),
			);

		await text.fill("Mine.");
		await colleague("Theirs.");
		await page.keyboard.press("Control+s"); // before the page can know
		await notice.waitFor();
		assert.deepEqual(await stored(), ["Theirs."], "nothing is overwritten unasked");
		assert.equal(await text.innerText(), "Mine.");
		await page.getByText("Differences: step 1.").waitFor();
		await check(page, "two versions of a campaign");
		await page.reload();
		await notice.waitFor();
		await button("View their version").click();
		assert.equal(await text.innerText(), "Theirs.");
		assert.ok((await text.getAttribute("contenteditable")) === "false", "what is only looked at cannot be typed into");
		await button("Back to my version").click();
		assert.equal(await text.innerText(), "Mine.");
		await button("Keep mine").click();
		await toast(page, "Saved.");
		await notice.waitFor({ state: "detached" });
		assert.deepEqual(await stored(), ["Mine."]);

		await text.fill("Mine again.");
		await colleague("Theirs again.");
		await notice.waitFor(); // seen by itself, without an attempt to save
		await button("Discard").click();
		await toast(page, "Changes discarded.");
		assert.equal(await text.innerText(), "Theirs again.");
		await button("Undo").last().click();
		await notice.waitFor();
		assert.equal(await text.innerText(), "Mine again.");
		await button("Discard").click();
	});

	await step("writing: an edit says what it does to people who wait, before it is saved", async () => {
		const here = page.url();
		const { email, smtp, imap } = program.mailbox;
		const { mailboxes } = await ask(page, "query Boxes { mailboxes { nodes { id } } }");
		const box =
			mailboxes.nodes[0] ??
			(
				await ask(page, "mutation Box($input: MailboxInput!) { createMailbox(input: $input) { id } }", {
					input: { email, smtp, imap },
				})
			).createMailbox;
		// It begins in a far year, so that its people wait.
		const { createCampaign } = await ask(
			page,
			"mutation Make($input: CampaignInput!) { createCampaign(input: $input) { id } }",
			{
				input: {
					name: "Edited while people wait",
					startsOn: "2099-01-01",
					mailboxIds: [box.id],
					steps: [
						{ subject: "First", bodyText: "One" },
						{ delayMinutes: 1440, bodyText: "Two" },
					],
				},
			},
		);
		const campaignId = createCampaign.id;
		await ask(page, "mutation Put($input: EnrollInput!) { enroll(input: $input) { enrollment { id } } }", {
			input: { campaignId, prospect: { email: "waits@written.example" } },
		});
		await ask(page, "mutation Go($id: UUID!) { activateCampaign(id: $id) { id } }", { id: campaignId });
		await page.goto(`${program.base}/campaigns/${campaignId}/steps`);
		const effects = page.locator(".step-effect");
		const says = async (...sentences) => {
			for (const sentence of sentences) await effects.getByText(sentence, { exact: true }).waitFor();
			assert.equal(await effects.count(), sentences.length, "no other sentence");
		};
		await page.getByLabel("Wait after enrolling").fill("1");
		await page.getByLabel("Unit of the wait before step 1").selectOption("days");
		await says("1 person gets this step next, tomorrow at the earliest.");
		await button("Discard").click();
		await button("Add step").click();
		await says("1 person gets this step later.");
		for (const width of [390, 360]) {
			await page.setViewportSize({ width, height: 800 });
			await check(page, `what an edit does, at ${width} px`);
		}
		await page.setViewportSize({ width: 1440, height: 900 });
		await button("Discard").click();
		await button("Remove step 2").click();
		await says("Step 2 is removed. 1 person before it will not get it.");
		await button("Save").click();
		await toast(page, "Saved.");
		await says();
		await page.goto(here);
		await text.first().waitFor();
	});

	await step("writing: variables are chosen from a menu that asks what an empty one prints", async () => {
		const id = page.url().split("/")[4];
		const bodies = async () =>
			(await ask(page, "query It($id: UUID!) { campaign(id: $id) { steps { subject bodyHtml bodyText } } }", { id }))
				.campaign.steps[0];
		await text.fill("");
		await page.keyboard.type("Dear ");
		await button("Insert variable into the message of step 1").click();
		await page.keyboard.type("job");
		await page.keyboard.press("Enter");
		await page.getByLabel("If job_title is empty, print").waitFor();
		await page.waitForFunction(() => document.activeElement?.tagName === "INPUT");
		await page.keyboard.type("friend");
		await page.keyboard.press("Enter");
		await page.keyboard.type(' of {{ company_name | default: "your team" }},');
		await text.locator(".chip", { hasText: "company_name or “your team”" }).waitFor();
		await page.keyboard.press("Enter");
		await page.keyboard.type("see the prices");
		for (let n = 0; n < "prices".length; n++) await page.keyboard.press("Shift+ArrowLeft");
		await button("Link").click();
		await page.getByLabel("Link to").fill("nowhere");
		await button("Apply").click();
		await page.getByText("Must begin with https://").waitFor();
		await page.getByLabel("Link to").fill("https://example.com/prices");
		await button("Apply").click();
		await page.getByText(/^1 link\. Clicks are/).waitFor();
		await check(page, "a step in rich text");
		await page.keyboard.press("Control+s");
		await toast(page, "Saved.");
		assert.equal(
			(await bodies()).bodyHtml,
			'<p>Dear {{ job_title | default: "friend" }} of {{ company_name | default: "your team" }},</p>' +
				'<p>see the <a href="https://example.com/prices">prices</a></p>',
		);
		await button("Insert variable into the subject of step 1").click();
		await page.keyboard.type("last");
		await page.keyboard.press("Enter");
		await page.getByLabel("If last_name is empty, print").fill("you");
		await page.keyboard.press("Enter");
		assert.match(
			await page.getByLabel("Subject", { exact: true }).inputValue(),
			/\{\{ last_name \| default: "you" \}\}/,
		);
		await page.getByLabel("Format", { exact: true }).selectOption("html");
		assert.match(await page.getByLabel("HTML", { exact: true }).inputValue(), /job_title \| default: "friend"/);
		await page.getByLabel("HTML", { exact: true }).fill('<p style="color: red">{{ frist_name }}</p>');
		await page.getByText("Unknown variable frist_name. Did you mean first_name?").first().waitFor();
		await page.keyboard.press("Control+s");
		await toast(page, "Unknown variable frist_name. Did you mean first_name?");
		await button("Discard").click();
		await text.waitFor();
	});

	await step("writing: Save and the preview are in reach at every width", async () => {
		await text.fill("Widths");
		for (const width of [1440, 1024, 390]) {
			await page.setViewportSize({ width, height: 700 });
			await page.getByRole("main").evaluate((main) => main.scrollTo(0, main.scrollHeight));
			const { y, height } = await button("Save").boundingBox();
			assert.ok(y >= 0 && y + height <= 700, `Save is in view at ${width} px`);
			const preview = page.getByRole("complementary", { name: "Preview" });
			if (width < 1000) await button("Preview").click();
			assert.ok((await preview.boundingBox()).y < 700, `the preview is in view at ${width} px`);
			await check(page, `the preview at ${width} px`);
			if (width < 1000) await button("Write").click();
		}
		await page.setViewportSize({ width: 1440, height: 900 });
		await button("Discard").click();
	});

	await step("writing: in a large campaign unsaved steps are saved before everyone is checked", async () => {
		const campaignId = page.url().split("/")[4];
		const crowd = Array.from({ length: 1_001 }, (_, n) => ({ email: `crowd${n}@written.example` }));
		for (const prospects of [crowd.slice(0, 1_000), crowd.slice(1_000)]) {
			const { bulkProspects } = await ask(
				page,
				"mutation Make($input: BulkProspectsInput!) { bulkProspects(input: $input) { results { prospectId } } }",
				{ input: { prospects } },
			);
			await ask(page, "mutation Put($input: BulkEnrollInput!) { bulkEnroll(input: $input) { results { outcome } } }", {
				input: { campaignId, prospectIds: bulkProspects.results.map(({ prospectId }) => prospectId) },
			});
		}
		await page.reload();
		await button("Check everyone").waitFor();
		await text.fill("");
		await page.keyboard.type("As {{ job_title }}");
		await button("Save and check everyone").click();
		await toast(page, "Saved.");
		await drawer.getByText(/^1,001 people .*job_title/).waitFor();
		await check(page, "the check of everyone");
		await button("Close", drawer).click();
	});

	await step("writing: on a phone the tools of a step are one row, the others in menus", async () => {
		for (const width of [390, 360]) {
			await page.setViewportSize({ width, height: 800 });
			await button("More for step 1").waitFor(); // the page follows the width a moment later
			await button("More text styles").waitFor();
			for (const tools of [".step-head", ".composer-tools"]) {
				const { height } = await page.locator(tools).first().boundingBox();
				assert.ok(height <= 44, `${tools} takes ${height} px at ${width} px`);
			}
			await button("More for step 1").click();
			await page.getByRole("menuitem", { name: "Remove step 1" }).waitFor();
			await check(page, `the menu of a step at ${width} px`);
			await page.keyboard.press("Escape");
		}
		await text.fill("A list");
		await button("More text styles").click();
		await page.getByRole("menuitemcheckbox", { name: "List", exact: true }).click();
		await page.keyboard.type(" of one");
		await text.locator("li", { hasText: "A list of one" }).waitFor();
		await page.setViewportSize({ width: 1440, height: 900 });
		await button("Discard").click();
	});

	await step("writing: a step and a campaign are duplicated", async () => {
		await button("Duplicate step 1").click();
		await page.getByRole("heading", { name: "Step 2", exact: true }).waitFor();
		await button("Save").click();
		await toast(page, "Saved.");
		await button("Duplicate campaign").click();
		await page.getByRole("heading", { name: "Copy of Written slowly" }).waitFor();
		await text.nth(1).waitFor();
	});

	await step(
		"writing: a snippet is written, kept when its tab is closed, changed, deleted and brought back",
		async () => {
			const other = await page.context().newPage();
			await other.goto(`${program.base}/settings/snippets/new`);
			await other.getByRole("dialog").getByLabel("Name").fill("Prices");
			await other.close();
			await page.goto(`${program.base}/settings/snippets`);
			await button("New snippet").click();
			assert.equal(await drawer.getByLabel("Name").inputValue(), "Prices");
			const body = drawer.getByRole("textbox", { name: "Text of the snippet" });
			await body.fill("Dear ");
			await page.keyboard.type("{{ fir");
			await page.getByRole("listbox", { name: "Variables" }).getByRole("option", { name: "first_name" }).waitFor();
			await page.keyboard.press("Enter");
			await page.keyboard.type(", our prices:");
			await check(page, "a new snippet");
			await button("Add snippet", drawer).click();
			await toast(page, "Snippet added.");
			await page.getByRole("link", { name: "Prices" }).click();
			await body.getByText(", our prices:").waitFor();
			await drawer.getByLabel("Name").fill("Price list");
			await button("Save", drawer).click();
			await toast(page, "Saved.");
			await button("Delete Price list").click();
			await toast(page, "Price list deleted.");
			await page.getByText("No snippets yet.").waitFor();
			await page.keyboard.press("z");
			await page.getByRole("link", { name: "Price list" }).waitFor();
			const { snippets } = await ask(page, "query All { snippets { nodes { name bodyHtml bodyText } } }");
			assert.deepEqual(snippets.nodes, [
				{ name: "Price list", bodyHtml: "<p>Dear {{ first_name }}, our prices:</p>", bodyText: null },
			]);
		},
	);
}
