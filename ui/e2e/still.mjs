// What moves by itself while a page arrives: the sum of its layout shifts, as browsers count them.
/** How much may move on a cold load. */
const MOST = 0.02;

function watchShifts() {
	window.moved = 0;
	window.movers = [];
	new PerformanceObserver((list) => {
		for (const entry of list.getEntries()) {
			if (entry.hadRecentInput) continue;
			window.moved += entry.value;
			for (const { node, previousRect: from, currentRect: to } of entry.sources)
				window.movers.push(`${node?.className || node?.nodeName} from ${from.y} to ${to.y}`);
		}
	}).observe({ type: "layout-shift", buffered: true });
}

/**
 * Watches every page that is loaded from now on, and lets answers come late and in another order than they were
 * asked for. Returns what tells of the page that is loaded, and what ends the delays.
 */
export async function still(page) {
	const held = new Set();
	let asked = 0,
		ended = false;
	const late = (route) => {
		const passing = (async () => {
			if (!ended)
				await new Promise((later) => {
					setTimeout(later, ((asked++ * 3) % 7) * 80);
				});
			await route.continue().catch(() => undefined); // the page may be gone
		})().finally(() => held.delete(passing));
		held.add(passing);
		return passing;
	};
	await page.addInitScript(watchShifts);
	await page.route("**/graphql", late);
	return {
		/** Waits until all is there that was asked for. Returns what has moved, null if it is little enough. */
		moved: async () => {
			await page.waitForFunction(() => !document.querySelector(".skeleton, .loading"));
			for (let quiet = 0; quiet < 3; quiet = held.size === 0 ? quiet + 1 : 0) await page.waitForTimeout(100);
			const [moved, movers] = await page.evaluate(() => [window.moved, window.movers]);
			return moved > MOST ? `${moved.toFixed(3)}: ${movers.join("; ")}` : null;
		},
		end: async () => {
			ended = true;
			await Promise.allSettled([...held]);
			await page.unroute("**/graphql", late);
		},
	};
}
