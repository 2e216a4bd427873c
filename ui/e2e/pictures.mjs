// npm run pictures: the two pictures of the README, taken of the demo workspace
// of a program that runs: BASE, EMAIL and PASSWORD as dev.json has them.
import { launch } from "./browser.mjs";
import { signIn } from "./signin.mjs";

const program = {
	base: process.env.BASE ?? "http://127.0.0.1:8080",
	email: process.env.EMAIL,
	password: process.env.PASSWORD,
};
const docs = new URL("../../docs/", import.meta.url).pathname;
const browser = await launch();
const context = await browser.newContext({
	viewport: { width: 1440, height: 900 },
	colorScheme: "light",
	reducedMotion: "reduce",
});
const page = await context.newPage();
page.setDefaultTimeout(60_000);

const take = async (name, path, ready) => {
	await page.goto(program.base + path);
	await ready();
	await page.waitForFunction(() => !document.querySelector(".skeleton"));
	await page.screenshot({ path: `${docs}${name}.png` });
};

await signIn(page, program);
const only = process.env.ONLY?.split(",") ?? ["overview", "inbox"];
if (only.includes("overview")) await take("overview", "/", () => page.locator(".day-columns svg").first().waitFor());
if (only.includes("inbox"))
	await take("inbox", "/inbox", async () => {
		await page.locator("mark").first().waitFor();
		await page.locator(".inbox aside .rows > li").first().waitFor();
	});
await browser.close();
