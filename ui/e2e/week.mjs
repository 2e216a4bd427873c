// The first week of a person with the product, by the mouse or by the keyboard alone: a mailbox, a campaign, the
// import of an odd file with 300 rows, the check, answers, an old mail, a suppression taken back, the statistics. It
// counts clicks and keys; docs/measurements.md keeps them.
import assert from "node:assert/strict";
import { signIn } from "./signin.mjs";
import { toast } from "./toast.mjs";

const ROWS = 300,
	REPLIES = 6; // five are answered, one is put off

/** The file as another program writes it: German names of columns, a stray quotation, a zone that does not exist. */
function odd(tag) {
	const lines = ["E-Mail Adresse;Vorname;Firma;Telefon;Zeitzone"];
	for (let n = 0; n < REPLIES; n++)
		lines.push(`reply+${tag}${n}@week.example;Wanda${tag}${n};Week;+49 30 100${n};Europe/Berlin`);
	for (let n = REPLIES; n < ROWS; n++)
		lines.push(
			`silent+${tag}${n}@odd${n % 9}.example;${n % 20 === 0 ? "" : `Otto ${n}`};"Odd; Ltd ${n % 9}";030 ${10_000 + n};Europe/Berlin`,
		);
	lines[50] = `"Anna Keller" <silent+${tag}anna@odd.example>;Anna;Odd;;Europe/Berlin`;
	lines[60] = `silent+${tag}zone@odd.example;Zoe;Odd;;Mars/Olympus`;
	return { name: `week-${tag}.csv`, mimeType: "text/csv", buffer: Buffer.from(`\uFEFF${lines.join("\r\n")}\r\n`) };
}

/** What a hand does, and how much of it there was since the last look. */
function handOf(page, way) {
	let clicks = 0,
		keys = 0;
	const press = async (...all) => {
		for (const key of all) {
			keys++;
			await page.keyboard.press(key);
		}
	};
	const has = (locator) =>
		locator.evaluate((element) => element === document.activeElement || element.contains(document.activeElement));
	const reach = async (locator) => {
		await locator.waitFor();
		for (let n = 0; n < 120; n++) {
			if (await has(locator)) return;
			await press("Tab");
		}
		assert.fail(`Tab never reached ${locator}`);
	};
	const click = async (locator) => {
		clicks++;
		await locator.click();
	};
	const mouse = way === "mouse";
	return {
		press,
		use: (locator) => (mouse ? click(locator) : reach(locator).then(() => press("Enter"))),
		tick: (locator) => (mouse ? click(locator) : reach(locator).then(() => press("Space"))),
		fill: async (locator, text) => {
			if (mouse) await click(locator);
			else await reach(locator);
			await page.keyboard.press("Control+a");
			await page.keyboard.insertText(text);
		},
		choose: async (select, label) => {
			if (mouse) {
				clicks += 2;
				await select.selectOption({ label });
			} else {
				await reach(select);
				keys++;
				await page.keyboard.type(label);
			}
		},
		file: async (locator, input, file) => {
			const chooser = page.waitForEvent("filechooser");
			if (mouse) await click(locator);
			else {
				await reach(input);
				await press("Enter");
			}
			await (await chooser).setFiles(file);
		},
		spent: () => {
			const said = mouse ? `${clicks} clicks` : `${keys} keys`;
			clicks = 0;
			keys = 0;
			return said;
		},
	};
}

export async function week(page, program, step, { way, tag }) {
	const mouse = way === "mouse";
	const drawer = page.getByRole("dialog");
	const button = (name, within = page) => within.getByRole("button", { name, exact: true });
	const hand = handOf(page, way);
	const count = (what) => console.log(`     ${tag} ${way}: ${what}: ${hand.spent()}`);
	const chords = { Inbox: "i", Campaigns: "c", Prospects: "p", Mailboxes: "b", Suppressions: "s" };
	const go = async (name) => {
		if (!mouse) {
			await page.evaluate(() => document.activeElement?.blur());
			return hand.press("g", chords[name]);
		}
		const link = page
			.getByRole("link", { name: new RegExp(`^${name}`) })
			.and(page.locator(".entry"))
			.filter({ visible: true });
		if ((await link.count()) === 0) await hand.use(button("More"));
		return hand.use(link.first());
	};
	const name = `Week ${tag}`;
	await signIn(page, program);

	await step(`week ${tag}: connect a mailbox`, async () => {
		await go("Mailboxes");
		await page.getByRole("heading", { name: "Mailboxes" }).waitFor();
		await hand.use(
			page
				.getByRole("link", { name: "Connect a mailbox" })
				.or(button("Connect a mailbox"))
				.or(button("Connect"))
				.first(),
		);
		const { email, smtp, imap } = program.mailbox;
		await hand.use(button("Enter servers by hand", drawer));
		await hand.fill(drawer.getByLabel("E-mail address"), email);
		for (const [group, server] of [
			["Sending (SMTP)", smtp],
			["Reading (IMAP)", imap],
		]) {
			const fields = drawer.getByRole("group", { name: group });
			await hand.fill(fields.getByLabel("Server"), server.host);
			await hand.fill(fields.getByLabel("Port"), String(server.port));
			await fields.getByLabel("Security").selectOption(server.security);
			await hand.fill(fields.getByLabel("User name"), server.username);
		}
		await hand.fill(drawer.getByRole("group", { name: "Sending (SMTP)" }).getByLabel("Password"), smtp.password);
		await hand.fill(drawer.getByLabel("Daily limit"), "5000");
		await hand.fill(drawer.getByLabel("Minimum gap (seconds)"), "0");
		await hand.use(button("Test and connect", drawer));
		await toast(page, "connected.");
		await page.keyboard.press("Escape");
		await drawer.waitFor({ state: "detached" });
		count("connect a mailbox");
	});

	await step(`week ${tag}: write a campaign of one step that is sent at any hour`, async () => {
		await go("Campaigns");
		await hand.use(button("New campaign").first());
		await hand.fill(drawer.getByLabel("Name"), name);
		await hand.use(button("Create campaign", drawer));
		await hand.use(button("Add first step"));
		await hand.fill(page.getByLabel("Subject", { exact: true }), `Plan ${tag} for {{ first_name }}`);
		await page.keyboard.press("Escape"); // closes the list of variables
		await hand.fill(page.getByRole("textbox", { name: "Message of step 1" }), `Hello, this is the plan of ${tag}.`);
		const part = (part) =>
			hand.use(page.getByRole("navigation", { name: "Parts of the campaign" }).getByRole("link", { name: part }));
		await part("Mailboxes");
		await hand.tick(page.getByRole("checkbox", { name: program.mailbox.email }));
		await part("Schedule");
		for (const day of ["Sat", "Sun"])
			await hand.tick(mouse ? page.getByText(day, { exact: true }) : page.getByRole("checkbox", { name: day }));
		await hand.fill(page.getByLabel("From", { exact: true }), "00:00");
		await hand.fill(page.getByLabel("Until", { exact: true }), "23:59");
		if (mouse) await hand.use(button("Save"));
		else await hand.press("Control+s");
		await toast(page, "Saved.");
		count("write and save a campaign");
	});

	await step(`week ${tag}: import an odd file of ${ROWS} rows`, async () => {
		await go("Prospects");
		await hand.use(
			page
				.getByRole("link", { name: /^Import/ })
				.or(page.getByRole("button", { name: /^Import/ }))
				.filter({ visible: true })
				.first(),
		);
		await hand.file(page.locator("label.drop"), page.locator("input[type=file]"), odd(tag));
		await page.getByText(/unknown time zone, such as “Mars\/Olympus” in row 61/).waitFor();
		for (const [column, field] of [
			["E-Mail Adresse", "email"],
			["Telefon", "phone"],
			["Zeitzone", "timezone"],
		])
			assert.equal(await page.getByLabel(`Import ${column} as`).inputValue(), field);
		await hand.use(button("Import without checking"));
		await page.getByText("Import finished").waitFor({ timeout: 60_000 });
		assert.match(
			await page.getByRole("region", { name: "Summary of the import" }).innerText(),
			new RegExp(`Created\\s+${ROWS}`),
		);
		count(`import ${ROWS} rows`);
	});

	await step(
		`week ${tag}: enroll them; the check counts who lacks a name, and one value is filled in for all`,
		async () => {
			await hand.choose(page.locator(".bulk select"), `${name} (draft)`);
			await page.getByText(`${ROWS - 14} of ${ROWS} ready`).waitFor({ timeout: 30_000 });
			await hand.use(button("Fill in first_name"));
			const ask = page.getByRole("alertdialog");
			await hand.fill(ask.getByLabel("Value"), "friend");
			await hand.use(button("Update 14 people", ask));
			await page.getByText(`${ROWS} of ${ROWS} ready`).waitFor({ timeout: 30_000 });
			await hand.use(button(`Enroll ${ROWS}`));
			await page.getByText(`${ROWS} prospects enrolled`).waitFor({ timeout: 60_000 });
			count(`check, fill in and enroll ${ROWS}`);
		},
	);

	await step(`week ${tag}: activate`, async () => {
		await go("Campaigns");
		const row = page.getByRole("row", { name: new RegExp(`^${name}`) });
		if (mouse) await hand.use(row.getByText(name).first());
		else {
			await row.waitFor();
			for (let n = 0; n < 20 && !(await row.evaluate((one) => one === document.activeElement)); n++)
				await hand.press("j");
			await hand.press("Enter");
		}
		await page.getByRole("heading", { name }).waitFor();
		await hand.use(button("Activate"));
		await drawer.getByText("Everyone has the values that the steps print").waitFor();
		await hand.use(button("Activate", drawer));
		await toast(page, "Campaign activated.");
		count("activate");
	});

	await step(`week ${tag}: assign and put off one reply, answer five`, async () => {
		await go("Inbox");
		const option = (n) => page.getByRole("option", { name: new RegExp(`Wanda${tag}${n}\\b`) });
		for (let n = 0; n < REPLIES; n++) await option(n).waitFor({ timeout: 120_000 });
		const heading = page.getByRole("heading", { name: new RegExp(`Plan ${tag} for Wanda`) });
		hand.spent();
		if (mouse) {
			await hand.use(option(0));
			await heading.waitFor();
			await hand.choose(page.getByLabel("Assigned to"), program.email);
			await toast(page, "Assigned to");
			await hand.choose(page.getByLabel("Snooze"), "Tomorrow");
		} else {
			await option(0).focus();
			await hand.press("Enter");
			await heading.waitFor();
			await hand.press("a");
			await toast(page, "Assigned to");
			await hand.press("s");
		}
		await toast(page, "Snoozed until");
		count("assign and snooze a reply");
		for (let n = 1; n < REPLIES; n++) {
			// The next reply of the list, in whatever order they came.
			const before = await heading.textContent({ timeout: 1_000 }).catch(() => "");
			if (mouse) {
				const back = page.getByRole("button", { name: "All replies" });
				if (await back.isVisible()) await back.click();
				await page
					.getByRole("option", { name: new RegExp(`Wanda${tag}`) })
					.first()
					.click();
			} else if (n > 1) await page.keyboard.press("j");
			await page.waitForFunction(
				([was, tag]) => {
					const now = document.querySelector(".conversation h2")?.textContent ?? "";
					return now !== was && now.includes(tag);
				},
				[n > 1 ? before : "", tag],
			);
			hand.spent();
			if (mouse) await hand.use(page.getByRole("button", { name: /^(Reply|Continue reply)/ }));
			else await hand.press("r");
			await page.keyboard.type(`Gladly, number ${n}.`);
			await page.locator(".composer-text", { hasText: `Gladly, number ${n}.` }).waitFor();
			if (mouse)
				await hand.use(
					page
						.locator(".composer")
						.getByRole("button", { name: /^Send Ctrl|^Send ⌘|^Send$/ })
						.first(),
				);
			else await hand.press("Control+Enter");
			await toast(page, "Answer leaves in 10 s.");
			count("answer a reply (beside its text)");
			// What was sent is no draft any more, and leaves the list of what is open.
			await page.getByRole("button", { name: /^Reply/ }).waitFor();
			const left = REPLIES - 1 - n;
			await page.waitForFunction(
				([tag, left]) =>
					[...document.querySelectorAll(".conversations [role=option]")].filter((one) =>
						one.textContent.includes(`Wanda${tag}`),
					).length === left,
				[tag, left],
			);
		}
	});

	await step(`week ${tag}: find an old mail`, async () => {
		hand.spent();
		if (mouse) {
			// On a phone the list with its search lies behind the conversation, which has a button for it.
			const search = button("Search all mail");
			await hand.use((await search.isVisible()) ? search : page.getByRole("searchbox", { name: "Search all mail" }));
		} else {
			await page.evaluate(() => document.activeElement?.blur());
			await hand.press("/");
		}
		await page.keyboard.type(`plan ${tag}`);
		const found = page.getByRole("list", { name: "Found mail" });
		await hand.use(found.getByRole("button").first());
		await page
			.getByRole("heading", { name: new RegExp(`Plan ${tag}`) })
			.first()
			.waitFor();
		count("find an old mail");
	});

	await step(`week ${tag}: suppress a domain, read the numbers, take it back`, async () => {
		await go("Suppressions");
		await hand.use(
			button("Add")
				.or(page.getByRole("button", { name: /^(Add|Suppress)/ }))
				.filter({ visible: true })
				.first(),
		);
		await hand.fill(drawer.getByLabel("Address or domain"), "odd1.example");
		await hand.use(button("Suppress", drawer));
		const ask = page.getByRole("alertdialog");
		await ask.getByText(/^Stops \d+ running enrollment/).waitFor();
		await hand.fill(ask.getByRole("textbox"), "suppress");
		await hand.use(button("Suppress domain", ask));
		await toast(page, "Everyone at odd1.example suppressed.");
		await page
			.getByRole("row", { name: /odd1\.example/ })
			.first()
			.waitFor();
		if (mouse) await hand.use(page.locator(".toast").getByRole("button", { name: /^Undo/ }).last());
		else {
			await page.evaluate(() => document.activeElement?.blur());
			await hand.press("z");
		}
		await toast(page, "Suppression removed.");
		count("suppress a domain and undo it");
	});

	await step(`week ${tag}: read the statistics`, async () => {
		await go("Campaigns");
		const row = page.getByRole("row", { name: new RegExp(`^${name}`) });
		if (mouse) await hand.use(row.getByText(name).first());
		else {
			await row.waitFor();
			for (let n = 0; n < 20 && !(await row.evaluate((one) => one === document.activeElement)); n++)
				await hand.press("j");
			await hand.press("Enter");
		}
		await hand.use(
			page.getByRole("navigation", { name: "Parts of the campaign" }).getByRole("link", { name: "Statistics" }),
		);
		const stages = page.getByRole("list", { name: "From everyone enrolled to positive replies" });
		await stages.getByRole("listitem").filter({ hasText: "Replied" }).waitFor();
		count("read the statistics");
	});
}
