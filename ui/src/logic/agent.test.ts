import { expect, test } from "vitest";
import { browserOf } from "./agent";

const mozilla = "Mozilla/5.0",
	webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
test.each([
	[`${mozilla} (X11; Linux x86_64) ${webkit} Chrome/142.0.0.0 Safari/537.36`, "Chrome on Linux"],
	[
		`${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
		"Edge on Windows",
	],
	[`${mozilla} (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0`, "Firefox on Linux"],
	[`${mozilla} (Linux; Android 15; Pixel 9) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
	[
		`${mozilla} (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1`,
		"Safari on iOS",
	],
	["curl/8.5.0", "curl/8.5.0"],
])("%s", (agent, name) => expect(browserOf(agent)).toBe(name));
