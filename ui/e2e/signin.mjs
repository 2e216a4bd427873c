export async function signIn(page, { base, email, password }) {
	if (!page.url().startsWith(base)) await page.goto(base);
	await page.getByLabel("E-mail address").fill(email);
	await page.getByLabel("Password").fill(password);
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.getByRole("heading", { name: "Overview" }).waitFor();
}
