/** Holds back the answers to some operations, as a busy server does. Gives what ends it. */
export async function slow(page, operations, ms = 600) {
	const wanted = new RegExp(`"operationName":"(${operations.join("|")})"`);
	const hold = async (route) => {
		if (wanted.test(route.request().postData() ?? ""))
			await new Promise((later) => {
				setTimeout(later, ms);
			});
		await route.continue();
	};
	await page.route("**/graphql", hold);
	return () => page.unroute("**/graphql", hold);
}
