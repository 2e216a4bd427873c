// The whole story as a person lives it, from an empty workspace to a reply.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { ask } from "./ask.mjs";
import { check } from "./axe.mjs";
import { signIn } from "./signin.mjs";
import { toast as waitForToast } from "./toast.mjs";

const ROWS = Number(process.env.E2E_ROWS ?? 3_000);
// What the sandbox's people do is told by the beginning of their address.
const PERSONAS = ["no", "ooo", "bounce", "dsn", "click", "unsub"];
const TOTAL = (ROWS + PERSONAS.length).toLocaleString("en");

export async function story(page, program, step) {
	const { base, mock } = program;
	const drawer = page.getByRole("dialog");
	const button = (name, within = page) => within.getByRole("button", { name, exact: true });
	const go = (name) =>
		page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name, exact: true }).click();
	const toast = (text) => waitForToast(page, text);

	await step("sign in: a wrong password is refused, the address stays", async () => {
		await page.goto(base);
		await page.getByLabel("E-mail address").fill(program.email);
		await page.getByLabel("Password").fill("wrong");
		await button("Sign in").click();
		await page.getByRole("alert").waitFor();
		assert.equal(await page.getByLabel("E-mail address").inputValue(), program.email);
		await check(page, "sign in");
		await signIn(page, program);
	});

	await step("first run: the checklist says what is missing", async () => {
		await page.getByRole("heading", { name: "Getting started" }).waitFor();
		await page.getByText("Not sending right now.").waitFor();
		await page.getByText("Nothing was sent and nobody replied in these 28 days.").waitFor();
	});

	await step("mailbox: a precise error, nothing typed is lost, then connected", async () => {
		await page.getByRole("link", { name: "Connect a mailbox" }).click();
		const { email, smtp, imap } = program.mailbox;
		await button("Enter servers by hand", drawer).click();
		await drawer.getByLabel("E-mail address").fill(email);
		for (const [name, server] of [
			["Sending (SMTP)", smtp],
			["Reading (IMAP)", imap],
		]) {
			const group = drawer.getByRole("group", { name });
			await group.getByLabel("Server").fill(server.host);
			await group.getByLabel("Port").fill(String(server.port));
			await group.getByLabel("Security").selectOption(server.security);
			await group.getByLabel("User name").fill(server.username);
		}
		await drawer.getByLabel("Use the same password for IMAP").uncheck();
		await drawer.getByRole("group", { name: "Sending (SMTP)" }).getByLabel("Password").fill(smtp.password);
		await drawer.getByRole("group", { name: "Reading (IMAP)" }).getByLabel("Password").fill("wrong");
		await drawer.getByLabel("Minimum gap (seconds)").fill("0");
		await button("Test and connect", drawer).click();
		await drawer.getByRole("alert").first().waitFor({ timeout: 40_000 });
		assert.match(await drawer.getByRole("alert").first().innerText(), /imap|login|reading|password|credential/i);
		assert.equal(await drawer.getByLabel("E-mail address").inputValue(), email);
		await drawer.getByRole("group", { name: "Reading (IMAP)" }).getByLabel("Password").fill(imap.password);
		await button("Test and connect", drawer).click();
		await toast("connected.");
		await button("Check now", drawer).waitFor();
		await check(page, "mailbox");
		await button("Close", drawer).click();
		await page.getByRole("row", { name: new RegExp(email.split("@")[0]) }).waitFor();
	});

	await step("mailbox: its folders are named one a line; a missing one is told at the field", async () => {
		if (program.mock) return;
		await page.getByRole("row", { name: new RegExp(program.mailbox.email.split("@")[0]) }).click();
		const folders = drawer.getByLabel("Folders to read");
		const save = async (names) => {
			await button("Edit", drawer).click();
			await folders.fill(names);
			await button("Test and save", drawer).click();
		};
		await save("INBOX\nNowhere\n");
		await page.waitForFunction(() => document.activeElement?.matches("textarea[aria-invalid=true]"));
		await drawer.locator("small", { hasText: 'the mailbox has no folder "Nowhere"' }).waitFor();
		assert.equal(await folders.inputValue(), "INBOX\nNowhere\n", "what was typed stays");
		await folders.fill("INBOX\n\nJunk\n");
		await button("Test and save", drawer).click();
		await drawer.getByText("INBOX, Junk", { exact: true }).waitFor();
		await save("");
		await button("Edit", drawer).waitFor();
		await drawer.getByText("Folders", { exact: true }).waitFor({ state: "detached" }); // the usual folders are not listed
		await button("Close", drawer).click();
	});

	await step("prospects: add, see the fault of a wrong address, edit, find", async () => {
		await go("Prospects");
		await page.getByText("Import a list of people").waitFor();
		await button("Add").click();
		await drawer.getByLabel("E-mail").fill("reply@acme.example");
		await drawer.getByLabel("First name").fill("Ada");
		await drawer.getByLabel("Company").fill("Acme");
		await button("Save", drawer).click();
		await toast("reply@acme.example saved");
		await button("Edit", drawer).click();
		await drawer.getByLabel("Job title").fill("CTO");
		await button("Save", drawer).click();
		await drawer.getByText("CTO", { exact: true }).waitFor();
		await button("Close", drawer).click();
		await button("Add").click();
		await drawer.getByLabel("E-mail").fill("reply@acme.example");
		await button("Save", drawer).click();
		await drawer.getByRole("alert").waitFor();
		await button("Cancel", drawer).click();
		await page.getByRole("row", { name: /Ada/ }).waitFor();
		await page.getByLabel("Search prospects").fill("nobody-like-that");
		await page.getByText("No prospects match these filters.").waitFor();
		await page.getByLabel("Search prospects").fill("acme");
		await page.getByRole("row", { name: /Ada/ }).waitFor();
	});

	await step(`import ${ROWS} rows from CSV with mapping, dry run and progress`, async () => {
		await page.goto(`${base}/prospects/import`);
		const lines = ["E-mail;Given name;Company;Team size"];
		for (let n = 0; n < ROWS; n++) lines.push(`silent${n}@bulk${n % 50}.example;"Name; ${n}";Bulk ${n % 50};${n % 9}`);
		lines.push(
			"silent0@bulk0.example;Twice;;",
			"no address;Nobody;;",
			"reply@acme.example;Ada;Acme;7",
			`long@bulk0.example;${"x".repeat(501)};;`,
		);
		for (const persona of PERSONAS) lines.push(`${persona}@personas.example;Persona ${persona};Personas;1`);
		await page
			.locator("input[type=file]")
			.setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(`\uFEFF${lines.join("\r\n")}`) });
		const file = page.getByRole("status", { name: "Rows of the file" });
		await file.waitFor();
		assert.match(
			await file.innerText(),
			new RegExp(
				`${(ROWS + PERSONAS.length + 2).toLocaleString("en")} to import, 1 duplicate, 1 without a valid e-mail address`,
			),
		);
		assert.equal(await page.getByLabel("Import Given name as").inputValue(), "firstName");
		await check(page, "import");
		const dry = page.getByRole("region", { name: "Dry run" });
		const numbers = async (...wanted) => {
			await dry.waitFor({ timeout: 240_000 });
			assert.match(await dry.innerText(), new RegExp(wanted.join("[\\s\\S]*")));
		};
		await page.getByRole("button", { name: /^Check [\d,]+ rows$/ }).click();
		await numbers(`New\\s+${TOTAL}`, "Already exist\\s+1", "Errors\\s+3", "Not an e-mail address");
		await dry.getByText("must have at most 500 characters").waitFor();
		await check(page, "dry run of an import");
		const saved = page.waitForEvent("download");
		await dry.getByRole("button", { name: /^Download [\d,]+ rows/ }).click();
		assert.match(
			readFileSync(await (await saved).path(), "utf8"),
			new RegExp(
				'"E-mail","Given name","Company","Team size","left out: row","left out: field","left out: reason"[\\s\\S]*' +
					'"silent0@bulk0.example","Twice","","","\\d+","email","Duplicate of row 2"',
			),
		);
		await button("Change columns", dry).click();
		await page.getByLabel("Update with the values from the file").check();
		await page.getByRole("button", { name: /^Check [\d,]+ rows$/ }).click();
		await numbers(`New\\s+${TOTAL}`, "Changed\\s+1", "Unchanged\\s+0");
		await page.getByRole("button", { name: /^Import [\d,]+ rows$/ }).click();
		await go("Companies");
		await page.getByRole("heading", { name: "Companies" }).waitFor();
		// A short import ends before its page is left: then its end has been seen, and nothing leads back to it.
		const running = page.getByRole("link", { name: /^(Importing people\.csv|Show result)$/ });
		if (await running.count()) await running.click();
		else await page.goBack();
		await page.getByText("Import finished").waitFor({ timeout: 240_000 });
		assert.match(
			await page.getByRole("region", { name: "Summary of the import" }).innerText(),
			new RegExp(`Created\\s+${TOTAL}[\\s\\S]*Updated\\s+1`),
		);
		await check(page, "summary of an import");
	});

	await step("prospects: a long list stays light", async () => {
		await page.getByRole("link", { name: `Show the ${TOTAL} created` }).click();
		await page
			.getByRole("row", { name: /silent/ })
			.first()
			.waitFor();
		const grid = page.getByRole("grid", { name: "Prospects" });
		const before = await grid.evaluate((element) => element.scrollHeight);
		for (let n = 0; n < 30; n++) {
			await grid.evaluate((element) => element.scrollBy(0, 2_000));
			await page.waitForTimeout(50);
		}
		await page.waitForFunction((had) => document.querySelector("[role=grid]").scrollHeight > had, before);
		assert.ok((await page.getByRole("row").count()) < 100, "only what is seen is in the page");
		if (!mock) return;
		assert.ok(ROWS < 3_000 || before > 100 * 40);
	});

	await step("import: Latin-1 with all that goes wrong in it comes out right", async () => {
		await page.goto(`${base}/prospects/import`);
		const text =
			'E-Mail;Vorname;Notiz\r\nlatin1@ugly.example;J\u00fcrgen;"zwei\nZeilen"\r\n\r\nlatin2@ugly.example;Zo\u00eb;x;zu viel\r\n';
		const file = { name: "latin.csv", mimeType: "text/csv", buffer: Buffer.from(text, "latin1") };
		await page.locator("input[type=file]").setInputFiles(file);
		await page.getByText("File encoding").waitFor();
		await page.getByText("J\u00fcrgen · Zo\u00eb").waitFor();
		await page.getByText(/^Row 4: more values than columns/).waitFor();
		await page.getByLabel("Import Notiz as").selectOption("");
		await check(page, "import of Latin-1");
		await go("Companies");
		await page.getByRole("heading", { name: "Companies" }).waitFor();
		await page.goBack();
		assert.equal(await page.getByLabel("Import Notiz as").inputValue(), "", "what was said of the file is still there");
		await page.getByLabel("File encoding").selectOption("windows-1251");
		await page.getByText("J\u044crgen").waitFor();
		await page.getByLabel("File encoding").selectOption("windows-1252");
		await page.getByText("J\u00fcrgen").waitFor();
		await button("Import without checking").click();
		await page.getByText("Import finished").waitFor();
		await page.goto(`${base}/prospects?search=ugly.example`);
		await page.getByRole("row", { name: /J\u00fcrgen/ }).click();
		await button("Delete", drawer).click();
		await page.getByRole("alertdialog").getByRole("button", { name: "Delete prospect" }).click();
		await toast("1 prospect will be deleted in 10 s.");
		await page.getByRole("row", { name: /Zo\u00eb/ }).click();
		await button("Delete", drawer).click();
		await page.getByRole("alertdialog").getByRole("button", { name: "Delete prospect" }).click();
		await toast("1 prospect will be deleted in 10 s.");
	});

	await step("campaign: steps with completion and preview, schedule, mailbox, people", async () => {
		await go("Campaigns");
		await button("New campaign").first().click();
		await drawer.getByLabel("Name").fill("Autumn launch");
		await button("Create campaign", drawer).click();
		await button("Add first step").click();
		await page.getByLabel("Subject", { exact: true }).pressSequentially("Hello {{ fir");
		await page.getByRole("listbox", { name: "Variables" }).getByRole("option", { name: "first_name" }).waitFor();
		await page.keyboard.press("Enter");
		assert.equal(await page.getByLabel("Subject", { exact: true }).inputValue(), "Hello {{ first_name }}");
		await page.getByLabel("Format").selectOption("html");
		await page
			.getByLabel("HTML", { exact: true })
			.fill(
				'<p style="color: rgb(200, 0, 0)">Dear {{ first_name }} of {{ job_title }}, see <a href="https://example.com/pricing">prices</a>.</p>',
			);
		const preview = page.getByRole("complementary", { name: "Preview" });
		await preview.getByText("Missing for this prospect:").waitFor();
		await preview.getByLabel("Preview for another prospect").fill("reply@acme");
		await page.getByRole("option", { name: /reply@acme/ }).click();
		await preview.getByText("Hello Ada").waitFor();
		await preview.getByText("Missing for this prospect:").waitFor({ state: "detached" });
		await button("Send test", preview).click();
		await preview.getByText("The server accepted the test mail to").waitFor();
		assert.match(await preview.getByRole("region", { name: "Test mail" }).innerText(), /250 /);
		const paragraph = page.frameLocator("iframe").locator("p");
		await paragraph.filter({ hasText: "Dear Ada of CTO" }).waitFor();
		const body = page.getByLabel("HTML", { exact: true });
		await body.fill((await body.inputValue()).replace("job_title", 'job_title | default: "the team"'));
		assert.equal(await paragraph.evaluate(() => self.origin), "null", "a mail is shown in an origin of its own");
		await button("Save").click();
		await toast("Saved.");
		const part = (name) =>
			page.getByRole("navigation", { name: "Parts of the campaign" }).getByRole("link", { name }).click();
		await part("Schedule");
		await page.getByText("Sat", { exact: true }).click();
		await page.getByText("Sun", { exact: true }).click();
		await page.getByLabel("From", { exact: true }).fill("12 am");
		await page.getByLabel("Until", { exact: true }).fill("23:59");
		await page.getByText(/^Every day, all day in the prospect's time zone/).waitFor();
		await part("Mailboxes");
		await page.getByRole("checkbox", { name: program.mailbox.email }).check();
		await button("Save").click();
		await toast("Saved.");
		await part("People");
		await page.getByLabel("Enroll a prospect").fill("reply@acme");
		await page.getByRole("option", { name: /reply@acme/ }).click();
		await toast("Enrolled.");
		await page.getByRole("row", { name: /Ada/ }).waitFor();
		await check(page, "people of a campaign");
		await button("Activate").click();
		await drawer.getByText("1 mailbox selected").waitFor();
		assert.notEqual(
			await drawer
				.getByLabel("Done")
				.first()
				.evaluate((icon) => getComputedStyle(icon).color),
			await drawer
				.locator(".faint")
				.first()
				.evaluate((text) => getComputedStyle(text).color),
			"what is fine is green",
		);
		await button("Activate", drawer).click();
		await toast("Campaign activated.");
		await button("Pause").first().waitFor();
		await part("Statistics");
		await page.getByText(/Statistics begin with the first mail|Written to/).waitFor();
	});

	await step("campaign: a second one stays a draft", async () => {
		await go("Campaigns");
		await button("New campaign").first().click();
		await drawer.getByLabel("Name").fill("For later");
		await button("Create campaign", drawer).click();
		await page.getByRole("heading", { name: "For later" }).waitFor();
	});

	await step("webhook: subscribe, secret once and again, test event, last deliveries", async () => {
		await page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Settings" }).click();
		await page.getByRole("heading", { name: "Account" }).waitFor(); // what most people come for opens first
		await page.getByRole("link", { name: "Webhooks" }).click();
		await button("Add webhook").first().click();
		await drawer.getByLabel("Address").fill("http://example.com/in");
		await button("Add webhook", drawer).click();
		await drawer.getByRole("alert").first().waitFor();
		assert.equal(
			await page.evaluate(() => document.activeElement.getAttribute("aria-invalid")),
			"true",
			"the field at fault has the focus",
		);
		await drawer.getByLabel("Address").fill(program.receiver);
		for (const name of ["sent", "clicked", "bounced", "unsubscribed"])
			await drawer.getByRole("checkbox", { name: new RegExp(`^${name} `) }).check();
		await button("Add webhook", drawer).click();
		const secret = drawer.locator('figure[aria-label="Signing secret"]');
		const shown = await secret.innerText();
		assert.match(shown, /^whsec_/);
		await button("Send test event", drawer).click();
		await drawer
			.getByText(/^(Delivered: HTTP 2\d\d|Failed: .+)$/)
			.first()
			.waitFor({ timeout: 15_000 });
		await drawer.getByRole("table").first().getByText("test").first().waitFor();
		await button("Open", drawer).first().click();
		await drawer.getByRole("region", { name: "Attempts" }).waitFor();
		await check(page, "webhook");
		await button("Redeliver failed", drawer).click();
		await page.getByRole("alertdialog").getByText("No failed deliveries to send again.").waitFor();
		await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
		await button("Close", drawer).first().click();
		await page.getByRole("link", { name: program.receiver }).click();
		await button("Reveal", drawer).click();
		assert.equal(await secret.innerText(), shown);
		await page.keyboard.press("Escape");
	});

	await step("the rest of the settings: integrations, token, domain, sending, team", async () => {
		const tab = (name) => page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name }).click();
		await tab("Deliveries");
		await page.getByRole("row", { name: /test/ }).first().click();
		await button("Redeliver", drawer).click();
		await toast("Queued as a new delivery.");
		await button("Close", drawer).click();
		await tab("Tracking domain");
		await page.getByRole("heading", { name: "Tracking domain" }).waitFor();
		await tab("Sending");
		await page.getByLabel("Hours between campaigns").fill("24");
		await button("Save").click();
		await toast("Saved.");
		await tab("Team");
		await page.getByLabel("E-mail address").fill("new.colleague@example.com");
		await button("Invite").click();
		await page.getByText("Send this link to").waitFor();
		await page.getByRole("button", { name: "Revoke the invitation of new.colleague@example.com" }).click();
		await toast("The invitation was revoked.");
		await tab("API token");
		await page.getByText("curl").first().waitFor();
		await button("Rotate").or(button("Create token")).first().click();
		await page.getByRole("alertdialog").or(page.locator('figure[aria-label="API token"]')).first().waitFor();
		if (await page.getByRole("alertdialog").isVisible()) {
			await page.getByRole("alertdialog").getByRole("textbox").fill("rotate");
			await page.getByRole("alertdialog").getByRole("button", { name: "Rotate token" }).click();
		}
		const token = await page.locator('figure[aria-label="API token"]').innerText();
		assert.match(token, /^ort_\w{38}$/);
		program.token = token;
	});

	await step("suppressions: add, import, remove", async () => {
		await go("Suppressions");
		await button("Add").click();
		await drawer.getByLabel("Address or domain").fill("a b");
		await button("Suppress", drawer).click();
		await drawer.getByText(/must be a domain/).waitFor();
		assert.equal(await drawer.getByText(/must be a domain/).count(), 1, "the error of the domain is shown once");
		await drawer.getByLabel("Address or domain").fill("rival.example");
		// The row is there before the list is asked for again.
		const kept = [];
		await page.route("**/graphql", (route) =>
			route.request().postData()?.includes('"operationName":"Suppressions"') ? kept.push(route) : route.continue(),
		);
		await button("Suppress", drawer).click();
		await toast("Everyone at rival.example suppressed.");
		await page.getByRole("row", { name: /rival\.example/ }).waitFor();
		await page.unroute("**/graphql");
		await Promise.all(kept.map((route) => route.continue().catch(() => undefined)));
		await button("Import").click();
		await drawer.getByLabel("Addresses and domains").fill("one@old.example\ntwo@old.example, asked\nrival.example");
		await button("Suppress 3", drawer).click();
		await drawer.getByText("2 suppressions added, 1 already existed, 0 failed. 0 enrollments stopped.").waitFor();
		await button("Done", drawer).click();
		await page.getByRole("button", { name: "Remove one@old.example" }).click();
		await page.getByRole("alertdialog").getByRole("button", { name: "Remove suppression" }).click();
		await toast("is no longer suppressed");
		await page.getByRole("row", { name: /one@old/ }).waitFor({ state: "detached" });
	});

	await step("offers: make one, see that it is unread", async () => {
		await go("Offers");
		await button("New offer").first().click();
		await drawer.getByLabel("Title").fill("Ten seats");
		await drawer.getByLabel("A page written here").check();
		await drawer.getByLabel("Page (HTML)").fill("<h1>Ten seats</h1><p>For the price of eight.</p>");
		await button("Save", drawer).click();
		await drawer.getByText("Unread", { exact: true }).waitFor();
		await page.frameLocator("iframe").getByText("Ten seats").waitFor();
		await button("Close", drawer).click();
	});

	await step("enroll the personas together: choose, progress, summary", async () => {
		await go("Prospects");
		await page.getByLabel("Search prospects").fill("personas.example");
		await page.waitForFunction((n) => document.querySelectorAll(".list-body .row").length === n, PERSONAS.length);
		await page.getByRole("checkbox", { name: "Select" }).first().check();
		await button(`Select all ${PERSONAS.length}`).click();
		const bar = page.locator(".bulk"),
			choose = async () =>
				bar
					.locator("select")
					.selectOption(await bar.locator("option", { hasText: "Autumn launch" }).getAttribute("value"));
		await choose();
		await button(`Enroll ${PERSONAS.length}`).click();
		await page.getByText(`${PERSONAS.length} prospects enrolled, 0 already in the campaign, 0 refused.`).waitFor();
		await check(page, "end of a bulk enrollment");
		await button("Done").click();
	});

	await step("enroll all that match a filter, past what is loaded; leave, and come back to the end", async () => {
		await page.getByLabel("Search prospects").fill("");
		await page.waitForURL((url) => !url.search);
		await page
			.getByRole("row", { name: /silent/ })
			.first()
			.waitFor();
		await page.getByRole("checkbox", { name: "Select" }).first().check();
		await button("Select all matching").click();
		const all = (ROWS + PERSONAS.length + 1).toLocaleString("en");
		await page.getByText(`${all} prospects selected`).waitFor({ timeout: 120_000 });
		await button("Select all matching").waitFor({ state: "detached" });
		await check(page, "bulk enrollment");
		await page
			.locator(".bulk select")
			.selectOption(await page.locator(".bulk option", { hasText: "For later" }).getAttribute("value"));
		await button(`Enroll ${all}`).click();
		await go("Campaigns");
		await page.getByRole("link", { name: /^(Enrolling in For later|Show result)$/ }).click();
		await page
			.getByText(/^[\d,]+ prospects enrolled, 0 already in the campaign, \d+ refused\.$/)
			.waitFor({ timeout: 120_000 });
		await button("Done").click();
	});

	if (!mock) {
		await step("every kind of event reaches the receiver and shows in the history", async () => {
			for (const type of ["sent", "replied", "clicked", "bounced", "unsubscribed"]) {
				await page.goto(`${base}/settings/integrations?type=${type}&status=delivered`);
				await page
					.getByRole("row", { name: new RegExp(type) })
					.first()
					.waitFor({ timeout: 90_000 });
			}
			await page
				.getByRole("row", { name: /unsubscribed/ })
				.first()
				.click();
			await drawer.getByText(/"type": "unsubscribed"/).waitFor();
			await drawer.getByLabel("Raw bytes").check();
			await drawer.getByText(/"type":"unsubscribed"/).waitFor();
			await button("Close", drawer).click();
		});

		await step("statistics: the funnel of those who were written to, with the figures as text", async () => {
			await page.goto(`${base}/campaigns`);
			await page
				.getByRole("row", { name: /^Autumn launch/ })
				.first()
				.click();
			const stages = page.getByRole("list", { name: "From everyone enrolled to positive replies" });
			const said = (stage) =>
				stages
					.getByRole("listitem")
					.filter({ hasText: new RegExp(`^${stage}`) })
					.innerText();
			await stages.waitFor();
			assert.match(await said("People"), /^People\s+[1-9][\d,]*\s+enrolled$/);
			assert.match(await said("Written to"), /^Written to\s+[1-9][\d,]*\s+[\d.]+ % of the people$/);
			for (const stage of ["Clicked", "Replied", "Positive"])
				assert.match(await said(stage), new RegExp(`^${stage}\\s+[\\d,]+\\s+[\\d.]+ % of those written to$`));
			assert.deepEqual(
				await page.getByRole("heading", { level: 2 }).allTextContents(),
				["By step", "Last 28 days"],
				"the funnel, then the steps, then the chart",
			);
			for (const width of [1280, 390, 360]) {
				await page.setViewportSize({ width, height: 800 });
				await check(page, `statistics at ${width} px`);
				const cut = await page
					.getByRole("region", { name: "By step" })
					.evaluate((part) =>
						[...part.querySelectorAll("dd, td")]
							.filter((cell) => cell.getBoundingClientRect().right > part.getBoundingClientRect().right + 1)
							.map((cell) => cell.textContent),
					);
				assert.deepEqual(cut, [], `figures of the steps are cut at ${width} px`);
			}
			await page.setViewportSize({ width: 1440, height: 900 });
		});

		await step("deliverability: the chart of the mailbox shows what came back", async () => {
			await page.goto(`${base}/deliverability`);
			const box = page.getByRole("region", { name: "Mailboxes" }).getByRole("listitem").first();
			await box.getByText(/^[1-9] of [\d,]+, paused at \d+$/).waitFor();
			await box.getByRole("img", { name: /^Bounces over 7 days, .*, now [\d.]+ %$/ }).waitFor();
			assert.ok(await box.locator(".outcome polyline").count(), "the days with mails have a line");
			await check(page, "deliverability");
		});

		await step("mailboxes: the list says what became of the mails of 30 days", async () => {
			await page.goto(`${base}/mailboxes`);
			const row = page.getByRole("row").nth(1);
			await row
				.getByTitle(/^[1-9]\d* of [\d,]+ mails? in 30 days$/)
				.first()
				.waitFor();
			for (const width of [1440, 1024, 390, 360]) {
				await page.setViewportSize({ width, height: 844 });
				await check(page, `mailboxes at ${width} px`);
			}
			await page.setViewportSize({ width: 1440, height: 900 });
		});

		await step("inbox: automatic replies lie folded under one line", async () => {
			await page.goto(`${base}/inbox`);
			await page.getByRole("button", { name: /automatic repl/ }).click({ timeout: 60_000 });
			await page.getByRole("listbox", { name: "Automatic replies" }).getByRole("option").first().click();
			await page.getByText("Automatic reply.").waitFor();
		});

		await step("live: the reply shows without a reload, with its reason; marked by keys", async () => {
			await page
				.getByRole("navigation", { name: "Main", exact: true })
				.getByRole("link", { name: /^Inbox/ })
				.click();
			const reply = page.getByRole("option", { name: /Ada/ });
			await reply.waitFor({ timeout: 90_000 });
			await reply.click();
			await page.getByRole("heading", { name: /Hello Ada/ }).waitFor();
			await page.getByText("Why:").waitFor();
			await page
				.getByRole("complementary", { name: "Prospect" })
				.getByText(/Replied: no more mails are sent|For later is/)
				.waitFor();
			await page.setViewportSize({ width: 1024, height: 768 });
			await page.locator(".conversation").getByRole("link", { name: "Ada" }).waitFor(); // where there is no room for the prospect at the side
			await page.setViewportSize({ width: 1440, height: 900 });
			await check(page, "inbox");
			await page.keyboard.press("n");
			await page.locator("button[aria-pressed=true]", { hasText: "Negative" }).waitFor();
			await page.keyboard.press("p");
			await page.locator("button[aria-pressed=true]", { hasText: "Positive" }).waitFor();
		});

		await step("live: a reply that is marked as automatic lets enrollments go on, on every open page", async () => {
			const { prospects } = await ask(page, 'query Ada { prospects(first: 1, search: "Ada") { nodes { id } } }');
			const ada = prospects.nodes[0].id;
			const { enrollments } = await ask(
				page,
				"query Of($id: UUID!) { enrollments(prospectId: $id, status: replied) { nodes { campaignId } } }",
				{ id: ada },
			);
			const other = await page.context().newPage();
			await other.goto(`${base}/campaigns/${enrollments.nodes[0].campaignId}/people/${ada}?search=Ada`);
			const replied = [
				page.getByRole("complementary", { name: "Prospect" }).getByRole("region", { name: "Campaigns" }),
				other.getByRole("dialog").getByRole("region", { name: "Campaigns" }),
				other.locator("[data-index]").filter({ hasText: "Ada" }),
			].map((part) => part.getByText("Replied", { exact: true }).first());
			for (const badge of replied) await badge.waitFor();
			await button("Mark as automatic").click();
			await waitForToast(page, "Marked as automatic.");
			for (const badge of replied) await badge.waitFor({ state: "detached" });
			await button("Undo").click();
			await waitForToast(page, "Undone.");
			for (const badge of replied) await badge.waitFor();
			await other.close();
		});

		await step("a draft outlives a reload; an answer is taken back, then leaves", async () => {
			const text = page.getByRole("textbox", { name: /^Answer to / });
			await page.keyboard.press("r");
			await page.keyboard.type("Gladly: see the plan."); // before the editor is there, too
			await text.waitFor();
			await page.locator(".composer-text", { hasText: "Gladly: see the plan." }).waitFor();
			await page.getByText("Draft saved.").waitFor();
			await check(page, "composer");
			await button("Discard the draft").click();
			await text.waitFor({ state: "detached" });
			await page.keyboard.press("z");
			await page.locator(".composer-text", { hasText: "Gladly: see the plan." }).waitFor();
			await page.reload();
			await button("Continue reply").click();
			await page.locator(".composer-text", { hasText: "Gladly: see the plan." }).waitFor();
			await text.press("Control+Enter");
			await button("Undo").click();
			await page.getByText("Answer withdrawn.").waitFor();
			await page.getByRole("option", { name: /Ada/ }).waitFor();
			await page.locator(".composer-text", { hasText: "Gladly: see the plan." }).waitFor();
			await text.press("Control+Enter");
			await page.getByRole("article", { name: /^Scheduled: Re: / }).waitFor();
			await page.goto(`${base}/inbox?show=done`);
			await page.getByRole("option", { name: /Ada/ }).click();
			await page.locator(".message.ours", { hasText: "Gladly: see the plan." }).waitFor();
			await page.getByRole("article", { name: /^Scheduled: / }).waitFor({ state: "detached", timeout: 60_000 });
			await page.locator(".message.ours", { hasText: "Gladly: see the plan." }).waitFor();
		});

		await step("companies: the temperature follows, with its reason", async () => {
			await go("Companies");
			await page.getByLabel("Temperature").selectOption("hot");
			await page.getByRole("row", { name: /Acme/i }).click();
			await drawer.getByText("Hot", { exact: true }).waitFor();
			await button("Close", drawer).click();
		});

		await step("live: what a program adds shows in the list within seconds", async () => {
			await go("Prospects");
			await page
				.getByRole("row", { name: /silent/ })
				.first()
				.waitFor();
			const made = await fetch(`${base}/api/v1/prospects`, {
				method: "POST",
				headers: { Authorization: `Bearer ${program.token}`, "Content-Type": "application/json" },
				body: JSON.stringify({ email: "from.api@live.example", first_name: "Fresh" }),
			});
			assert.equal(made.status, 201);
			await page.getByRole("row", { name: /Fresh/ }).waitFor({ timeout: 15_000 });
		});

		await step("live: what changes far down the list shows there, and the place stays", async () => {
			const grid = page.getByRole("grid", { name: "Prospects" });
			const top = () => grid.evaluate((element) => element.scrollTop);
			const far = Math.min(400, ROWS - 50) * 40;
			while ((await top()) < far) {
				await grid.evaluate((element) => element.scrollBy(0, 2_000));
				await page.waitForTimeout(50);
			}
			const email = (await page.getByRole("row").nth(15).locator(".mail").innerText()).trim();
			const headers = { Authorization: `Bearer ${program.token}`, "Content-Type": "application/json" };
			const {
				data: [found],
			} = await (await fetch(`${base}/api/v1/prospects?email=${encodeURIComponent(email)}`, { headers })).json();
			const before = await top();
			assert.equal(
				(
					await fetch(`${base}/api/v1/prospects/${found.id}`, {
						method: "PATCH",
						headers,
						body: JSON.stringify({ first_name: "Far below" }),
					})
				).status,
				200,
			);
			await page.getByRole("row", { name: /Far below/ }).waitFor({ timeout: 15_000 });
			assert.equal(await top(), before);
		});
	}

	await step("the checklist ticked itself and is gone or nearly so", async () => {
		await go("Overview");
		await page.getByRole("heading", { name: "Activity" }).waitFor();
		const open = await page
			.locator(".lines a", { hasText: /Connect a mailbox|Add prospects|Write a campaign|Add a webhook/ })
			.count();
		assert.equal(open, 0);
	});

	await step("the overview has a chart of the days, by keys and as a table", async () => {
		const chart = page.getByRole("img", { name: /^Sent and replies of each of 28 days/ });
		await chart.focus();
		await page.keyboard.press("ArrowLeft");
		await page.getByText(/^[A-Z][a-z]{2} \d+: sent [1-9]/).waitFor();
		await page.getByRole("button", { name: "Show as a table" }).click();
		await page.getByRole("columnheader", { name: "Opens (upper bound)" }).waitFor();
		await check(page, "the overview with a table");
		await page.getByRole("button", { name: "Show the chart" }).click();
		await chart.waitFor();
	});
}
