/** Waits for a new toast with the text. A toast is counted once, as the one of an earlier action may still be visible. */
export async function toast(page, text) {
	await page.waitForFunction((wanted) => {
		globalThis.toastsSeen ??= new WeakSet();
		const seen = globalThis.toastsSeen;
		const fresh = [...document.querySelectorAll(".toast")].find(
			(one) => !seen.has(one) && one.textContent.includes(wanted),
		);
		if (fresh) seen.add(fresh);
		return fresh !== undefined;
	}, text);
}
