// Starts what the stories run against: the real program with an empty
// workspace, or with MOCK=1 the stand-in of mock/. OUTREACH_BIN names a program
// built before; else it is built here.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("../..", import.meta.url).pathname;
const freePort = () =>
	new Promise((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address();
			server.close(() => resolve(port));
		});
	});

async function ready(url, process, seconds) {
	for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
		if (process.exitCode !== null) throw new Error(`the program ended with ${process.exitCode}`);
		try {
			if ((await fetch(url)).ok) return;
		} catch {
			/* not yet */
		}
		await new Promise((done) => setTimeout(done, 250));
	}
	throw new Error(`${url} was not ready within ${seconds} s`);
}

export async function start() {
	return process.env.MOCK === "1" ? startMock() : startProgram();
}

async function startMock() {
	const port = await freePort();
	const child = spawn(process.execPath, [new URL("../mock/server.mjs", import.meta.url).pathname], {
		env: { ...process.env, PORT: String(port), EMPTY: "1" },
		stdio: ["ignore", "ignore", "inherit"],
	});
	const base = `http://127.0.0.1:${port}`;
	await ready(base, child, 20);
	return {
		mock: true,
		base,
		email: "owner@example.com",
		password: "x",
		token: null,
		receiver: "https://hooks.example.com/in",
		stop: () => child.kill(),
		mailbox: {
			email: "kim@example.com",
			smtp: { host: "mail.example.com", port: 587, username: "kim", password: "right", security: "starttls" },
			imap: { host: "mail.example.com", port: 993, username: "kim", password: "right", security: "tls" },
		},
	};
}

async function startProgram() {
	const folder = mkdtempSync(join(tmpdir(), "outreach-e2e-"));
	const binary = process.env.OUTREACH_BIN ?? join(folder, "outreach");
	if (!process.env.OUTREACH_BIN)
		execFileSync("go", ["build", "-o", binary, "./cmd/outreach"], { cwd: root, stdio: "inherit" });
	const port = await freePort();
	const data = join(folder, "data");
	const child = spawn(binary, ["dev", "--addr", `127.0.0.1:${port}`, "--data", data, "--no-demo"], {
		cwd: folder,
		stdio: ["ignore", "ignore", process.env.VERBOSE ? "inherit" : "ignore"],
		env: {
			...process.env,
			OUTREACH_SEND_INTERVAL: "1s",
			OUTREACH_RECEIVE_INTERVAL: "1s",
			OUTREACH_WEBHOOK_SCAN_INTERVAL: "1s",
			OUTREACH_WEBHOOK_RETRY_DELAY: "2s",
		},
	});
	const stop = () =>
		new Promise((resolve) => {
			child.once("exit", () => {
				rmSync(folder, { recursive: true, force: true });
				resolve();
			});
			if (child.exitCode !== null || !child.kill("SIGTERM")) resolve();
		});
	try {
		await ready(`http://127.0.0.1:${port}/readyz`, child, 120);
		const file = [join(data, "dev.json"), join(folder, ".outreach/dev.json")].find(existsSync);
		const dev = JSON.parse(readFileSync(file, "utf8"));
		return {
			mock: false,
			pid: child.pid,
			database: dev.database_url,
			base: dev.base_url.replace(/\/$/, ""),
			email: dev.ui_email,
			password: dev.ui_password,
			token: dev.api_token,
			receiver: dev.receiver_url,
			openid: dev.openid_url,
			mailbox: dev.mailbox,
			bare: () => startBare(binary, folder, dev),
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

// A second process on the same database that has the settings of a new installation. A session of the
// first one holds in it too.
async function startBare(binary, folder, dev) {
	const address = `127.0.0.1:${await freePort()}`;
	const base = `http://${address}`;
	const child = spawn(binary, ["serve", "--roles", "api"], {
		cwd: folder,
		stdio: ["ignore", "ignore", process.env.VERBOSE ? "inherit" : "ignore"],
		env: {
			...process.env,
			DATABASE_URL: dev.database_url,
			REDIS_URL: dev.redis_url,
			OUTREACH_SECRET_KEY: dev.secret_key,
			OUTREACH_ADDR: address,
			OUTREACH_BASE_URL: base,
			OUTREACH_SHUTDOWN_DELAY: "0s",
		},
	});
	const stop = () =>
		new Promise((resolve) => {
			child.once("exit", resolve);
			if (child.exitCode !== null || !child.kill("SIGTERM")) resolve();
		});
	try {
		await ready(`${base}/readyz`, child, 20);
	} catch (error) {
		await stop();
		throw error;
	}
	return { base, stop };
}
