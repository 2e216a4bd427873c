import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** Controls that lie beyond the left or right edge of the window, or of a box that cuts them off. */
function controlsBeyondTheEdge() {
	const width = document.documentElement.clientWidth;
	const off = ({ left, right }, from, to) => left < from - 1 || right > to + 1;
	return [...document.querySelectorAll("button, a, input, select, textarea, summary")]
		.filter((control) => {
			const box = control.getBoundingClientRect();
			if (box.width === 0 || control.closest(".offscreen") || getComputedStyle(control).visibility === "hidden")
				return false;
			return off(box, 0, width);
		})
		.map((control) => `${control.tagName} ${control.getAttribute("aria-label") ?? control.textContent}`);
}

/** Runs axe through the debugger, so that the page's own policy stays in force. */
export async function check(page, where) {
	const session = await page.context().newCDPSession(page);
	const expression = `${source}; axe.run(document, { iframes: false }).then((r) => JSON.stringify(
		r.violations.map((v) => v.id + ': ' + v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(', '))))`;
	const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
		expression,
		awaitPromise: true,
		returnByValue: true,
	});
	await session.detach();
	assert.equal(exceptionDetails, undefined, `axe did not run on ${where}`);
	assert.deepEqual(JSON.parse(result.value), [], `axe finds faults on ${where}`);
	const beyond = await page.evaluate(controlsBeyondTheEdge);
	assert.deepEqual(beyond, [], `controls run off the edge on ${where}`);
	const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	assert.ok(wide <= 0, `${where} is ${wide} px wider than the screen`);
}
