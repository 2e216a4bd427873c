// Pictures of every screen, wide and at phone width, light and dark:
// node e2e/shots.mjs BASE FOLDER [only] [axe]. For looking at, and for axe.
import { mkdirSync, readFileSync } from "node:fs";
import { launch, watch } from "./browser.mjs";

const [base, folder, only = "", axe = ""] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const axeSource = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const first =
	async (name, args = "") =>
	(page) =>
		page.evaluate(
			async ([list, rest]) => {
				const answer = await fetch("/graphql", {
					method: "POST",
					headers: { "Content-Type": "application/json" },
					body: JSON.stringify({ query: `query X { ${list}(first: 1${rest}) { nodes { id } } }`, operationName: "X" }),
				});
				return (await answer.json()).data[list].nodes[0]?.id;
			},
			[name, args],
		);
const at = (path, list, args) => async (page) => path.replace(":id", await (await first(list, args))(page));

const screens = {
	overview: "/",
	inbox: "/inbox",
	reply: at("/inbox/:id", "replies", ", automatic: false"),
	campaigns: "/campaigns",
	newcampaign: "/campaigns/new",
	steps: at("/campaigns/:id/steps", "campaigns"),
	schedule: at("/campaigns/:id/schedule", "campaigns"),
	cmailboxes: at("/campaigns/:id/mailboxes", "campaigns"),
	people: at("/campaigns/:id/people", "campaigns"),
	statistics: at("/campaigns/:id/statistics", "campaigns"),
	prospects: "/prospects",
	prospect: at("/prospects/:id", "prospects"),
	newprospect: "/prospects/new",
	import: "/prospects/import",
	companies: "/companies",
	company: at("/companies/:id", "companies"),
	offers: "/offers",
	offer: at("/offers/:id", "offers"),
	newoffer: "/offers/new",
	mailboxes: "/mailboxes",
	mailbox: at("/mailboxes/:id", "mailboxes"),
	newmailbox: "/mailboxes/new",
	deliverability: "/deliverability",
	suppressions: "/suppressions",
	newsuppression: "/suppressions/new",
	simport: "/suppressions/import",
	webhooks: "/settings/webhooks",
	webhook: at("/settings/webhooks/:id", "subscriptions"),
	newwebhook: "/settings/webhooks/new",
	integrations: "/settings/integrations",
	delivery: at("/settings/integrations/:id", "deliveries"),
	token: "/settings/token",
	domain: "/settings/domain",
	team: "/settings/team",
	nowhere: "/nowhere",
};

const browser = await launch();
for (const [form, size, scheme] of [
	["wide", { width: 1440, height: 900 }, "light"],
	["phone", { width: 390, height: 844 }, "dark"],
	["wide", { width: 1440, height: 900 }, "dark"],
	["phone", { width: 390, height: 844 }, "light"],
]) {
	if (process.env.FORM && process.env.FORM !== `${form}-${scheme}`) continue;
	const context = await browser.newContext({
		viewport: size,
		colorScheme: scheme,
		reducedMotion: "reduce",
		bypassCSP: false,
	});
	const page = await context.newPage();
	const faults = watch(page, base);
	await page.goto(base);
	if (!only) await page.screenshot({ path: `${folder}/${form}-${scheme}-signin.png` });
	await page.getByLabel("E-mail address").fill(process.env.EMAIL ?? "owner@example.com");
	await page.getByLabel("Password").fill(process.env.PASSWORD ?? "x");
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.getByRole("heading", { name: "Overview" }).waitFor();
	for (const [name, place] of Object.entries(screens)) {
		if (only && !only.split(",").includes(name)) continue;
		const path = typeof place === "string" ? place : await place(page);
		await page.goto(base + path);
		await page.waitForTimeout(700);
		await page.screenshot({ path: `${folder}/${form}-${scheme}-${name}.png` });
		const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		if (wide > 0) console.log(form, scheme, name, `is ${wide}px too wide`);
		if (axe) {
			const found = await (await context.newCDPSession(page)).send("Runtime.evaluate", {
				expression: `${axeSource}; axe.run(document, { iframes: false }).then((r) => JSON.stringify(
					r.violations.map((v) => [v.impact, v.id, v.nodes.slice(0, 4).map((n) => n.target.join(' ') + ' :: ' +
					(n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? '').slice(0, 140))])))`,
				awaitPromise: true,
				returnByValue: true,
			});
			for (const violation of JSON.parse(found.result.value))
				console.log(form, scheme, name, JSON.stringify(violation));
		}
	}
	for (const fault of new Set(faults)) console.log(form, scheme, fault);
	await context.close();
}
await browser.close();
