// A list keeps its filters, its place and the focus, whatever is opened over it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { ask } from "./ask.mjs";
import { check } from "./axe.mjs";
import { launch } from "./browser.mjs";
import { signIn } from "./signin.mjs";
import { slow } from "./slow.mjs";
import { still } from "./still.mjs";
import { toast } from "./toast.mjs";

/** Notes in each frame in which the counts of people by status are not those of the rows. All rows are on the screen. */
function watchCounts() {
	globalThis.apart = [];
	const look = () => {
		const badges = [...document.querySelectorAll("[data-index] .badge")].map(({ textContent }) => textContent);
		for (const chip of document.querySelectorAll(".statuses button")) {
			const [, status, n] = /^(.+) (\d+)$/.exec(chip.textContent);
			const rows = badges.filter((badge) => badge === status).length;
			if (status !== "All" && rows !== Number(n)) globalThis.apart.push(`${status} ${n}, ${rows} rows`);
		}
		requestAnimationFrame(look);
	};
	look();
}

export async function lists(page, program, step) {
	const { base } = program;
	const dialog = page.getByRole("dialog");
	const button = (name, within = page) => within.getByRole("button", { name, exact: true });
	const gone = () => dialog.waitFor({ state: "detached" });
	const hasFocus = (what) => page.waitForFunction((text) => document.activeElement?.textContent.includes(text), what);
	await signIn(page, program);
	const person = async (n) =>
		(
			await ask(page, "mutation Make($input: ProspectInput!) { createProspect(input: $input) { id } }", {
				input: { email: `list${n}@lists.example`, firstName: `Listed ${n}` },
			})
		).createProspect.id;
	const people = [await person(1), await person(2)];
	const {
		createCampaign: { id: campaign },
	} = await ask(page, "mutation Make($input: CampaignInput!) { createCampaign(input: $input) { id } }", {
		input: { name: "Listed" },
	});
	for (const prospectId of people)
		await ask(page, "mutation Put($input: EnrollInput!) { enroll(input: $input) { enrollmentCreated } }", {
			input: { campaignId: campaign, prospectId },
		});

	await step("lists: clearing the filters clears the search too, and Back brings it into the box", async () => {
		const search = page.getByLabel("Search prospects");
		await page.goto(`${base}/prospects?status=new`);
		await search.fill("listed 1");
		await page.waitForURL(/search=listed\+1/);
		await button("Clear filters").click();
		await page.getByRole("row", { name: /Listed 2/ }).waitFor();
		assert.equal(await search.inputValue(), "");
		await page.waitForTimeout(400); // longer than a search waits for the next key
		assert.equal(new URL(page.url()).search, "");
		assert.equal(await page.evaluate(() => document.activeElement.id), "main", "the focus stays on the page");
		await page.goBack();
		await page.waitForURL(/search=listed\+1/);
		await page.waitForFunction(() => document.querySelector(".search input").value === "listed 1");
	});

	await step("lists: companies and campaigns are found by a part of their name, without accents", async () => {
		await ask(page, "mutation Make($input: ProspectInput!) { createProspect(input: $input) { id } }", {
			input: { email: "eva@werke.example", companyName: "Ångström Werke" },
		});
		await page.goto(`${base}/companies`);
		const row = (name) => page.getByRole("row", { name });
		await row(/Ångström Werke/).waitFor();
		await row(/lists\.example/).waitFor();
		await page.keyboard.press("/");
		await page.keyboard.type("angstrom w");
		await row(/lists\.example/).waitFor({ state: "detached" });
		await row(/Ångström Werke/).waitFor();
		await page.getByLabel("Temperature", { exact: true }).selectOption("cold");
		await row(/Ångström Werke/).waitFor();
		await page.getByLabel("Search name or domain").fill("werke.ex");
		await page.waitForURL(/search=werke\.ex/);
		await row(/Ångström Werke/).waitFor();
		await page.getByLabel("Search name or domain").fill("nobody");
		await page.getByText("No companies match this search.").waitFor();
		await page.keyboard.press("Escape");
		await page.keyboard.press("Control+k");
		await page.keyboard.type("angstrom w");
		await page.locator(".palette-item[data-active-item]", { hasText: "Ångström Werke" }).waitFor();
		await page.keyboard.press("Enter");
		await page.getByRole("dialog", { name: "Ångström Werke" }).waitFor();
		await page.goto(`${base}/campaigns`);
		await row(/^Listed/).waitFor();
		await page.getByLabel("Search campaigns").fill("ÍSTED");
		await page.waitForURL(/search=/);
		await row(/^Listed/).waitFor();
		await page.getByLabel("Search campaigns").fill("istet");
		await page.getByText("No campaigns match this search.").waitFor();
		await button("Clear filters").click();
		await row(/^Listed/).waitFor();
	});

	await step("lists: the focus comes back to the row, also from a form that took its place", async () => {
		await page.goto(`${base}/prospects?search=listed`);
		const row = page.getByRole("row", { name: /Listed 1/ });
		await row.focus();
		await page.keyboard.press("Enter");
		await button("Edit", dialog).click();
		await dialog.getByLabel("E-mail").waitFor();
		assert.ok(
			await page.evaluate(() => !document.querySelector(".toasts").closest('[inert], [aria-hidden="true"]')),
			"what is said beside a drawer is heard",
		);
		await page.keyboard.press("Escape");
		await button("Edit", dialog).waitFor();
		await page.keyboard.press("Escape");
		await gone();
		await hasFocus("Listed 1");
	});

	await step("lists: a filter keeps to itself only the keys that it needs", async () => {
		await page.goto(`${base}/prospects?search=listed`);
		await page.getByRole("row", { name: /Listed 2/ }).waitFor();
		await page.getByLabel("Status").focus();
		await page.keyboard.press("Escape");
		await page.keyboard.press("j");
		await hasFocus("Listed");
		assert.equal(new URL(page.url()).search, "?search=listed");
	});

	await step("lists: the oldest of many campaigns can be chosen; a box says whom it chooses", async () => {
		for (let from = 0; from < 110; from += 10) {
			const ten = Array.from(
				{ length: 10 },
				(_, n) => `m${n}: createCampaign(input: { name: "Many ${from + n}" }) { id }`,
			);
			await ask(page, `mutation Many { ${ten.join(" ")} }`);
		}
		await page.goto(`${base}/prospects?campaign=${campaign}`);
		await page.getByRole("row", { name: /Listed 2/ }).waitFor();
		await page.waitForFunction(() => {
			const menu = document.querySelector('select[aria-label="Campaign"]');
			return menu.selectedOptions[0].textContent === "Listed";
		});
		for (const menu of [page.locator("select.filter.campaign"), page.locator(".bulk select")]) {
			if (!(await menu.isVisible())) await page.getByRole("checkbox", { name: "Select Listed 1" }).check();
			await menu.selectOption("Search campaigns…");
			const search = page.getByRole("dialog", { name: "Search campaigns" });
			await search.getByRole("option", { name: /Many 109/ }).waitFor();
			await check(page, "search of campaigns");
			await page.keyboard.type("LISTÉD");
			await search.getByRole("option", { name: /^Listed/ }).waitFor();
			await search.getByRole("option", { name: /Many/ }).first().waitFor({ state: "detached" });
			await page.keyboard.press("Enter");
			await search.waitFor({ state: "detached" });
			assert.equal(await menu.inputValue(), campaign);
		}
		assert.equal(new URL(page.url()).searchParams.get("campaign"), campaign);
		await button("Clear selection").click();
		await page.keyboard.press("Control+k");
		await page.keyboard.type("pause many 0");
		await page.getByText("Nothing is found.").waitFor();
		await page.keyboard.press("Escape");
		await page.getByRole("checkbox", { name: "Select Listed 1" }).check();
		await page.getByText("1 prospect selected").waitFor();
	});

	await step("lists: while the next page is on its way the grid holds rows only", async () => {
		const fast = await slow(page, ["Campaigns"], 1_500);
		await page.goto(`${base}/campaigns`);
		await page.getByText("Loading more…").waitFor();
		await check(page, "campaigns while more are loaded");
		await fast();
	});

	await step("lists: a head sorts the whole list, both ways, and lets go again", async () => {
		await page.goto(`${base}/prospects?search=listed`);
		await page.getByRole("row", { name: /Listed 1/ }).waitFor();
		const firstName = () => page.locator(".list-body .row .c-title").first().innerText();
		const head = page.getByRole("columnheader", { name: "Name" });
		await button("Name", head).click();
		assert.deepEqual([await firstName(), await head.getAttribute("aria-sort")], ["Listed 1", "ascending"]);
		await button("Name", head).click();
		assert.deepEqual([await firstName(), await head.getAttribute("aria-sort")], ["Listed 2", "descending"]);
		await button("Name", head).click();
		assert.equal(await head.getAttribute("aria-sort"), null);
	});

	await step("lists: j and k go on while a row is open; Escape in the search gives the keys back", async () => {
		await page.goto(`${base}/prospects?search=listed`);
		await page.getByRole("row", { name: /Listed 2/ }).click();
		await dialog.getByRole("heading", { name: "Listed 2" }).waitFor();
		await page.keyboard.press("j");
		await dialog.getByRole("heading", { name: "Listed 1" }).waitFor();
		await page.keyboard.press("k");
		await dialog.getByRole("heading", { name: "Listed 2" }).waitFor();
		await page.keyboard.press("Escape");
		await gone();
		await page.getByLabel("Search prospects").focus();
		await page.keyboard.press("Escape");
		await page.keyboard.press("j");
		await hasFocus("Listed");
		await page.keyboard.press("g");
		await page.keyboard.press("i");
		await page.getByRole("heading", { name: "Inbox" }).waitFor();
	});

	await step("lists: the overview keeps its period", async () => {
		await page.goto(base);
		await page.getByLabel("Period").selectOption("90");
		await page.getByText("in the 90 days before").first().waitFor();
		await page.getByRole("link", { name: "Prospects", exact: true }).click();
		await page.getByRole("heading", { name: "Prospects" }).waitFor();
		await page.goBack();
		await page.getByText("in the 90 days before").first().waitFor();
	});

	await step("lists: people of a campaign open over it, filtered or not", async () => {
		await page.goto(`${base}/campaigns/${campaign}/people`);
		const row = page.getByRole("row", { name: /Listed 1/ });
		await button("Pause", row).click();
		await row.getByText("Paused", { exact: true }).waitFor();
		const standing = page.getByRole("group", { name: "Status" });
		await standing.getByRole("button", { name: "Paused 1" }).click();
		await page.getByRole("row", { name: /Listed 2/ }).waitFor({ state: "detached" });
		await row.getByText("Paused", { exact: true }).click();
		await dialog.getByText("list1@lists.example").waitFor();
		await dialog.getByText("Paused in Listed.").waitFor();
		await page.keyboard.press("Escape");
		await gone();
		assert.match(page.url(), /\/campaigns\/[^/]+\/people\?status=paused$/);
		await hasFocus("Listed 1");
	});

	await step("lists: people of a campaign are counted by status, filtered by it, and searched", async () => {
		await page.goto(`${base}/campaigns/${campaign}/people`);
		const standing = page.getByRole("group", { name: "Status" });
		await page.getByRole("row", { name: /Listed 2/ }).waitFor();
		assert.deepEqual(await standing.getByRole("button").allTextContents(), ["All 2", "Active 1", "Paused 1"]);
		await check(page, "people of a campaign by status");
		const search = page.getByLabel("Search people");
		await search.fill("list2@li");
		await page.waitForURL(/search=list2/);
		await page.getByRole("row", { name: /Listed 1/ }).waitFor({ state: "detached" });
		await page.getByRole("row", { name: /Listed 2/ }).waitFor();
		await page.getByText("1 of 2 people").waitFor();
		assert.deepEqual(await standing.getByRole("button").allTextContents(), ["All 1", "Active 1", "Paused 0"]);
		await standing.getByRole("button", { name: "Paused 0" }).click();
		await page.getByText("0 of 2 people").waitFor();
		await page
			.getByText("No paused people in this campaign match “list2@li”. Search matches the beginnings of words.")
			.waitFor();
		await check(page, "no people found in a campaign");
		await search.fill("LISTED 1");
		await page.getByRole("row", { name: /Listed 1/ }).waitFor();
		await button("Clear filters").click();
		await page.getByRole("row", { name: /Listed 2/ }).waitFor();
		for (const width of [1280, 390, 360]) {
			await page.setViewportSize({ width, height: 800 });
			await check(page, `people of a campaign at ${width} px`);
		}
		await page.setViewportSize({ width: 1440, height: 900 });
	});

	await step("lists: stopping and starting again say what they do", async () => {
		const ask = page.getByRole("alertdialog");
		await page.goto(`${base}/campaigns/${campaign}/people`);
		const row = page.getByRole("row", { name: /Listed 2/ });
		await button("Stop", row).click();
		await ask.getByText("unless you resume it").waitFor();
		await button("Stop enrollment", ask).click();
		await toast(page, "1 enrollment stopped.");
		await row.getByText("Stopped", { exact: true }).waitFor();
		await button("Resume", row).click();
		await ask.getByText(/will get step 1/).waitFor();
		await button("Resume", ask).click();
		await toast(page, "Resumed.");
		await row.getByText("Active", { exact: true }).waitFor();
		await button("Stop", row).click();
		await button("Stop enrollment", ask).click();
		await row.getByText("Stopped", { exact: true }).waitFor();
		await button("Restart", row).click();
		await ask.getByText("every mail of this campaign again").waitFor();
		await button("Restart", ask).click();
		await toast(page, "Restarted from step 1.");
		await row.getByText("Active", { exact: true }).waitFor();
	});

	await step("lists: columns give way until all fit, at any width", async () => {
		const { createOffer: offer } = await ask(
			page,
			"mutation Make($input: OfferInput!) { createOffer(input: $input) { id } }",
			{ input: { title: "Listed", targetUrl: "https://example.com" } },
		);
		await ask(page, "mutation Make($input: SuppressionInput!) { createSuppression(input: $input) { created } }", {
			input: { email: "listed@example.com", note: "Asked for it ".repeat(9) },
		});
		for (const path of [
			"campaigns",
			"prospects",
			"companies",
			"offers",
			"mailboxes",
			"suppressions",
			"settings/integrations",
			`campaigns/${campaign}/people`,
		]) {
			await page.setViewportSize({ width: 1440, height: 900 });
			await page.goto(`${base}/${path}`);
			await page.locator(".list, .empty").first().waitFor();
			if ((await page.locator(".list").count()) === 0) continue;
			for (const width of [1440, 1280, 1180, 1100, 1024, 960, 900, 820, 768, 761, 760, 390]) {
				await page.setViewportSize({ width, height: 900 });
				const { over, cut, shown } = await page
					.locator(".list")
					.first()
					.evaluate((list) => ({
						over: list.scrollWidth - list.clientWidth,
						shown: [...list.querySelectorAll(".list-body .row:first-child > *")].filter((cell) => cell.offsetWidth > 0)
							.length,
						cut: [...list.querySelectorAll("[role=columnheader]:not(.c-check), [role=gridcell]:has(.badge)")]
							.filter((part) => part.offsetWidth > 0 && part.scrollWidth > part.clientWidth + 1)
							.map((part) => part.textContent),
					}));
				assert.ok(over <= 0, `${path} at ${width} px scrolls ${over} px sideways`);
				assert.deepEqual(cut, [], `${path} at ${width} px cuts off`);
				assert.ok(shown >= 3, `${path} at ${width} px shows ${shown} columns`);
			}
		}
		await page.setViewportSize({ width: 1440, height: 900 });
		await ask(page, "mutation Drop($id: UUID!) { deleteOffer(id: $id) }", { id: offer.id });
	});

	await step("lists: a campaign says how it sends where there is no room for the column", async () => {
		await page.goto(`${base}/campaigns`);
		for (const [width, small, column] of [
			[1440, false, true],
			[900, true, false],
			[780, true, false],
		]) {
			await page.setViewportSize({ width, height: 800 });
			const row = page.locator('[data-index="0"]');
			await row.waitFor();
			await row.locator(".once-y3").waitFor({ state: small ? "visible" : "hidden" });
			assert.equal(await page.getByRole("columnheader", { name: "Sending" }).isVisible(), column, `at ${width} px`);
			const over = await row
				.locator(".c-title")
				.evaluate((cell) => cell.scrollHeight - cell.parentElement.clientHeight);
			assert.ok(over <= 0, `the name is cut at ${width} px`);
			await check(page, `campaigns at ${width} px`);
		}
		await page.setViewportSize({ width: 1440, height: 900 });
	});

	await step("lists: on a phone the filters are behind a button that counts them", async () => {
		for (const width of [390, 360]) {
			await page.setViewportSize({ width, height: 800 });
			for (const [path, active] of [
				[`prospects?status=new&campaign=${campaign}`, 2],
				["campaigns?status=draft", 1],
				["companies?temperature=cold", 1],
				["suppressions?reason=manual", 1],
				["settings/integrations?status=failed&since=7", 2],
				["inbox?show=all&interest=positive", 2],
				[`campaigns/${campaign}/people?status=active`, 1],
			]) {
				await page.goto(`${base}/${path}`);
				const filters = page.getByRole("button", { name: /^Filters/ });
				await filters.waitFor();
				assert.equal(await filters.innerText(), `Filters (${active})`, path);
				const { height } = await page.locator(".filters").boundingBox();
				assert.ok(height <= 44, `the filters of ${path} take ${height} px at ${width} px`);
				await filters.click();
				await check(page, `the filters of ${path} at ${width} px`);
				await button("Clear filters").click();
				await button("Filters").waitFor();
				assert.equal(new URL(page.url()).search, "", path);
			}
		}
		await page.setViewportSize({ width: 1440, height: 900 });
	});

	await step(
		"lists: on a phone the people of a campaign begin within 200 px, its actions are in one menu",
		async () => {
			for (const width of [390, 360]) {
				await page.setViewportSize({ width, height: 800 });
				await page.goto(`${base}/campaigns/${campaign}/people`);
				const { y } = await page.getByRole("row", { name: /Listed 1/ }).boundingBox();
				const { y: other } = await page.getByRole("row", { name: /Listed 2/ }).boundingBox();
				assert.ok(Math.min(y, other) <= 200, `the first person is ${Math.min(y, other)} px down at ${width} px`);
				await button("More for this campaign").click();
				await page.getByRole("menuitem", { name: "Duplicate campaign" }).waitFor();
				await check(page, `the menu of a campaign at ${width} px`);
				await page.getByRole("menuitem", { name: "Delete campaign" }).click();
				await page.getByRole("alertdialog").waitFor();
				await page.keyboard.press("Escape");
				await page.waitForFunction(
					() => document.activeElement.getAttribute("aria-label") === "More for this campaign",
				);
				await button("Enroll a prospect").click();
				await page.getByRole("combobox", { name: "Enroll a prospect" }).waitFor();
			}
			await page.setViewportSize({ width: 1440, height: 900 });
		},
	);

	await step("lists: beside a scrollbar the rows end where the head does", async () => {
		const browser = await launch({ ignoreDefaultArgs: ["--hide-scrollbars"] });
		const other = await browser.newPage({ viewport: { width: 1280, height: 800 } });
		await signIn(other, program);
		for (const path of ["campaigns", "prospects", "companies", "suppressions"]) {
			await other.goto(`${base}/${path}`);
			await other.locator(".list").waitFor();
			const { bar, row, head } = await other.evaluate(() => {
				const list = document.querySelector(".list");
				const heads = [...list.querySelectorAll("[role=columnheader]")].filter((one) => one.offsetWidth > 0);
				return {
					bar: list.offsetWidth - list.clientWidth,
					row: heads.at(-1).getBoundingClientRect().right,
					head: document.querySelector(".actions").getBoundingClientRect().right,
				};
			});
			assert.ok(bar > 0, "there is a scrollbar");
			assert.ok(Math.abs(row - head) <= 1, `the rows of ${path} end at ${row}, the head at ${head}`);
		}
		await browser.close();
	});

	await step("lists: selected people of a campaign are paused, resumed and stopped together", async () => {
		await page.goto(`${base}/campaigns/${campaign}/people`);
		const statuses = async (status, n) =>
			page.waitForFunction(
				([wanted, rows]) =>
					[...document.querySelectorAll("[data-index] .badge")].filter((one) => one.textContent === wanted).length ===
					rows,
				[status, n],
			);
		const select = async () => {
			await page.getByRole("checkbox", { name: "Select Listed 1" }).check();
			await page.getByRole("checkbox", { name: "Select Listed 2" }).check();
		};
		await select();
		await button("Pause 1").click(); // the other is paused already
		await toast(page, "1 person paused.");
		await statuses("Paused", 2);
		await select();
		await page.evaluate(watchCounts);
		await button("Resume 2").click();
		await toast(page, "2 people resumed.");
		await statuses("Active", 2);
		assert.deepEqual(await page.evaluate(() => globalThis.apart), [], "counts and rows contradict each other");
		await select();
		await page.getByRole("checkbox", { name: "Select Listed 1" }).uncheck();
		await button("Pause 1").click();
		await statuses("Paused", 1);
		await select();
		await button("Stop 2").click();
		const confirm = page.getByRole("alertdialog");
		await confirm.getByText(/^Stops 2 enrollments of this campaign/).waitFor();
		await button("Stop enrollments", confirm).click();
		await toast(page, "2 people stopped.");
		await statuses("Stopped", 2);
		await button("Undo").first().click();
		await toast(page, "2 enrollments restored.");
		await statuses("Paused", 1);
		await statuses("Active", 1);
	});

	await step("lists: stopped prospects are restored, and who cannot be is counted", async () => {
		await page.goto(`${base}/prospects?search=Listed`);
		for (const name of ["Listed 1", "Listed 2"]) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
		await button("Stop").click();
		const confirm = page.getByRole("alertdialog");
		await confirm.getByText("Stops 2 running enrollments.").waitFor();
		await confirm.getByRole("textbox").fill("stop");
		await button("Stop enrollments", confirm).click();
		await toast(page, "2 enrollments stopped.");
		const { createSuppression: made } = await ask(
			page,
			"mutation Make($input: SuppressionInput!) { createSuppression(input: $input) { suppression { id } } }",
			{ input: { email: "list1@lists.example" } },
		);
		await button("Undo").first().click();
		await toast(page, "1 enrollment restored. 1 stayed stopped.");
		await ask(page, "mutation Drop($id: UUID!) { deleteSuppression(id: $id) }", { id: made.suppression.id });
	});

	await step("lists: what the filters find is exported", async () => {
		const rows = async (path, name) => {
			await page.goto(`${base}/${path}`);
			const [file] = await Promise.all([page.waitForEvent("download"), button("Export").click()]);
			assert.match(file.suggestedFilename(), new RegExp(`^${name}-\\d{4}-\\d{2}-\\d{2}\\.csv$`));
			await toast(page, "exported.");
			return (await readFile(await file.path(), "utf8")).slice(1).split("\r\n");
		};
		const found = await rows(`campaigns/${campaign}/people?search=${encodeURIComponent("Listed 1")}`, "people");
		assert.equal(found.length, 2, found.join("\n"));
		assert.match(found[1], /^"list1@lists\.example","Listed 1",/);
		const campaigns = await rows("campaigns?search=Listed", "campaigns");
		assert.match(campaigns[0], /^"name","status","people",/);
		assert.match(campaigns[1], /^"Listed","\w+","\d+","\d+","\d+","\d+","\d+",/);
		const { mailboxes } = await ask(page, "query Boxes { mailboxes { nodes { id } } }");
		assert.equal((await rows("mailboxes", "mailboxes")).length, 1 + mailboxes.nodes.length);
		const { deliveries } = await ask(page, "query Told { deliveries(first: 100) { nodes { id } } }");
		assert.equal((await rows("settings/integrations", "deliveries")).length, 1 + deliveries.nodes.length);
	});

	await step("lists: a phone exports from the menu of the list, or from its filters", async () => {
		await page.setViewportSize({ width: 390, height: 844 });
		for (const [path, name, behind] of [
			["prospects?search=listed", "prospects", "More for this list"],
			["campaigns?search=listed", "campaigns", "More for this list"],
			[`campaigns/${campaign}/people`, "people", "Filters"],
			["settings/integrations", "deliveries", "Filters"],
			["settings/audit", "audit-log"],
		]) {
			await page.goto(`${base}/${path}`);
			if (behind) await button(behind).click();
			const found = page.getByRole("menuitem", { name: "Export" }).or(button("Export"));
			await found.waitFor();
			await check(page, `the export of a list at 390 px: ${path}`);
			const [file] = await Promise.all([page.waitForEvent("download"), found.click()]);
			assert.match(file.suggestedFilename(), new RegExp(`^${name}-`));
			await toast(page, "exported.");
			for (const width of [360, 390]) {
				await page.setViewportSize({ width, height: 844 });
				const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
				assert.ok(over <= 0, `${path} runs ${over} px off the edge at ${width} px`);
			}
		}
		await page.setViewportSize({ width: 1440, height: 900 });
	});

	await step("lists: servers that were tried stay behind one line", async () => {
		await page.goto(`${base}/mailboxes/new`);
		await dialog.getByLabel("E-mail address").fill("me@nowhere.invalid");
		await button("Continue", dialog).click();
		const line = dialog.getByText(/^Tried \d+ servers; none answered\./);
		await line.waitFor();
		const server = dialog.getByText(/^IMAP .+:993$/).first();
		assert.equal(await server.isVisible(), false, "the servers are shown before they are asked for");
		await line.click();
		await server.waitFor();
		await check(page, "servers that were tried");
	});

	await step("lists: suppressing a domain says whom it stops, and can be taken back", async () => {
		const { createProspect: below } = await ask(
			page,
			"mutation Make($input: ProspectInput!) { createProspect(input: $input) { id } }",
			{ input: { email: "ann@team.lists.example", lastName: "Öberg" } },
		);
		await ask(page, "mutation Put($input: EnrollInput!) { enroll(input: $input) { enrollmentCreated } }", {
			input: { campaignId: campaign, prospectId: below.id },
		});
		await page.goto(`${base}/suppressions/new`);
		await dialog.getByLabel("Address or domain").fill("lists.example");
		await button("Suppress", dialog).click();
		const confirm = page.getByRole("alertdialog");
		await confirm.getByText(/^Stops 2 running enrollments of 2 prospects at lists\.example\./).waitFor();
		await confirm.getByRole("textbox").fill("suppress");
		await button("Suppress domain", confirm).click();
		const row = page.getByRole("row", { name: /Everyone at lists\.example/ });
		await row.waitFor();
		await page.goto(`${base}/prospects/${people[0]}`);
		await dialog.getByText("Not mailed: everyone at lists.example is suppressed").waitFor();
		await page.goto(`${base}/prospects?search=listed`);
		await page
			.getByRole("row", { name: /Listed 1/ })
			.getByText("Not mailed: everyone at lists.example is suppressed")
			.waitFor();
		await page.goto(`${base}/suppressions`);
		await button("Remove Everyone at lists.example").click();
		await button("Remove suppression", page.getByRole("alertdialog")).click();
		await row.waitFor({ state: "detached" });
	});

	await step("lists: nothing moves while the first screens arrive", async () => {
		const other = await page.context().newPage();
		const { moved } = await still(other);
		for (const width of [1440, 1024, 390])
			for (const path of ["", "inbox", "campaigns", "prospects"]) {
				await other.setViewportSize({ width, height: 800 });
				await other.goto(`${base}/${path}`);
				await other.locator(".list, .split, .inbox, .empty").first().waitFor();
				assert.equal(await moved(), null, `/${path} moves at ${width} px`);
			}
		await other.close();
	});

	await step("lists: a search goes without accents", async () => {
		await page.goto(`${base}/prospects?search=oberg`);
		await page.getByRole("row", { name: /Öberg/ }).waitFor();
	});

	await step("lists: selected people are deleted after ten seconds, unless that is undone", async () => {
		const left = async () =>
			(await ask(page, 'query Left { prospects(first: 10, search: "doomed") { nodes { id } } }')).prospects.nodes
				.length;
		const comes = async (n) => {
			for (let tries = 0; (await left()) !== n; tries++) {
				assert.ok(tries < 80, `${await left()} of those to be deleted are left, not ${n}`);
				await page.waitForTimeout(250);
			}
		};
		for (let n = 1; n <= 4; n++)
			await ask(page, "mutation Make($input: ProspectInput!) { createProspect(input: $input) { id } }", {
				input: { email: `doomed${n}@lists.example`, firstName: `Doomed ${n}` },
			});
		const remove = async (on, ...numbers) => {
			await on.goto(`${base}/prospects?search=doomed`);
			for (const n of numbers) await on.getByRole("checkbox", { name: `Select Doomed ${n}` }).check();
			await on.getByRole("button", { name: "Delete", exact: true }).click();
			const some = numbers.length === 1 ? "1 prospect" : `${numbers.length} prospects`;
			await on.getByRole("alertdialog").getByText(`Deletes ${some} and stops 0 running enrollments, in 10 s`).waitFor();
			await on.getByRole("alertdialog").getByRole("button", { name: "Delete prospects" }).click();
			await toast(on, `${some} will be deleted in 10 s.`);
			for (const n of numbers)
				await on.getByRole("row", { name: new RegExp(`Doomed ${n}`) }).waitFor({ state: "detached" });
		};
		await remove(page, 1, 2);
		await page.getByRole("button", { name: /^Undo/ }).last().click();
		await toast(page, "Nothing was deleted.");
		await page.getByRole("row", { name: /Doomed 1/ }).waitFor();
		assert.equal(await left(), 4);
		await remove(page, 1);
		assert.equal(await left(), 4, "nothing is deleted within the ten seconds");
		await comes(3);
		// A tab that is closed meanwhile deletes at once.
		const tab = await page.context().newPage();
		await remove(tab, 2);
		await tab.close({ runBeforeUnload: true });
		await comes(2);
		// A page that dies leaves the deletion to the next one.
		const dies = await page.context().newPage();
		await dies.addInitScript(() =>
			window.addEventListener("pagehide", (event) => event.stopImmediatePropagation(), true),
		);
		await remove(dies, 3);
		await dies.close();
		assert.equal(await left(), 2, "a page that dies deletes nothing");
		await page.evaluate((before) => {
			for (const key of Object.keys(localStorage).filter((one) => one.startsWith("outreach.delete."))) {
				const kept = JSON.parse(localStorage.getItem(key));
				localStorage.setItem(key, JSON.stringify({ ...kept, due: kept.due - before }));
			}
		}, 3_600_000);
		await page.goto(`${base}/prospects?search=doomed`);
		await toast(page, "1 prospect deleted, as you asked before the page was closed.");
		assert.equal(await left(), 1);
		await page.getByRole("row", { name: /Doomed 4/ }).click();
		await button("Delete", dialog).click();
		await button("Delete prospect", page.getByRole("alertdialog")).click();
		await toast(page, "1 prospect will be deleted in 10 s.");
		await gone();
		await page.getByText(/No prospects match/).waitFor();
		await page.keyboard.press("z");
		await page.getByRole("row", { name: /Doomed 4/ }).waitFor();
	});

	await step("lists: selected people are suppressed together, and Undo takes it back", async () => {
		await page.goto(`${base}/prospects?search=listed`);
		await page.getByRole("checkbox", { name: "Select Listed 1" }).check();
		await page.getByRole("checkbox", { name: "Select Listed 2" }).check();
		await button("Suppress").click();
		const confirm = page.getByRole("alertdialog");
		await confirm.getByText(/these 2 addresses any more/).waitFor();
		await confirm.getByRole("textbox").fill("suppress");
		await button("Suppress", confirm).click();
		await toast(page, "2 addresses suppressed.");
		await page.getByRole("button", { name: /^Undo/ }).last().click();
		await toast(page, "Suppressions removed.");
	});
	await step("lists: 120 mailboxes are listed whole, and found by a search in a campaign", async () => {
		const server = { host: "mail.example", port: 25, username: "m", security: "none" };
		const nodes = Array.from({ length: 120 }, (_, n) => ({
			id: crypto.randomUUID(),
			email: `m${n + 1}@many.example`,
			displayName: "",
			provider: "custom",
			auth: "password",
			smtp: server,
			imap: server,
			dailyLimit: 50,
			minGapSeconds: 0,
			rampUp: null,
			limitToday: 50,
			signatureHtml: "",
			folders: [],
			status: "connected",
			lastError: null,
			authError: null,
			sentToday: 0,
			lastCheckedAt: null,
			createdAt: new Date().toISOString(),
		}));
		await page.route("**/graphql", (route) =>
			route.request().postDataJSON().operationName === "Mailboxes"
				? route.fulfill({ json: { data: { mailboxes: { nodes } } } })
				: route.fallback(),
		);
		await page.goto(`${base}/mailboxes`);
		const list = page.getByRole("grid", { name: "Mailboxes" });
		await list
			.getByRole("row", { name: /@many\.example/ })
			.first()
			.waitFor();
		assert.equal(await list.getAttribute("aria-rowcount"), "121");
		await page.goto(`${base}/campaigns/${campaign}/mailboxes`);
		await page.getByRole("checkbox", { name: /^m120@/ }).waitFor();
		await page.getByLabel("Search mailboxes").fill("M77@");
		await page.getByRole("checkbox", { name: /^m78@/ }).waitFor({ state: "detached" });
		await page.getByRole("checkbox", { name: /^m77@/ }).check();
		await check(page, "a search of mailboxes");
		await page.getByLabel("Search mailboxes").fill("nobody");
		await page.getByText("No mailboxes match this search.").waitFor();
		await page.getByLabel("Search mailboxes").fill("");
		assert.ok(await page.getByRole("checkbox", { name: /^m77@/ }).isChecked());
		await page.unroute("**/graphql");
	});
}
