// A day in the inbox by keyboard alone. The replies are made up on the way to the
// page, so that the server can be slow and refuse at will.
import assert from "node:assert/strict";
import { signIn } from "./signin.mjs";
import { toast } from "./toast.mjs";

const reply = (n, over = {}) => ({
	__typename: "Reply",
	id: `01a20000-0000-7000-8000-${String(1000 - n).padStart(12, "0")}`,
	prospectId: "01a20000-0000-7000-8000-000000000001",
	campaignId: null,
	mailboxId: "01a20000-0000-7000-8000-000000000002",
	messageId: null,
	from: `writer${n}@acme.example`,
	answerTo: `writer${n}@acme.example`,
	subject: `Question ${n}`,
	text: `Text ${n}. `.repeat(n === 2 ? 900 : 3),
	interest: "neutral",
	interestReason: null,
	automatic: false,
	abridged: n === 1,
	attachments: n === 1 ? [{ id: "1", filename: "offer.pdf", contentType: "application/pdf", size: 12_300 }] : [],
	receivedAt: new Date(Date.now() - n * 60_000).toISOString(),
	done: false,
	assignedTo: null,
	snoozedUntil: null,
	prospect: null,
	campaign: null,
	...over,
});

const message = (n) => ({
	__typename: "Message",
	id: `01a30000-0000-7000-8000-${String(1000 - n).padStart(12, "0")}`,
	external: false,
	campaignId: null,
	prospectId: "01a20000-0000-7000-8000-000000000001",
	mailboxId: "01a20000-0000-7000-8000-000000000002",
	step: 1,
	subject: `Sent ${n}`,
	messageId: `<${n}@acme.example>`,
	status: "sent",
	smtpResponse: null,
	sentAt: new Date(Date.now() - (n + 30) * 60_000).toISOString(),
	text: `Offer ${n}.`,
	campaign: null,
});

/** Answers what the inbox asks; a change waits for what given.gate returns, given.refuse has it refused. */
async function serve(page, given) {
	const set = (ids, part) => given.replies.filter((r) => ids.includes(r.id)).map((r) => Object.assign(r, part)).length;
	const answers = {
		Replies: ({ automatic, done, interest, snoozed, assignedTo }) => ({
			replies: {
				nodes: given.replies.filter(
					(r) =>
						(automatic === undefined || automatic === null || r.automatic === automatic) &&
						(done === undefined || done === null || r.done === done) &&
						(snoozed === undefined || snoozed === null || (r.snoozedUntil !== null) === snoozed) &&
						(!assignedTo || r.assignedTo === assignedTo) &&
						(!interest || r.interest === interest),
				),
				nextCursor: null,
			},
		}),
		ReplyWhole: ({ id }) => ({
			reply: { __typename: "Reply", fullText: `${given.replies.find((r) => r.id === id).text}\n\n> The offer\n` },
		}),
		Reply: ({ id }) => ({ reply: given.replies.find((r) => r.id === id) }),
		FoundMail: ({ search }) => ({
			mail: {
				nodes: given.replies
					.filter((r) => r.text.startsWith(search))
					.map((r) => ({
						__typename: "FoundMail",
						id: r.id,
						kind: "reply",
						replyId: r.id,
						prospectId: r.prospectId,
						who: r.from,
						subject: r.subject,
						excerpt: r.text.slice(0, 200),
						at: r.receivedAt,
					})),
				nextCursor: null,
			},
		}),
		Messages: ({ first, after }) => {
			const from = Number(after ?? 0),
				next = from + first;
			return {
				messages: {
					nodes: given.sent.slice(from, next),
					nextCursor: next < given.sent.length ? String(next) : null,
				},
			};
		},
		OpenReplies: () => {
			const open = given.replies.filter((r) => !r.done && !r.automatic);
			return {
				replies: { nodes: open },
				positive: { nodes: open.filter((r) => r.interest === "positive").slice(0, 5) },
				newest: { nodes: open.slice(0, 5) },
			};
		},
		AnswerDraft: () => ({ answerDraft: given.draft }),
		SaveAnswerDraft: ({ input }) => {
			given.draft = { __typename: "AnswerDraft", ...input };
			return { saveAnswerDraft: { updatedAt: new Date().toISOString() } };
		},
		DeleteAnswerDraft: () => {
			given.draft = null;
			return { deleteAnswerDraft: true };
		},
		AnswerReply: ({ id, input }) => {
			given.answer = input;
			set([id], { done: true });
			return {
				answerReply: {
					__typename: "Message",
					id: "01a40000-0000-7000-8000-000000000002",
					mailboxId: "01a20000-0000-7000-8000-000000000002",
					replyId: id,
					to: "writer0@acme.example",
					cc: input.cc,
					subject: "Re: Question 0",
					status: "scheduled",
					smtpResponse: null,
					sendAt: new Date(Date.now() + 10_000).toISOString(),
					bodyHtml: input.bodyHtml,
					text: "",
				},
			};
		},
		Snippets: () => ({ snippets: { nodes: given.snippets, nextCursor: null } }),
		Writers: () => ({ writers: given.writers }),
		WaitingAnswers: () => ({ waitingAnswers: { nodes: given.waiting } }),
		Waiting: () => ({ waitingReplies: given.replies.filter((r) => !r.done && !r.automatic).length, sendingOff: null }),
		MarkRepliesDone: ({ ids, done }) => ({ markRepliesDone: set(ids, { done, snoozedUntil: null }) }),
		AssignConversations: ({ ids, memberId }) => ({ assignConversations: set(ids, { assignedTo: memberId ?? null }) }),
		SnoozeConversations: ({ ids, until }) => ({
			snoozeConversations: set(ids, { snoozedUntil: until ?? "9999-12-31T00:00:00.000000+00:00" }),
		}),
		WakeConversations: ({ ids }) => ({ wakeConversations: set(ids, { snoozedUntil: null }) }),
		UpdateReply: ({ id, input }) => ({
			updateReply: Object.assign(
				given.replies.find((r) => r.id === id),
				input,
			),
		}),
	};
	await page.route("**/graphql", async (route) => {
		const { operationName, variables } = JSON.parse(route.request().postData());
		const answer = answers[operationName];
		if (!answer) {
			await route.continue();
			return;
		}
		if (given.away === page) {
			await route.abort();
			return;
		}
		if (operationName === "Replies") await given.listed();
		const write = operationName === "MarkRepliesDone" || operationName === "UpdateReply";
		if (write) await given.gate();
		const json =
			write && given.refuse
				? { data: null, errors: [{ message: "Not now.", extensions: { code: "internal" } }] }
				: { data: structuredClone(answer(variables)) };
		await route.fulfill({ json }).catch(() => undefined); // the page may have asked for something else meanwhile
	});
}

/** What a person can use and see now, and what of it the toasts cover or the edges of the page cut. */
const obstacles = (page) =>
	page.evaluate(() => {
		const meet = (a, b) => ({
			left: Math.max(a.left, b.left),
			right: Math.min(a.right, b.right),
			top: Math.max(a.top, b.top),
			bottom: Math.min(a.bottom, b.bottom),
		});
		const empty = ({ left, right, top, bottom }) => right - left < 1 || bottom - top < 1;
		const seen = (element) => {
			let box = element.getBoundingClientRect();
			for (let one = element.parentElement; one && !empty(box); one = one.parentElement)
				if (getComputedStyle(one).overflowY !== "visible") {
					const { top, bottom } = one.getBoundingClientRect();
					box = meet(box, { left: -Infinity, right: Infinity, top, bottom });
				}
			return box;
		};
		const toasts = [...document.querySelectorAll(".toast")].map((one) => one.getBoundingClientRect());
		return [...document.querySelectorAll("main :is(button, select, input, a, [role=textbox]), nav :is(a, button)")]
			.filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".offscreen"))
			.flatMap((one) => {
				const box = seen(one);
				const cut = box.left < 0 || box.right > innerWidth + 0.5;
				const covered = toasts.some((toast) => !empty(meet(toast, box)));
				const name = one.getAttribute("aria-label") ?? one.textContent.slice(0, 30);
				return !empty(box) && (cut || covered) ? [`${name} is ${cut ? "cut" : "covered"}`] : [];
			});
	});

export async function inbox(page, program, step) {
	const given = {
		gate: () => undefined,
		listed: () => undefined,
		waiting: [],
		refuse: false,
		away: null, // the page for which the server is away
		draft: null,
		answer: null, // what was sent
		snippets: [],
		writers: [],
		sent: [],
		replies: Array.from({ length: 8 }, (_, n) => reply(n)).concat(reply(20, { automatic: true })),
	};
	const reading = (n) => page.getByRole("heading", { name: `Question ${n}`, exact: true }).waitFor();
	const option = (n) => page.getByRole("option", { name: `writer${n}@` });
	const shut = () => {
		let opened;
		const open = new Promise((later) => {
			opened = later;
		});
		given.gate = () => open;
		return opened;
	};
	const gone = (n) => option(n).waitFor({ state: "detached" });
	const press = (...keys) =>
		keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
	await signIn(page, program);
	await serve(page, given);

	await step("inbox: the overview says that replies wait, and leads there", async () => {
		await page.goto(program.base);
		await page.getByText("8 replies").waitFor();
		assert.equal(await page.getByText("No reply waits").count(), 0);
		const waits = page.getByRole("region", { name: "Replies waiting" });
		await waits.getByRole("link", { name: "Read" }).click();
		await reading(0);
		assert.equal(await page.title(), "(8) Inbox · Outreach", "the tab says how many wait");
	});

	await step(
		"inbox: the overview shows first who wants to talk, in their words, and opens the conversation",
		async () => {
			given.replies[6].interest = "positive";
			await page.goto(program.base);
			const waits = page.getByRole("region", { name: "Replies waiting" });
			await waits.getByRole("link", { name: "1 positive" }).waitFor();
			const rows = await waits.getByRole("listitem").allInnerTexts();
			assert.equal(rows.length, 5);
			assert.match(rows[0], /writer6@acme\.example\s+Positive\s+6 min\. ago\s+Text 6\. Text 6\./);
			assert.match(rows[1], /writer0@/);
			await waits.getByRole("link", { name: /writer6@/ }).click();
			await reading(6);
			given.replies[6].interest = "neutral";
		},
	);
	await step("inbox: the editor is fetched when somebody writes, and not before", async () => {
		const fetched = [];
		page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
		const settings = page.waitForRequest("**/assets/Settings-*"); // the last that is fetched ahead
		await page.goto(`${program.base}/inbox`);
		await reading(0);
		await settings;
		const editors = () => fetched.filter((path) => /editor-|Composer-|RichBody-/i.test(path));
		assert.deepEqual(editors(), []);
		await press("r");
		await page.getByRole("textbox", { name: /^Answer to / }).waitFor();
		assert.ok(
			editors().some((path) => path.includes("useEditor-")),
			"the editor has a file of its own",
		);
		await page.getByRole("textbox", { name: /^Answer to / }).press("Escape");
	});

	await step("inbox: an answer outlives the server and the tab, and goes on from another device", async () => {
		const person = async (context) => {
			const one = await context.newPage();
			one.setDefaultTimeout(15_000);
			if (context !== page.context()) await signIn(one, program);
			await serve(one, given);
			await one.goto(`${program.base}/inbox`);
			await one.getByRole("heading", { name: "Question 0", exact: true }).waitFor();
			return one;
		};
		const textOf = (one) => one.getByRole("textbox", { name: /^Answer to / });
		const written = (one, words) => one.locator(".composer-text", { hasText: words }).waitFor();
		const device = await page.context().browser().newContext({ reducedMotion: "reduce" });
		const elsewhere = await person(device); // it has the conversation open before anything is written
		const tab = await person(page.context());
		await tab.keyboard.press("r");
		await textOf(tab).waitFor();
		given.away = tab;
		await tab.keyboard.type("Typed while nobody answers");
		await tab.getByText("The draft is kept on this device until the server answers.").waitFor();
		await tab.keyboard.type(", and then");
		await written(tab, "Typed while nobody answers, and then");
		await tab.close(); // before the pause after which it is stored
		assert.equal(given.draft, null, "the server has nothing");
		given.away = null;
		const again = await person(page.context());
		await again.getByRole("button", { name: "Continue reply" }).click();
		await written(again, "Typed while nobody answers, and then");
		await textOf(again).press("Control+End");
		await again.keyboard.type(" more");
		await again.getByText("Draft saved.").waitFor();
		await elsewhere.keyboard.press("r");
		await written(elsewhere, "Typed while nobody answers, and then more");
		await again.getByRole("button", { name: "Discard the draft" }).click();
		await textOf(again).waitFor({ state: "detached" });
		await again.close();
		await device.close();
		assert.equal(given.draft, null, "a discarded draft is gone");
	});

	await step("inbox: an answer in rich text, pasted words, a snippet and copies leaves as it was written", async () => {
		given.snippets = [
			{
				__typename: "Snippet",
				id: "01a50000-0000-7000-8000-000000000001",
				name: "Prices",
				bodyHtml:
					'<p>Dear {{ first_name | default: "reader" }}, here are <a href="https://acme.example/prices">our prices</a>.</p>',
				bodyText: null,
			},
		];
		given.writers = [{ __typename: "Writer", email: "colleague@acme.example" }];
		await page.goto(`${program.base}/inbox`);
		await reading(0);
		await press("r");
		const text = page.getByRole("textbox", { name: "Answer to writer0@acme.example" });
		await text.waitFor();
		await page.getByText("colleague@acme.example is writing here too.").waitFor();
		await page.keyboard.type("Gladly, ");
		await press("Control+b");
		await page.keyboard.type("today");
		await press("Control+b");
		await page.keyboard.type(".");
		await press("Enter");
		await text.evaluate((editor) => {
			const clipboardData = new DataTransfer();
			clipboardData.setData(
				"text/html",
				'<div style="color: red"><h1>Big</h1><p class="x" onclick="alert(1)">Some <span style="font-size: 40px"><b>words' +
					'</b></span>, <a href="javascript:alert(1)">bad</a> and <a href="https://acme.example/" target="_blank">good' +
					'</a><img src="https://tracker.example/p.gif"></p><script>alert(1)</script></div>',
			);
			editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
		});
		await text.getByText("Some words, bad and good").waitFor();
		await press("Enter");
		await page.keyboard.type("/pri");
		await page.getByRole("listbox", { name: "Snippets" }).getByRole("option", { name: "Prices" }).waitFor();
		await press("Enter");
		await text.getByText("Dear reader, here are our prices.").waitFor();
		await press("Enter");
		await page.keyboard.type("- one");
		await press("Enter");
		await page.keyboard.type("two");
		await page.getByLabel("Cc").fill("boss@acme.example, board@acme.example");
		await text.press("Control+Enter");
		await toast(page, "Answer leaves in 10 s.");
		assert.deepEqual(given.answer, {
			bodyHtml:
				"<p>Gladly, <strong>today</strong>.</p><p>Big</p>" +
				'<p>Some <strong>words</strong>, bad and <a href="https://acme.example/">good</a></p>' +
				'<p>Dear reader, here are <a href="https://acme.example/prices">our prices</a>.</p>' +
				"<ul><li><p>one</p></li><li><p>two</p></li></ul>",
			cc: ["boss@acme.example", "board@acme.example"],
			subject: null,
			sendAt: null,
		});
		await gone(0);
		given.draft = null; // the server deletes the draft of an answer
		given.writers = [];
		given.replies[0].done = false;
	});

	await step("inbox: a file is saved, the quotation is unfolded, the original is shown", async () => {
		await page.route("**/mail/replies/**", (route) =>
			route.request().url().endsWith("/original")
				? route.fulfill({
						json: { html: "<p>As it was sent</p>", remote: true },
					})
				: route.fulfill({ body: "%PDF", contentType: "application/pdf" }),
		);
		await page.goto(`${program.base}/inbox`);
		await option(1).click();
		await reading(1);
		const saved = page.waitForEvent("download");
		await page.getByRole("button", { name: /^offer\.pdf/ }).click();
		assert.equal((await saved).suggestedFilename(), "offer.pdf");
		const mail = page.getByRole("article", { name: /: Question 1$/ });
		await mail.getByRole("button", { name: "Show quoted text" }).click();
		await mail.getByText("> The offer", { exact: true }).waitFor();
		await mail.getByRole("button", { name: "Hide quoted text" }).click();
		await mail.getByText("> The offer").waitFor({ state: "detached" });
		await mail.getByRole("button", { name: "Show original" }).click();
		await page.frameLocator('iframe[title="The original mail"]').getByText("As it was sent").waitFor();
		await mail.getByRole("button", { name: "Load remote pictures" }).waitFor();
		await mail.getByRole("button", { name: "Hide original" }).click();
		await page.unroute("**/mail/replies/**");
	});

	await step("inbox: j and k walk, the focus goes along, Space reads on", async () => {
		await page.goto(`${program.base}/inbox`);
		await reading(0);
		await press("j", "j");
		await reading(2);
		assert.ok(
			await option(2).evaluate((element) => element === document.activeElement),
			"the reply that is read has the focus",
		);
		await press("Space");
		await page.waitForFunction(() => document.querySelector(".thread").scrollTop > 200);
		await press("k", "k");
		await reading(0);
	});

	await step("inbox: three at once are done, whatever the server takes for it", async () => {
		const waiting = [];
		given.gate = () => new Promise((later) => waiting.push(later));
		await press("e", "e", "e");
		await reading(3);
		for (const n of [0, 1, 2]) await gone(n);
		while (waiting.length < 3) await page.waitForTimeout(10);
		// Answered from the last to the first: z still takes back what was done last.
		for (const answer of waiting.reverse()) {
			answer();
			await toast(page, "Done.");
		}
		given.gate = () => undefined;
		assert.deepEqual(
			given.replies.filter((r) => r.done).map((r) => r.subject),
			["Question 0", "Question 1", "Question 2"],
		);
	});

	await step("inbox: z brings back the last one", async () => {
		await press("z");
		await reading(2);
		await option(2).waitFor();
		await toast(page, "Undone.");
		await press("e");
		await gone(2);
		await reading(3);
		await toast(page, "Done.");
	});

	await step("inbox: what the server refuses comes back, and it is said", async () => {
		const open = shut();
		given.refuse = true;
		await press("e");
		await gone(3);
		open();
		await toast(page, "Not now.");
		await option(3).waitFor();
		given.refuse = false;
		await option(4).and(page.locator("[aria-selected=true]")).waitFor();
	});

	await step("inbox: a reply that leaves the filtered list can still be judged, and the place is kept", async () => {
		await page.locator('select[aria-label="Interest"]').selectOption("neutral");
		await page.waitForURL(/interest=neutral/);
		await page.locator(".inbox:not([aria-busy])").waitFor(); // keys wait for the new list
		await page.evaluate(() => document.activeElement.blur());
		await press("p");
		await page.locator("button[aria-pressed=true]", { hasText: "Positive" }).waitFor();
		await gone(4);
		await press("n");
		await page.locator("button[aria-pressed=true]", { hasText: "Negative" }).waitFor();
		await press("j");
		await reading(5);
	});

	await step("inbox: to the end, and the one before; an answer knows whom", async () => {
		await press("j", "j");
		await reading(7);
		await press("e");
		await reading(6);
		await press("r");
		const text = page.getByRole("textbox", { name: "Answer to writer6@acme.example" });
		await text.waitFor();
		assert.equal(await page.getByLabel("Subject").inputValue(), "Re: Question 6");
		await page.keyboard.type("Dear");
		await text.press("Escape");
		await page.getByText("Esc closes the answer. The draft is kept.").waitFor();
		await page.keyboard.type("reader, e");
		await reading(6); // no letter gave a command
		assert.equal(await text.innerText(), "Dear");
		await text.press("ControlOrMeta+a");
		await text.press("Delete");
		await text.press("Escape");
		await text.waitFor({ state: "detached" });
		await press("e");
		await reading(5);
		await press("e");
		await reading(3);
		await press("e");
		await page.getByText("No replies match these filters.").waitFor();
		await page.getByText("Select a reply to read it.").waitFor();
		await page.getByRole("button", { name: "Clear filters" }).click();
		await reading(4);
		await press("e");
		await page.getByText("All replies are done.").waitFor();
		await page.getByRole("button", { name: "Show all replies" }).waitFor();
		await page.getByRole("button", { name: "1 automatic reply" }).waitFor();
	});

	await step("inbox: a search finds mail that is done, and Escape leaves the box", async () => {
		await press("/");
		await page.keyboard.type("Text 6");
		const found = page.getByRole("list", { name: "Found mail" });
		await found.getByRole("button", { name: "From writer6@acme.example" }).click();
		await reading(6);
		const marked = (where) => page.locator(`${where} mark`).allTextContents();
		assert.deepEqual(await marked(".found"), ["6", "Text", "6", "Text", "6", "Text", "6"]);
		assert.deepEqual(await marked('[aria-label$="Question 6"]'), ["Text", "6", "Text", "6", "Text", "6"]);
		await page.getByRole("searchbox", { name: "Search all mail" }).fill("no such word");
		await page.getByText("No mail has these words.").waitFor();
		await page.getByRole("button", { name: "Clear filters" }).click();
		await page.getByText("All replies are done.").waitFor();
	});

	await step("inbox: several are done at once and brought back; one is assigned and snoozed", async () => {
		await page.goto(`${program.base}/inbox?show=done`);
		await page.getByRole("button", { name: "Select all 8" }).click();
		await page.getByText(/^8 selected$/).waitFor();
		await page.getByRole("button", { name: "Not done", exact: true }).first().click();
		await toast(page, "8 reopened.");
		await page.goto(`${program.base}/inbox`);
		await reading(0);
		await press("a");
		await toast(page, "Assigned to");
		await press("s");
		await gone(0);
		await reading(1);
		await toast(page, "Snoozed until");
		await page.getByLabel("Snooze").selectOption("Until a time…");
		await page.getByLabel("Snooze until").fill("2099-01-01T09:00");
		await page.getByRole("button", { name: "Snooze", exact: true }).click();
		await gone(1);
		await toast(page, "Snoozed until Jan 1, 2099 at 09:00");
		await press("z");
		await reading(1);
		await page.getByLabel("Snooze").selectOption("Until a reply");
		await gone(1);
		await toast(page, "Snoozed until the next reply.");
		await page.locator('select[aria-label="Show"]').selectOption("snoozed");
		await option(0).click();
		await reading(0);
		await page.getByLabel("Snooze").selectOption("In a month");
		await toast(page, "Snoozed until");
		await reading(0);
		await option(0)
			.getByText(/on \w+ \d+, \d{4}/)
			.waitFor();
		await option(1).getByText("next reply").waitFor();
		await press("z");
		await option(0).getByText("tomorrow").waitFor();
		await press("s");
		await gone(0);
		await page.locator('select[aria-label="Show"]').selectOption("mine");
		await option(0).waitFor();
		assert.equal(await page.getByRole("option", { name: /^writer/ }).count(), 1, "only the assigned one is mine");
	});

	await step("inbox: selected ones are assigned and snoozed together, by mouse, and each is put back", async () => {
		for (const r of given.replies) Object.assign(r, { done: false, snoozedUntil: null, assignedTo: null });
		await page.goto(`${program.base}/inbox`);
		await reading(0);
		const me = await page.getByLabel("Assigned to").locator("option", { hasText: program.email }).getAttribute("value");
		given.replies[2].assignedTo = me;
		await page.reload();
		await option(2).getByLabel("Assigned").waitFor();
		for (const n of [0, 1, 2]) await option(n).locator(".pick").click();
		await page.getByText(/^3 selected$/).waitFor();
		await page.getByLabel("Assign selected").selectOption(program.email);
		await toast(page, "3 assigned to");
		for (const n of [0, 1, 2]) await option(n).getByLabel("Assigned").waitFor();
		await page.getByRole("button", { name: "Select all 8" }).waitFor();
		await press("z");
		await toast(page, "Undone.");
		assert.deepEqual(
			[0, 1, 2].map((n) => given.replies[n].assignedTo),
			[null, null, me],
		);
		for (const n of [0, 1]) await option(n).locator(".pick").click();
		await page.getByLabel("Snooze selected").selectOption("Until a time…");
		await page.getByLabel("Snooze until").fill("2099-01-01T09:00");
		await page.locator(".bulk").getByRole("button", { name: "Snooze", exact: true }).click();
		await toast(page, "2 snoozed until Jan 1, 2099 at 09:00");
		for (const n of [0, 1]) await gone(n);
		await reading(2);
	});

	await step("inbox: the same by keyboard, and what is snoozed gets another time where it stands", async () => {
		await press("j", "x", "j", "x");
		await page.getByText(/^2 selected$/).waitFor();
		await press("Escape");
		await page.getByRole("button", { name: "Select all 6" }).waitFor();
		await press("x", "k", "x", "a");
		await toast(page, "2 assigned to");
		await press("x", "j", "x", "s");
		await toast(page, "2 snoozed until");
		for (const n of [3, 4]) await gone(n);
		await reading(5);
		await press("X", "e");
		await toast(page, "4 done.");
		await press("z");
		await toast(page, "Undone.");
		await option(5).waitFor();
		await page.goto(`${program.base}/inbox?show=snoozed`);
		await reading(0);
		await option(3).getByText("tomorrow").waitFor();
		await press("X", "S");
		assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Snooze selected");
		await page.keyboard.press("Escape");
		await page.getByLabel("Snooze selected").selectOption("Until a reply");
		await toast(page, "4 snoozed until the next reply.");
		await option(4).getByText("next reply").waitFor();
		await reading(0);
		await press("z");
		await toast(page, "Undone.");
		await option(4).getByText("tomorrow").waitFor();
		await option(1).getByText("on Jan 1, 2099").waitFor();
		for (const r of given.replies) Object.assign(r, { done: false, snoozedUntil: null });
	});

	await step("inbox: a long conversation can be read to its start", async () => {
		given.sent = Array.from({ length: 130 }, (_, n) => message(n));
		await page.goto(`${program.base}/inbox?show=all`);
		const letter = (n) => page.getByRole("article", { name: new RegExp(`: Sent ${n}$`) });
		await letter(49).waitFor({ state: "attached" });
		assert.equal(await letter(50).count(), 0, "the newest fifty come at once");
		await page.getByRole("button", { name: "Show earlier messages" }).click();
		await letter(129).waitFor({ state: "attached" });
		await page.getByRole("button", { name: "Show earlier messages" }).waitFor({ state: "detached" });
		const subjects = await page
			.locator(".message.ours")
			.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
		assert.deepEqual(
			[subjects.length, subjects[0], subjects.at(-1)],
			[130, "Your mailbox: Sent 129", "Your mailbox: Sent 0"],
		);
	});

	await step(
		"inbox: after a change of filters keys act on what the new list opens, and on nothing before",
		async () => {
			given.sent = [];
			for (const r of given.replies)
				Object.assign(r, { done: false, snoozedUntil: null, assignedTo: null, interest: "neutral" });
			given.replies[5].interest = "positive";
			await page.goto(`${program.base}/inbox`);
			await reading(0);
			await press("j", "j");
			await reading(2);
			let answer;
			const asked = new Promise((later) => {
				given.listed = () => {
					later();
					return new Promise((open) => {
						answer = open;
					});
				};
			});
			await page.locator('select[aria-label="Interest"]').selectOption("positive");
			await asked;
			await page.evaluate(() => document.activeElement.blur());
			await press("e", "a", "s");
			given.listed = () => undefined;
			answer();
			await reading(5);
			assert.deepEqual(
				given.replies.filter((r) => r.done || r.assignedTo || r.snoozedUntil).map((r) => r.subject),
				[],
				"nothing was done with the reply of the list before",
			);
			await press("e");
			await page.getByText("Select a reply to read it.").waitFor();
			await toast(page, "Done.");
			await press("e", "a", "s");
			await page.getByRole("button", { name: "Clear filters" }).click();
			await reading(0);
			assert.deepEqual(
				given.replies.filter((r) => r.done || r.assignedTo || r.snoozedUntil).map((r) => r.subject),
				["Question 5"],
			);
			await page.getByRole("searchbox", { name: "Search all mail" }).fill("Text 3");
			await reading(3);
			await page.getByRole("searchbox", { name: "Search all mail" }).fill("no such word");
			await page.getByText("Select a reply to read it.").waitFor();
		},
	);

	for (const [width, height] of [
		[1280, 800],
		[390, 844],
		[360, 640],
	])
		await step(`inbox: at ${width} px the head stays, nothing is covered and nothing cut`, async () => {
			const clear = async (where) => assert.deepEqual(await obstacles(page), [], where);
			await page.setViewportSize({ width, height });
			given.sent = Array.from({ length: 12 }, (_, n) => message(n));
			const sendAt = new Date(Date.now() + 40_000).toISOString();
			const subject = "Re: Question 0, with a subject that is too long for one line of a narrow window";
			given.waiting = [
				{
					__typename: "Message",
					id: "01a40000-0000-7000-8000-000000000001",
					subject,
					cc: ["boss@acme.example"],
					text: "Yes.",
					sendAt,
					smtpResponse: null,
				},
			];
			for (const r of given.replies) Object.assign(r, { done: false, snoozedUntil: null, assignedTo: null });
			await page.goto(`${program.base}/inbox`);
			await option(0).waitFor();
			if (width < 760) {
				await page.getByRole("button", { name: "Filters" }).click();
				await clear("the filters");
				await page.getByRole("button", { name: "Filters" }).click();
			}
			await option(0).locator(".pick").click();
			await page.getByLabel("Snooze selected").selectOption("Until a time…");
			await clear("the selection");
			await press("Escape");
			await page.getByLabel("Snooze until").waitFor({ state: "detached" });
			await press("Escape");
			await page.getByRole("button", { name: /^Select all/ }).waitFor();
			await option(0).click();
			const waiting = page.getByRole("article", { name: /^Scheduled: / });
			await waiting.getByText(/^Your answer · leaves in \d+ s$/).waitFor();
			await waiting.getByText("Cc boss@acme.example").waitFor();
			const inView = (what) =>
				what.evaluate((one) => {
					const { top, bottom, height } = one.getBoundingClientRect();
					return height > 0 && top >= 0 && bottom <= innerHeight;
				});
			assert.ok(await inView(page.getByRole("heading", { name: "Question 0", exact: true })), "the subject is in view");
			assert.ok(await inView(page.getByRole("button", { name: /^Done/ })), "what can be done is in view");
			assert.ok(await inView(waiting), "the newest mail is in view");
			assert.ok(await inView(page.getByRole("button", { name: /^Reply/ })), "the button to answer is in view");
			await clear("a conversation");
			await page.getByLabel("Snooze", { exact: true }).selectOption("Until a time…");
			const next = await page.evaluate(() => {
				const at = new Date();
				at.setDate(at.getDate() + 1);
				return `${at.getFullYear()}-${`${at.getMonth() + 1}`.padStart(2, "0")}-${`${at.getDate()}`.padStart(2, "0")}T08:00`;
			});
			assert.equal(await page.getByLabel("Snooze until").inputValue(), next);
			await clear("the time of a snooze");
			await press("Escape");
			await page.getByLabel("Assigned to").selectOption(program.email);
			await toast(page, "Assigned to");
			await clear("a toast");
			assert.ok(await inView(page.getByRole("button", { name: /^Reply/ })), "the button stays in view beside a toast");
			await page.getByRole("button", { name: /^Reply/ }).click();
			await page.getByRole("button", { name: "Send later" }).click();
			await page.getByLabel("Send at").waitFor();
			assert.ok(await inView(page.getByRole("button", { name: /^Schedule/ })), "the button to send is in view");
			await clear("the composer");
			await page.getByRole("textbox", { name: /^Answer to / }).press("Escape");
		});
}
