// Every screen at both widths and in both lights: axe, no overflow, a heading, and nothing moves while it arrives.
import assert from "node:assert/strict";
import { check } from "./axe.mjs";
import { signIn } from "./signin.mjs";
import { still } from "./still.mjs";

const firstId = (page, list) =>
	page.evaluate(async (name) => {
		const answer = await fetch("/graphql", {
			method: "POST",
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify({ operationName: "First", query: `query First { ${name}(first: 1) { nodes { id } } }` }),
		});
		return (await answer.json()).data[name].nodes[0]?.id;
	}, list);

const paths = [
	"/",
	"/inbox",
	"/campaigns",
	"/prospects",
	"/prospects/new",
	"/prospects/import",
	"/companies",
	"/offers",
	"/offers/new",
	"/mailboxes",
	"/mailboxes/new",
	"/deliverability",
	"/suppressions",
	"/suppressions/new",
	"/suppressions/import",
	"/settings/webhooks",
	"/settings/webhooks/new",
	"/settings/integrations",
	"/settings/token",
	"/settings/domain",
	"/settings/snippets",
	"/settings/snippets/new",
	"/settings/sending",
	"/settings/team",
	"/settings/audit",
	"/settings/account",
	"/nowhere",
];
const details = [
	["/prospects/:id", "prospects"],
	["/campaigns/:id/steps", "campaigns"],
	["/campaigns/:id/schedule", "campaigns"],
	["/campaigns/:id/mailboxes", "campaigns"],
	["/campaigns/:id/people", "campaigns"],
	["/campaigns/:id/statistics", "campaigns"],
	["/companies/:id", "companies"],
	["/offers/:id", "offers"],
	["/mailboxes/:id", "mailboxes"],
	["/inbox/:id?show=all", "replies"],
	["/settings/webhooks/:id", "subscriptions"],
	["/settings/integrations/:id", "deliveries"],
];

export async function screens(page, program, step, form) {
	await step(`${form}: every screen`, async () => {
		await signIn(page, program);
		const all = [...paths];
		for (const [path, list] of details) {
			const id = await firstId(page, list);
			if (id) all.push(path.replace(":id", id));
		}
		const arriving = await still(page),
			moving = [];
		for (const path of all) {
			await page.goto(program.base + path);
			await page.locator("h1, h2").first().waitFor();
			const moved = await arriving.moved();
			if (moved) moving.push(`${path} by ${moved}`);
			await check(page, `${path} (${form})`);
			const { width, height } = page.viewportSize();
			if (width < 760) {
				await page.setViewportSize({ width: 360, height: 740 });
				await check(page, `${path} (${form}, 360 px)`);
				await page.setViewportSize({ width, height });
			}
			if (process.env.SHOTS)
				await page.screenshot({
					path: `${process.env.SHOTS}/${form}${path.replaceAll(/[/?=]/g, "_").slice(0, 40)}.png`,
				});
		}
		await arriving.end();
		assert.deepEqual(moving, [], `screens move while they arrive (${form})`);
	});
}
