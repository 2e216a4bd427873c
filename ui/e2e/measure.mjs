// npm run measure: what the application costs, on the real program. It prints
// figures and judges none; docs/measurements.md keeps them.
// PARTS=start,open,scroll picks; PAGES, SECONDS, ROUNDS and ROWS set the sizes.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { launch } from "./browser.mjs";
import { start } from "./program.mjs";
import { signIn } from "./signin.mjs";
import { launchUntouched } from "./untouched.mjs";

const size = (name, byDefault) => Number(process.env[name] ?? byDefault);
const parts = (process.env.PARTS ?? "start,open,scroll").split(",");
const program = await start();
const browser = await launch();
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

/** A signed-in browser of its own; its cache is empty. */
async function visitor(cookies) {
	const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
	if (cookies) await context.addCookies(cookies);
	return { context, page: await context.newPage() };
}

async function session() {
	const { context, page } = await visitor();
	await signIn(page, program);
	const cookies = await context.cookies();
	await context.close();
	return cookies;
}

/** Notes when what is wanted is there, and when the last long task ended. */
const noted = (wanted) => `
  globalThis.seen = { at: 0, busy: 0 };
  new PerformanceObserver((list) => list.getEntries().forEach(({ startTime, duration }) => {
    seen.busy = Math.max(seen.busy, startTime + duration);
  })).observe({ type: 'longtask', buffered: true });
  new MutationObserver(() => {
    if (!seen.at && document.querySelector(${JSON.stringify(wanted)})) seen.at = performance.now();
  }).observe(document, { childList: true, subtree: true });`;

/**
 * Milliseconds until the page can be used: its content is there, and in the second
 * after the last long task there was no other. Beside them the CPU time of its main
 * thread until then.
 */
async function usable(browser, cookies, path, wanted, rate) {
	const { value, cpu } = await browser.visit({
		url: program.base + path,
		cookies,
		rate,
		script: noted(wanted),
		expression: "seen.at && performance.now() > Math.max(seen.at, seen.busy) + 1000 ? Math.max(seen.at, seen.busy) : 0",
	});
	return { elapsed: value, cpu };
}

async function firstScreen(cookies) {
	const untouched = await launchUntouched({ width: 1440, height: 900 });
	for (const rate of [4, 1]) {
		const bare = [],
			full = [];
		for (let n = 0; n < size("ROUNDS", 5); n++) {
			bare.push(await usable(untouched, cookies, "/healthz", "body", rate));
			full.push(await usable(untouched, cookies, "/", "#activity", rate));
		}
		const middle = (list, key) => Math.round(median(list.map((one) => one[key])));
		console.log(
			`first screen, CPU slowed by ${rate}, empty cache: ${middle(full, "elapsed")} ms, ` +
				`main thread ${middle(full, "cpu")} ms CPU; ` +
				`a bare page of the same server: ${middle(bare, "elapsed")} ms, ${middle(bare, "cpu")} ms CPU (median of ${full.length})`,
		);
	}
	await untouched.close();
}

const cpuSeconds = () => {
	const fields = readFileSync(`/proc/${program.pid}/stat`, "utf8").split(") ")[1].split(" ");
	return (Number(fields[11]) + Number(fields[12])) / 100;
};
const psql = process.env.PSQL ?? "psql";
const statements = () =>
	Number(
		execFileSync(
			psql,
			[
				program.database,
				"-Atc",
				"SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()",
			],
			{ encoding: "utf8" },
		),
	);

/** What the server did in a time, each minute: CPU of its process, and statements (each is a transaction of its own here). */
async function spent() {
	const seconds = size("SECONDS", 60),
		cpu = cpuSeconds(),
		sql = statements();
	await wait(seconds);
	return { cpu: ((cpuSeconds() - cpu) * 1000 * 60) / seconds, sql: ((statements() - sql) * 60) / seconds };
}

async function openPages(cookies) {
	const rest = await spent();
	console.log(`open pages: without any ${Math.round(rest.cpu)} ms CPU and ${Math.round(rest.sql)} statements a minute`);
	for (const [path, hidden] of [
		["/", false],
		["/inbox", false],
		["/campaigns", false],
		["/", true],
	]) {
		for (const n of [1, size("PAGES", 20)]) {
			const { context } = await visitor(cookies);
			let requests = 0;
			for (let k = 0; k < n; k++) {
				const page = await context.newPage();
				await page.goto(program.base + path);
				await page.getByRole("heading").first().waitFor();
				if (hidden)
					await page.evaluate(() => {
						Object.defineProperty(document, "visibilityState", { value: "hidden" });
						document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
					});
				page.on("request", () => {
					requests++;
				});
			}
			await wait(6);
			requests = 0;
			const now = await spent();
			const each = (value) => Math.round((value / n) * 10) / 10;
			console.log(
				`open pages: ${n} of ${path}${hidden ? " (hidden)" : ""}: each page ` +
					`${each(now.cpu - rest.cpu)} ms CPU, ${each((requests * 60) / size("SECONDS", 60))} requests, ` +
					`${each(now.sql - rest.sql)} statements a minute`,
			);
			await context.close();
		}
	}
}

async function fill(rows) {
	for (let from = 0; from < rows; from += 1000) {
		const prospects = Array.from({ length: Math.min(1000, rows - from) }, (_, k) => ({
			email: `row${from + k}@acme${k % 50}.example`,
			first_name: "Row",
			last_name: String(from + k),
			company_name: `Acme ${k % 50}`,
		}));
		const answer = await fetch(`${program.base}/api/v1/prospects/bulk`, {
			method: "POST",
			headers: { Authorization: `Bearer ${program.token}`, "Content-Type": "application/json" },
			body: JSON.stringify({ prospects }),
		});
		if (!answer.ok) throw new Error(`filling: ${answer.status} ${await answer.text()}`);
	}
}

async function scrolling(cookies) {
	const rows = size("ROWS", 100_000);
	await fill(rows);
	const { context, page } = await visitor(cookies);
	await page.goto(`${program.base}/prospects`);
	await page.getByRole("row").nth(20).waitFor();
	const seen = await page.evaluate(async (until) => {
		const grid = document.querySelector("[role=grid]");
		const out = { frames: 0, dropped: 0, longest: 0, tasks: 0, pixels: 0 };
		new PerformanceObserver((list) =>
			list.getEntries().forEach(({ duration }) => {
				out.tasks++;
				out.longest = Math.max(out.longest, duration);
			}),
		).observe({ type: "longtask" });
		const frame = () => new Promise((done) => requestAnimationFrame(done));
		let last = await frame();
		for (const end = last + until * 1000; last < end; ) {
			grid.scrollBy(0, 400);
			const now = await frame();
			out.frames++;
			out.dropped += Math.max(0, Math.round((now - last) / (1000 / 60)) - 1);
			last = now;
		}
		return { ...out, pixels: grid.scrollTop, inPage: document.querySelectorAll("[role=row]").length };
	}, size("SECONDS", 60) / 2);
	console.log(
		`scrolling ${rows} rows at 400 px a frame: ${Math.round(seen.pixels / 40)} rows passed, ` +
			`${seen.frames} frames, ${seen.dropped} dropped, ` +
			`${seen.tasks} tasks over 50 ms, longest ${Math.round(seen.longest)} ms, ${seen.inPage} rows in the page`,
	);
	await context.close();
}

try {
	const cookies = await session();
	if (parts.includes("start")) await firstScreen(cookies);
	if (parts.includes("open")) await openPages(cookies);
	if (parts.includes("scroll")) await scrolling(cookies);
} finally {
	await browser.close();
	await program.stop();
}
