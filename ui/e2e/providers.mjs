// Mailboxes of Google and Microsoft: connected with two clicks at the sandbox's sign-in,
// revoked there, and reconnected.
import assert from "node:assert/strict";
import { signIn } from "./signin.mjs";

export async function providers(page, program, step) {
	if (program.mock) return;
	const drawer = page.getByRole("dialog");
	const choose = async (account) => {
		await page.getByRole("heading", { name: "Choose an account" }).waitFor();
		await page.getByRole("button", { name: account }).click();
	};
	const microsoft = "microsoft@sandbox.test";
	const call = async (method, path, body) => {
		const answer = await fetch(`${program.base}/api/v1${path}`, {
			method,
			headers: { Authorization: `Bearer ${program.token}`, "Content-Type": "application/json" },
			body: body && JSON.stringify(body),
		});
		return answer.status === 204 ? null : answer.json();
	};
	const forget = async () => {
		const { data: boxes } = await call("GET", "/mailboxes");
		await call("DELETE", `/mailboxes/${boxes.find(({ email }) => email === microsoft).id}`);
	};
	await signIn(page, program);

	await step("providers: without a client each button says which setting is missing", async () => {
		const bare = await program.bare();
		try {
			await page.goto(`${bare.base}/mailboxes/new`);
			for (const name of ["Google", "Microsoft"]) {
				const prefix = `OUTREACH_${name.toUpperCase()}_CLIENT`;
				await drawer
					.getByText(
						`No OAuth client is configured for ${name}. Set ${prefix}_ID and ${prefix}_SECRET, or add a client in the settings of the workspace.`,
					)
					.waitFor();
				assert.ok(await drawer.getByRole("button", { name: `Connect ${name}` }).isDisabled());
			}
		} finally {
			await bare.stop();
		}
	});

	for (const [name, account] of [
		["Google", "google@sandbox.test"],
		["Microsoft", microsoft],
	])
		await step(`providers: two clicks connect a mailbox of ${name}`, async () => {
			await page.goto(`${program.base}/mailboxes/new`);
			await drawer.getByRole("button", { name: `Connect ${name}` }).click();
			await choose(account);
			await page.getByRole("heading", { name: account }).waitFor();
			await drawer.getByText("Both servers work").waitFor();
			await drawer.getByText(`${name}, by OAuth`).waitFor();
			assert.match(page.url(), /\/mailboxes\/[0-9a-f-]{36}$/);
		});

	await step("providers: an address leads to its provider, or shows what was tried", async () => {
		const ask = async (email) => {
			await page.goto(`${program.base}/mailboxes/new`);
			await drawer.getByLabel("E-mail address").fill(email);
			await drawer.getByRole("button", { name: "Continue" }).click();
		};
		await ask("ann@gmail.com");
		await drawer.getByRole("button", { name: "Continue to Google" }).waitFor();
		await ask("ann@fastmail.com");
		await drawer.getByText("smtp.fastmail.com:465, TLS").waitFor();
		await drawer.getByLabel("App password").waitFor();
		await ask("ann@nowhere.test");
		await drawer.getByText(/^Tried \d+ servers; none answered\./).click();
		await drawer.getByText("SMTP smtp.nowhere.test:465").waitFor();
		await drawer.getByText("IMAP imap.nowhere.test:993").waitFor();
		await drawer.getByRole("button", { name: "Enter servers by hand" }).click();
		assert.equal(await drawer.getByLabel("E-mail address").inputValue(), "ann@nowhere.test");
		await page.goto(`${program.base}/mailboxes`);
		await page.getByRole("row", { name: /microsoft@sandbox/ }).click();
	});

	await step("providers: a new mailbox is offered a ramp-up", async () => {
		const offer = drawer.getByRole("region", { name: "Ramp-up" });
		await offer.getByRole("button", { name: "Ramp up" }).click();
		await drawer.getByText("0 of 10 messages").waitFor();
		await drawer.getByText("Ramping up: 5 more after each day").waitFor();
		await offer.waitFor({ state: "detached" });
	});

	await step("providers: the limits of such a mailbox are edited, its servers are not", async () => {
		await drawer.getByRole("button", { name: "Edit" }).click();
		assert.equal(await drawer.getByLabel("Server").count(), 0);
		await drawer.getByLabel("Daily limit").fill("40");
		await drawer.getByLabel("Ramp up").uncheck();
		await drawer.getByRole("button", { name: "Save" }).click();
		await drawer.getByText("0 of 40 messages").waitFor();
	});

	await step("providers: a cancelled sign-in says so and changes nothing", async () => {
		await page.goto(`${program.base}/mailboxes/new`);
		await drawer.getByRole("button", { name: "Connect Google" }).click();
		await choose("Cancel");
		await page.getByText("Access was not allowed.").waitFor();
		await page.getByRole("link", { name: "Back to mailboxes" }).click();
		await page.getByRole("heading", { name: "Mailboxes" }).waitFor();
	});

	await step("providers: a revoked mailbox asks for a reconnect and goes on after it", async () => {
		await page.goto(program.openid);
		await page.getByRole("button", { name: "Revoke google@sandbox.test" }).click();
		await page.goto(`${program.base}/mailboxes`);
		await page.getByRole("row", { name: /google@sandbox/ }).click();
		await drawer.getByRole("button", { name: "Check now" }).click();
		await drawer.getByText("Google no longer accepts our access").waitFor();
		await page.goto(`${program.base}/deliverability`);
		await page.getByText("Nothing is sent until the mailbox is reconnected").waitFor();
		await page.getByRole("link", { name: "google@sandbox.test" }).click();
		await drawer.getByRole("button", { name: "Reconnect" }).click();
		await choose("google@sandbox.test");
		await drawer.getByText("Both servers work").waitFor();
	});

	await step("providers: a link of the API works in any browser, after a question", async () => {
		await forget();
		const begun = await call("POST", "/mailbox_connections", { provider: "microsoft", email: microsoft });
		const elsewhere = await page.context().browser().newContext();
		const other = await elsewhere.newPage();
		await other.goto(begun.authorize_url);
		await other.getByRole("heading", { name: "Connect your mailbox to Sandbox?" }).waitFor();
		await other.getByRole("button", { name: "Continue to Microsoft" }).click();
		await other.getByRole("button", { name: microsoft }).click();
		await other.getByText(`${microsoft} is connected to Sandbox.`).waitFor();
		await elsewhere.close();
		assert.equal((await call("GET", `/mailbox_connections/${begun.id}`)).status, "connected");
	});

	await step("providers: an owner adds and removes a client of the workspace", async () => {
		await page.goto(`${program.base}/settings/mail`);
		const form = page.getByRole("region", { name: "Microsoft" });
		await form.getByLabel("Client ID").fill("an-id");
		await form.getByLabel("Client secret").fill("a-secret");
		await form.getByLabel("Tenant").fill("acme.example");
		await form.getByRole("button", { name: "Add client" }).click();
		await form.getByText("tenant acme.example", { exact: true }).waitFor();

		// With the client that an administrator allowed, no sign-in is needed.
		await page.goto(`${program.base}/mailboxes/new`);
		await drawer.getByLabel("E-mail address").fill("ghost@sandbox.test");
		await drawer.getByRole("button", { name: "Continue" }).click();
		await drawer.getByRole("button", { name: "Connect without sign-in" }).click();
		await drawer.getByText("Microsoft did not find the tenant acme.example").waitFor();
		await page.goto(`${program.base}/settings/mail`);
		await form.getByLabel("Client ID").fill("sandbox-client");
		await form.getByLabel("Client secret").fill("sandbox-client-secret");
		await form.getByLabel("Tenant").fill("7f3e4a52-0000-4000-8000-5a17db0c0001");
		await form.getByRole("button", { name: "Replace client" }).click();
		await form.getByText("tenant 7f3e4a52").waitFor();
		await forget();
		await page.goto(`${program.base}/mailboxes/new`);
		await drawer.getByLabel("E-mail address").fill(microsoft);
		await drawer.getByRole("button", { name: "Continue" }).click();
		await drawer.getByRole("button", { name: "Connect without sign-in" }).click();
		await drawer.getByText("Microsoft, by the application").waitFor();
		await drawer.getByText("Both servers work").waitFor();
		await forget();

		await page.goto(`${program.base}/settings/mail`);
		await form.getByRole("button", { name: "Remove Microsoft client" }).click();
		await page.getByRole("alertdialog").getByRole("button", { name: "Remove client" }).click();
		await form.getByText("Uses the client of the installation.").waitFor();
	});
}
