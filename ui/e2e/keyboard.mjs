// The heart of the story with the keyboard alone; the mouse is never touched.
import assert from "node:assert/strict";
import { check } from "./axe.mjs";
import { toast } from "./toast.mjs";

export async function keyboard(page, program, step) {
	const press = (...keys) =>
		keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
	const type = (text) => page.keyboard.type(text);
	const focused = () =>
		page.evaluate(
			() => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute("aria-label") || "",
		);
	// Keys typed before the palette is drawn are kept.
	const palette = async (words) => {
		await press("Control+k");
		await type(words);
		await page.locator(".palette-item[data-active-item]", { hasText: new RegExp(words, "i") }).waitFor();
		await press("Enter");
	};
	const keepsFocus = () => page.waitForFunction(() => document.activeElement !== document.body);
	const tabTo = async (name) => {
		for (let n = 0; n < 40; n++) {
			if ((await focused()) === name) return;
			await press("Tab");
		}
		assert.fail(`Tab never reached ${name}`);
	};

	await step("keyboard: sign in", async () => {
		await page.goto(program.base);
		await page.getByLabel("E-mail address").waitFor();
		await type(program.email);
		await press("Tab");
		await type(program.password);
		await press("Enter");
		await page.getByRole("heading", { name: "Overview" }).waitFor();
	});

	await step("keyboard: add a prospect from the palette; Escape closes and keeps what was typed", async () => {
		await palette("add a prospect");
		await page.getByRole("dialog", { name: "Add a prospect" }).waitFor();
		await type("by.key@acme.example");
		await press("Escape");
		await page.getByRole("dialog").waitFor({ state: "detached" });
		await palette("add a prospect");
		await page.getByRole("dialog", { name: "Add a prospect" }).waitFor();
		assert.equal(await page.getByLabel("E-mail").inputValue(), "by.key@acme.example");
		await press("Enter");
		await page.getByRole("dialog", { name: "by.key@acme.example" }).waitFor();
		await press("Escape");
	});

	await step("keyboard: the palette names each way once, and first what begins with what was typed", async () => {
		await page.getByRole("dialog").waitFor({ state: "detached" });
		await press("Control+k");
		for (const words of ["a", "ove", "set", "p"]) {
			await page.getByRole("combobox", { name: "Search or run a command" }).fill(words);
			await page.waitForTimeout(200);
			const labels = await page.locator(".palette-item").evaluateAll((items) =>
				items.map((item) => {
					const [label, group, detail] = [
						item.querySelector("span"),
						item.parentElement.firstElementChild,
						item.querySelector("small"),
					];
					return [label, group, detail].map((part) => part?.textContent).join(", ");
				}),
			);
			assert.deepEqual(labels, [...new Set(labels)], `${words} is answered twice alike`);
			assert.match(labels[0].toLowerCase(), new RegExp(`^${words}`));
		}
		await press("Escape");
		await page.getByRole("dialog").waitFor({ state: "detached" });
	});

	await step("keyboard: the palette has groups, what was used last in front, and the keys of each way", async () => {
		await press("Control+k");
		const groups = page.locator(".palette-group");
		await groups.first().waitFor();
		assert.deepEqual(await groups.allTextContents(), ["Recent", "Go to", "Actions", "Settings"]);
		const recent = page.getByRole("group", { name: "Recent" }).getByRole("option");
		assert.deepEqual(await recent.allTextContents(), ["Add a prospectActions"]);
		await page.getByRole("group", { name: "Go to" }).getByRole("option", { name: "Inbox g i" }).waitFor();
		for (const width of [1440, 390, 360]) {
			await page.setViewportSize({ width, height: 844 });
			await check(page, `the palette at ${width} px`);
		}
		await page.setViewportSize({ width: 1440, height: 900 });
		await type("qqqq");
		await page.getByText("Nothing is found.").waitFor();
		await press("Escape");
		await page.getByRole("dialog").waitFor({ state: "detached" });
		await palette("keyboard shortcuts");
		await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
		await press("Escape");
		await page.getByRole("dialog").waitFor({ state: "detached" });
	});

	await step("keyboard: walk the list with j and k, choose with x, open with Enter", async () => {
		await page.getByRole("dialog").waitFor({ state: "detached" });
		await page.getByRole("row", { name: /by\.key/ }).waitFor();
		await press("j", "j", "k");
		assert.match(await focused(), /by\.key/);
		await press("x");
		await page.getByText("1 prospect selected").waitFor();
		await press("x", "Enter");
		await page.getByRole("dialog", { name: /by\.key/ }).waitFor();
		await page.goBack();
		await page.getByRole("dialog").waitFor({ state: "detached" });
		await press("/");
		await type("by.key");
		await page.waitForURL(/search=by\.key/);
	});

	await step("keyboard: a campaign from name to saved step", async () => {
		await palette("new campaign");
		await page.getByRole("dialog", { name: "New campaign" }).waitFor();
		await type("By keyboard");
		await press("Enter");
		await page.getByRole("heading", { name: "By keyboard" }).waitFor();
		await keepsFocus();
		await page.getByRole("button", { name: "Add first step" }).waitFor();
		await tabTo("Add first step");
		await press("Enter");
		await page.getByLabel("Subject", { exact: true }).waitFor();
		for (
			let n = 0;
			n < 20 &&
			!(await page.getByLabel("Subject", { exact: true }).evaluate((input) => input === document.activeElement));
			n++
		)
			await press("Shift+Tab");
		await type("Hi {{ la");
		await page.getByRole("listbox", { name: "Variables" }).getByRole("option", { name: "last_name" }).waitFor();
		await press("Enter");
		const message = page.getByRole("textbox", { name: "Message of step 1" });
		await message.waitFor();
		for (let n = 0; n < 20 && !(await message.evaluate((box) => box === document.activeElement)); n++)
			await press("Tab");
		await type("A text for {{ fir");
		await page.getByRole("listbox", { name: "Variables" }).getByRole("option", { name: "first_name" }).waitFor();
		await press("Enter");
		await type(".");
		await press("Control+s");
		await toast(page, "Saved.");
	});

	await step("keyboard: the palette leaves the focus in the page that it opens", async () => {
		await palette("overview");
		await page.getByRole("heading", { name: "Activity" }).waitFor();
		await keepsFocus();
		await palette("by keyboard");
		await page.getByRole("heading", { name: "By keyboard" }).waitFor();
		await keepsFocus();
		await palette("deliveries");
		await page.locator(".tab[aria-current=page]", { hasText: "Deliveries" }).waitFor();
	});

	await step("keyboard: the list of keys", async () => {
		await palette("overview");
		await page.getByRole("heading", { name: "Activity" }).waitFor();
		await page.evaluate(() =>
			document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined,
		);
		await press("?");
		await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
		await press("Escape");
	});
}
