// A browser that nothing is injected into, unlike one that Playwright drives: its
// scripts and listeners take a third of a second of a first screen whose CPU is
// slowed four times. It is asked over the DevTools protocol, in few words.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts Chromium; size is that of its window. */
export async function launchUntouched({ width, height }) {
	const home = mkdtempSync(join(tmpdir(), "untouched-"));
	const chromium = spawn(
		process.env.CHROMIUM ?? "/usr/bin/chromium",
		[
			"--headless=new",
			"--no-sandbox",
			"--disable-gpu",
			"--no-first-run",
			"--disable-background-networking",
			"--remote-debugging-port=0",
			`--user-data-dir=${home}`,
			`--window-size=${width},${height}`,
			"about:blank",
		],
		{ stdio: ["ignore", "ignore", "pipe"] },
	);
	const address = await new Promise((found, lost) => {
		chromium.once("exit", () => lost(new Error("chromium did not start")));
		chromium.stderr.on("data", (text) => {
			const match = /ws:\/\/\S+/.exec(String(text));
			if (match) found(match[0]);
		});
	});
	const socket = new WebSocket(address),
		waiting = new Map();
	await new Promise((open) => {
		socket.addEventListener("open", open);
	});
	socket.addEventListener("message", ({ data }) => {
		const { id, error, result } = JSON.parse(data);
		waiting.get(id)?.(error, result);
		waiting.delete(id);
	});
	let last = 0;
	const send = (method, params = {}, sessionId = undefined) =>
		new Promise((done, fail) => {
			waiting.set(++last, (error, result) => (error ? fail(new Error(`${method}: ${error.message}`)) : done(result)));
			socket.send(JSON.stringify({ id: last, method, params, sessionId }));
		});

	/**
	 * Opens url with an empty cache, the CPU slowed by rate and script run before the scripts of the page. Returns
	 * the value of expression once it is true, and the CPU time of the main thread in milliseconds. It fails when
	 * expression is not true within a minute.
	 */
	async function visit({ url, cookies, rate, script, expression }) {
		const { browserContextId } = await send("Target.createBrowserContext");
		await send("Storage.setCookies", {
			browserContextId,
			cookies: cookies.map(({ name, value, httpOnly }) => ({ name, value, httpOnly, url })),
		});
		const { targetId } = await send("Target.createTarget", { url: "about:blank", browserContextId });
		const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
		const tell = (method, params) => send(method, params, sessionId);
		await tell("Emulation.setCPUThrottlingRate", { rate });
		await tell("Performance.enable", { timeDomain: "threadTicks" });
		await tell("Page.enable");
		await tell("Page.addScriptToEvaluateOnNewDocument", { source: script });
		await tell("Page.navigate", { url });
		let value;
		for (let tries = 0; !value && tries < 60; tries++) {
			await new Promise((later) => {
				setTimeout(later, 1_000);
			});
			value = (await tell("Runtime.evaluate", { expression, returnByValue: true })).result.value;
		}
		if (!value) throw new Error(`${url}: within a minute this was not true: ${expression}`);
		const { metrics } = await tell("Performance.getMetrics");
		await send("Target.disposeBrowserContext", { browserContextId });
		return { value, cpu: metrics.find(({ name }) => name === "TaskDuration").value * 1000 };
	}

	const close = () =>
		new Promise((closed) => {
			chromium.once("exit", () => {
				rmSync(home, { recursive: true, force: true });
				closed();
			});
			chromium.kill();
		});
	return { visit, close };
}
