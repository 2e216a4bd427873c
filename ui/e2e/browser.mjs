// Debian's chromium under playwright-core, with everything that calls home off.
import { chromium } from "playwright-core";

export const launch = (options = {}) =>
	chromium.launch({
		...options,
		executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
		args: [
			"--headless",
			"--no-sandbox",
			"--disable-gpu",
			"--disable-quic",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
		],
	});

/** Collects what a page complains of: console errors, exceptions, requests to other hosts. */
export function watch(page, base) {
	const faults = [];
	page.on("console", (message) => {
		if (message.type() === "error" || /Content.Security.Policy/i.test(message.text()))
			faults.push(`console: ${message.text()}`);
	});
	page.on("pageerror", (error) => faults.push(`exception: ${error.message}`));
	page.on("request", (request) => {
		const url = request.url();
		if (!url.startsWith(base) && !/^(data|blob|about):/.test(url)) faults.push(`other host: ${url}`);
	});
	return faults;
}
