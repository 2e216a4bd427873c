/** Waits for a toast that says so and that nobody has waited for yet: one of the act before may still be there. */
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
