// Two people in one inbox, each in a browser of their own, at two API processes.
import assert from "node:assert/strict";
import { signIn } from "./signin.mjs";

/** How long a new reply and a colleague's change may take to be seen, in milliseconds. */
const SEEN = 2_000;

/** Calls REST with the token of the workspace. */
const caller = (program) => async (method, path, body) => {
	const answer = await fetch(`${program.base}/api/v1${path}`, {
		method,
		headers: { Authorization: `Bearer ${program.token}`, "Content-Type": "application/json" },
		body: body && JSON.stringify(body),
	});
	const told = await answer.json();
	if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(told)}`);
	return told;
};

/** An active campaign that writes at once, from the mailbox of the sandbox. */
async function campaignOf(call, program) {
	const { data: boxes } = await call("GET", "/mailboxes");
	const box =
		boxes.find(({ email }) => email === program.mailbox.email) ??
		(await call("POST", "/mailboxes", { ...program.mailbox, daily_limit: 5_000, min_gap_seconds: 0 }));
	const { id } = await call("POST", "/campaigns", {
		name: "Together",
		mailbox_ids: [box.id],
		send_days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
		send_from: "00:00",
		send_until: "23:59",
		steps: [{ subject: "Plan for {{ first_name }}", body_text: "Hello." }],
	});
	await call("POST", `/campaigns/${id}/activate`);
	return id;
}

export async function together(page, program, step) {
	if (program.mock) return;
	const call = caller(program);
	const second = await program.bare();
	const context = await page.context().browser().newContext({ reducedMotion: "reduce" });
	const other = await context.newPage();
	other.setDefaultTimeout(15_000);
	await signIn(page, program);
	await signIn(other, { ...program, base: second.base });
	const mine = page.getByRole("option", { name: /Tova/ }),
		theirs = other.getByRole("option", { name: /Tova/ });

	await step("together: a new reply is there for both within two seconds of being read", async () => {
		const campaign = await campaignOf(call, program);
		// The stream is open once the server has answered; asking each five seconds would be too slow to pass.
		const open = Promise.all([page, other].map((one) => one.waitForResponse("**/live")));
		await page.goto(`${program.base}/inbox`);
		await other.goto(`${second.base}/inbox`);
		await open;
		await call("POST", "/enrollments", {
			campaign_id: campaign,
			prospect: { email: "reply+together@together.example", first_name: "Tova" },
		});
		const stored = async () => {
			for (const end = Date.now() + 60_000; Date.now() < end; ) {
				const { data } = await call("GET", `/replies?campaign_id=${campaign}&limit=1`);
				if (data.length > 0) return Date.now();
				await page.waitForTimeout(50);
			}
			throw new Error("no reply came");
		};
		const shown = (option) => option.waitFor({ timeout: 60_000 }).then(() => Date.now());
		const [at, ...seen] = await Promise.all([stored(), shown(mine), shown(theirs)]);
		const took = seen.map((when) => Math.max(0, when - at));
		assert.ok(Math.max(...took) < SEEN, `the reply was seen after ${took.join(" and ")} ms`);
		console.log(`     the reply was seen after ${took.join(" and ")} ms`);
	});

	await step(
		"together: beside the conversation stands why the person is not mailed, and the mails of the history",
		async () => {
			await theirs.click();
			const person = other.getByRole("complementary", { name: "Prospect" });
			await person.getByText("Replied: no more mails are sent.").waitFor();
			const sent = person.getByRole("button", { name: "Sent", exact: true });
			await sent.click();
			await person.locator("pre", { hasText: /^Plan for Tova\s+Hello\./ }).waitFor();
			await sent.click();
			await person.locator("pre").waitFor({ state: "detached" });
		},
	);

	await step("together: what one changes, the other sees within two seconds", async () => {
		await mine.click();
		await page.getByRole("button", { name: "Done" }).waitFor();
		const act = async (what, seen) => {
			await what();
			const begun = Date.now();
			await seen();
			const took = Date.now() - begun;
			assert.ok(took < SEEN, `seen after ${took} ms`);
			return took;
		};
		const done = await act(
			() => page.keyboard.press("e"),
			() => theirs.waitFor({ state: "detached" }),
		);
		const undone = await act(
			() => page.getByRole("button", { name: "Undo" }).first().click(),
			() => theirs.waitFor(),
		);
		console.log(`     done was seen after ${done} ms, Undo after ${undone} ms`);
	});

	await step(
		"together: the tabs of a browser share one stream, and another takes over when its tab is left",
		async () => {
			const tab = await page.context().newPage();
			tab.setDefaultTimeout(15_000);
			let streams = 0;
			tab.on("request", (request) => {
				if (request.url().endsWith("/live")) streams++;
			});
			await tab.goto(`${program.base}/inbox`);
			const shown = tab.getByRole("option", { name: /Tova/ });
			const change = async (what, seen) => {
				const begun = Date.now();
				await what();
				await seen();
				assert.ok(Date.now() - begun < SEEN, `seen after ${Date.now() - begun} ms`);
			};
			await shown.waitFor();
			await theirs.click();
			const done = other.getByRole("button", { name: "Done" });
			await done.waitFor();
			await change(
				() => other.keyboard.press("e"),
				() => shown.waitFor({ state: "detached" }),
			);
			assert.equal(streams, 0, "the second tab hears by the first");
			const opened = tab.waitForResponse("**/live");
			await page.goto("about:blank");
			await opened;
			await change(
				() => other.getByRole("button", { name: "Undo" }).first().click(),
				() => shown.waitFor(),
			);
			await tab.close();
		},
	);
	await context.close();
	await second.stop();
}
