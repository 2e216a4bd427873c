/** Holds back the answers to some operations, as a busy server does. Returns what ends it. */
export async function slow(page, operations, ms = 600) {
	const wanted = new RegExp(`"operationName":"(${operations.join("|")})"`);
	const held = new Set();
	let ended = false;
	const pass = async (route) => {
		if (!ended && wanted.test(route.request().postData() ?? ""))
			await new Promise((later) => {
				setTimeout(later, ms);
			});
		await route.continue();
	};
	const hold = (route) => {
		const passing = pass(route).finally(() => held.delete(passing));
		held.add(passing);
		return passing;
	};
	await page.route("**/graphql", hold);
	// A request that is still held would be continued twice, by its handler and by unroute.
	return async () => {
		ended = true;
		await Promise.allSettled([...held]);
		await page.unroute("**/graphql", hold);
	};
}
