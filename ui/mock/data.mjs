// Made-up data, the same at every start but for the clock.
let seed = 7;
const random = () => {
	seed = (seed * 1103515245 + 12345) % 2147483648;
	return seed / 2147483648;
};
const pick = (list) => list[Math.floor(random() * list.length)];
let serial = 0;
export const id = () => `018f2f6e-0000-7000-8000-${String(++serial).padStart(12, "0")}`;
export const at = (minutesAgo) => new Date(Date.now() - minutesAgo * 60_000).toISOString().replace("Z", "000+00:00");

const firsts = [
	"Ada",
	"Grace",
	"Alan",
	"Edsger",
	"Barbara",
	"Donald",
	"Radia",
	"Linus",
	"Margaret",
	"Ken",
	"Annie",
	"Tim",
	"Frances",
	"John",
	"Hedy",
];
const lasts = [
	"Lovelace",
	"Hopper",
	"Turing",
	"Dijkstra",
	"Liskov",
	"Knuth",
	"Perlman",
	"Hamilton",
	"Thompson",
	"Easley",
	"Allen",
	"Backus",
	"Lamarr",
	"van der Westhuizen-Montgomery",
];
const names = [
	"Acme",
	"Globex",
	"Initech",
	"Umbrella",
	"Hooli",
	"Stark Industries",
	"Wayne Enterprises",
	"Tyrell",
	"Cyberdyne",
	"Soylent",
	"Wonka",
	"The Consolidated International Widget Manufacturing Company",
];

/** What a mailbox sent in 30 days. The first one comes near the bound of bounces, and others than the first three sent nothing. */
export const activityOf = (n) => {
	const days = Array.from({ length: 30 }, (_, k) => {
		const attempted = n === 0 || n === 2 ? 12 - 3 * n + (k % 5) : 0;
		return {
			date: at((29 - k) * 1440).slice(0, 10),
			attempted,
			bounced: n === 0 && k > 22 && k % 2 === 0 ? 1 : 0,
			complained: 0,
			replied: k % 3 === 0 && attempted > 0 ? 1 : 0,
		};
	});
	const sum = (key, from = 0) => days.slice(from).reduce((all, day) => all + day[key], 0);
	const [attempted, bounced] = [sum("attempted", 22), sum("bounced", 22)];
	const bounceBound = attempted < 50 ? 8 : Math.ceil(attempted / 20);
	return {
		activity: {
			attempted: sum("attempted"),
			bounced: sum("bounced"),
			complained: 0,
			replied: sum("replied"),
			lastSentAt: n === 0 || n === 2 ? at(n * 300 + 4) : null,
			days,
		},
		health: {
			attempted,
			bounced,
			complained: 0,
			bounceBound,
			complaintBound: 2,
			warning:
				2 * bounced < bounceBound
					? null
					: `${bounced} of ${attempted} messages of the last 7 days came back from their recipients. ` +
						`At ${bounceBound} the mailbox is paused. Check the addresses.`,
			days: [],
		},
	};
};

export function makeData({ prospects: many, empty }) {
	const d = {
		companies: [],
		prospects: [],
		campaigns: [],
		enrollments: [],
		messages: [],
		replies: [],
		offers: [],
		mailboxes: [],
		sendingDomains: [],
		placements: [],
		suppressions: [],
		subscriptions: [],
		deliveries: [],
		history: [],
		members: [],
		invitations: [],
		attention: [],
		domain: null,
		me: {},
		secrets: new Map(),
	};
	d.me = {
		workspaceId: id(),
		workspaceName: "Demo",
		tokenPrefix: "ort_9fK2mQ7a",
		tokenLastUsedAt: at(12),
		contactGapHours: 20,
	};
	d.members = [{ id: id(), email: "owner@example.com", role: "owner", createdAt: at(90_000) }];
	if (empty) return d;
	d.members.push({ id: id(), email: "sam@example.com", role: "member", createdAt: at(40_000) });
	d.domain = { host: "go.example.com", status: "verified", target: "outreach.example.net", verifiedAt: at(9_000) };
	d.companies = names.map((name, n) => ({
		id: id(),
		name,
		domain: `${name
			.toLowerCase()
			.replace(/[^a-z]/g, "")
			.slice(0, 24)}.example`,
		temperature: ["hot", "warm", "cold"][n % 3],
		temperatureReason: ["A positive reply 2 hours ago.", "A click yesterday.", "Nothing in the last seven days."][
			n % 3
		],
		prospectCount: Math.ceil(many / names.length),
		createdAt: at(n * 1000),
	}));
	const statuses = [
		"new",
		"new",
		"in_sequence",
		"in_sequence",
		"finished",
		"replied",
		"bounced",
		"unsubscribed",
		"paused",
	];
	for (let n = 0; n < many; n++) {
		const first = pick(firsts),
			last = pick(lasts),
			company = d.companies[n % d.companies.length],
			status = pick(statuses);
		d.prospects.push({
			id: id(),
			email: `${first}.${last.split(" ")[0]}${n}@${company.domain}`.toLowerCase().replaceAll(" ", ""),
			firstName: n % 9 ? first : null,
			lastName: n % 9 ? last : null,
			companyName: company.name,
			companyId: company.id,
			jobTitle: pick(["CTO", "Head of Sales", "Engineer", null]),
			phone: null,
			website: null,
			linkedinUrl: null,
			timezone: pick(["Europe/Paris", "America/New_York", null]),
			customFields: n % 2 ? { team_size: 12, plan: "pro" } : {},
			status,
			interest: status === "replied" ? pick(["positive", "neutral", "negative"]) : null,
			lastContactedAt: status === "new" ? null : at(n % 3000),
			lastRepliedAt: status === "replied" ? at(n % 900) : null,
			createdAt: at(n),
		});
	}
	const record = (result, detail, more = {}) => ({ result, detail, record: null, publish: [], ...more });
	d.sendingDomains = [
		{
			id: id(),
			domain: "example.com",
			state: "passing",
			mx: record("pass", "The domain takes mail.", { record: "10 mail.example.com" }),
			spf: record("pass", "The SPF record authorises the mail server.", { record: "v=spf1 mx -all" }),
			dkim: record("unknown", "Only a mailbox of another domain can tell whether your mail arrives signed."),
			dmarc: record("pass", "The DMARC record is valid; its policy is none.", { record: "v=DMARC1; p=none" }),
			dmarcPolicy: "none",
			failingSince: null,
			checkedAt: at(90),
			createdAt: at(80_000),
		},
		{
			id: id(),
			domain: "subsidiary.example.com",
			state: "failing",
			mx: record("pass", "The domain takes mail.", { record: "10 mail.example.com" }),
			spf: record("fail", "The SPF record does not authorise mail.example.com.", {
				record: "v=spf1 -all",
				publish: [{ type: "TXT", name: "subsidiary.example.com", value: "v=spf1 a:mail.example.com -all" }],
			}),
			dkim: record("pass", "A mail arrived with a signature of the domain."),
			dmarc: record("none", "No DMARC record was found.", {
				publish: [
					{
						type: "TXT",
						name: "_dmarc.subsidiary.example.com",
						value: "v=DMARC1; p=none; rua=mailto:dmarc@example.com",
					},
				],
			}),
			dmarcPolicy: null,
			failingSince: at(6_000),
			checkedAt: at(90),
			createdAt: at(80_000),
		},
	];
	const server = (port, security) => ({ host: "mail.example.com", port, username: "kim@example.com", security });
	d.mailboxes = ["kim@example.com", "lee@example.com", "a.rather.long.address.of.someone@subsidiary.example.com"].map(
		(email, n) => ({
			id: id(),
			email,
			displayName: email.split("@")[0],
			provider: "custom",
			auth: "password",
			authError: null,
			smtp: server(587, "starttls"),
			imap: server(993, "tls"),
			dailyLimit: 50,
			minGapSeconds: 60,
			rampUp: null,
			limitToday: 50,
			signatureHtml: "<p>Kim, Outreach</p>",
			status: ["connected", "error", "paused"][n],
			lastError: n === 1 ? "imap: login refused: [AUTHENTICATIONFAILED] Invalid credentials" : null,
			sentToday: [34, 0, 12][n],
			lastCheckedAt: at(n * 7 + 1),
			createdAt: at(80_000 + n),
			...activityOf(n),
		}),
	);
	d.placements = [
		{
			id: id(),
			mailboxId: d.mailboxes[0].id,
			toMailboxId: d.mailboxes[2].id,
			status: "arrived",
			folder: "inbox",
			authentication: { spf: "pass", dkim: "pass", dmarc: "pass" },
			seconds: 4,
			detail: null,
			createdAt: at(3_000),
		},
	];
	const steps = () => [
		{
			id: id(),
			delayMinutes: 0,
			subject: "A question about {{ company_name }}",
			bodyHtml:
				'<p style="color:#224">Hello {{ first_name | default: "there" }},</p><p>does <b>{{ company_name }}</b> still do this by hand?</p>',
			bodyText: null,
		},
		{
			id: id(),
			delayMinutes: 2880,
			subject: null,
			bodyHtml: null,
			bodyText: "Hello {{ first_name }},\n\nonly to make sure that you saw this.",
		},
		{ id: id(), delayMinutes: 7200, subject: null, bodyHtml: null, bodyText: "Last one from me." },
	];
	d.campaigns = ["Autumn launch", "CTOs in France", "Win back", "Partners 2026"].map((name, n) => ({
		id: id(),
		name,
		status: ["active", "draft", "paused", "archived"][n],
		notSendingReason: [
			null,
			"The campaign is a draft: activate it.",
			"The campaign is paused.",
			"The campaign is archived.",
		][n],
		timezone: "Europe/Paris",
		sendDays: ["mon", "tue", "wed", "thu", "fri"],
		sendFrom: "09:00",
		sendUntil: "17:00",
		skipDates: [],
		startsOn: null,
		endsOn: null,
		dailyNewLimit: n ? null : 40,
		companyDailyLimit: n ? null : 2,
		stopOnReply: true,
		stopCompanyOnReply: false,
		trackClicks: true,
		trackOpens: n === 0,
		mailboxIds: n === 1 ? [] : [d.mailboxes[0].id],
		steps: steps(),
		createdAt: at(n * 5000),
		revision: "r0",
	}));
	const live = d.campaigns[0];
	d.prospects.slice(0, 400).forEach((p, n) => {
		const status = ["active", "active", "replied", "finished", "held", "stopped", "paused", "bounced"][n % 8];
		const e = {
			id: id(),
			campaignId: live.id,
			prospectId: p.id,
			mailboxId: d.mailboxes[0].id,
			status,
			stopReason: status === "stopped" ? "Stopped by hand." : null,
			holdReason: status === "held" ? "The variable plan has no value." : null,
			holdUntil: null,
			unknownMessageId: null,
			nextStep: ["finished", "replied", "bounced"].includes(status) ? null : 1 + (n % 3),
			nextSendAt: status === "active" ? at(-n * 3) : null,
			createdAt: at(n * 11),
		};
		d.enrollments.push(e);
		if (n % 3 === 0) {
			const m = {
				id: id(),
				campaignId: live.id,
				prospectId: p.id,
				mailboxId: d.mailboxes[0].id,
				enrollmentId: e.id,
				step: 1,
				subject: `A question about ${p.companyName}`,
				messageId: `<${n}@example.com>`,
				status: n === 30 ? "unknown" : "sent",
				external: false,
				smtpResponse: "250 2.0.0 Ok: queued",
				sentAt: at(n * 9 + 60),
				text: `Hello ${p.firstName ?? "there"},\n\ndoes ${p.companyName} still do this by hand?`,
			};
			d.messages.push(m);
			d.history.push({
				id: id(),
				prospectId: p.id,
				type: "sent",
				occurredAt: m.sentAt,
				campaignId: live.id,
				campaignName: live.name,
				metadata: { step: 1, messageId: m.messageId },
			});
			if (n % 6 === 0)
				d.history.push({
					id: id(),
					prospectId: p.id,
					type: "clicked",
					occurredAt: at(n * 9 + 40),
					campaignId: live.id,
					campaignName: live.name,
					metadata: { url: "https://example.com/pricing", messageId: m.messageId, via: "redirect" },
				});
			if (n % 9 === 0) {
				const interest = ["positive", "neutral", "negative"][(n / 9) % 3],
					automatic = n % 27 === 18;
				const text = automatic
					? "I am out of the office until 27 November.\n\nRegards"
					: {
							positive:
								"Hello,\n\nthat sounds good, let us talk on Thursday. Could you send me a proposal?\n\nBest, " +
								p.firstName,
							neutral: "Who gave you my address?",
							negative: "Not interested, please remove me from your list.",
						}[interest];
				const r = {
					id: id(),
					prospectId: p.id,
					campaignId: live.id,
					mailboxId: d.mailboxes[0].id,
					messageId: m.id,
					from: p.email,
					subject: `Re: ${m.subject}`,
					text,
					interest: automatic ? null : interest,
					interestReason: automatic
						? null
						: {
								positive: "Says “sounds good” and “let us talk”.",
								neutral: "A question, without yes or no.",
								negative: "Says “not interested”.",
							}[interest],
					automatic,
					abridged: false,
					attachments:
						n % 4 === 0 ? [{ id: "1", filename: "offer.pdf", contentType: "application/pdf", size: 12_300 }] : [],
					receivedAt: at(n * 9 + 5),
					done: n > 100,
				};
				d.replies.push(r);
				d.history.push({
					id: id(),
					prospectId: p.id,
					type: "replied",
					occurredAt: r.receivedAt,
					campaignId: live.id,
					campaignName: live.name,
					metadata: { replyId: r.id, from: r.from },
				});
			}
		}
	});
	d.offers = ["Offer for Acme", "Pricing 2026", "Case study: Globex", "Welcome pack"].map((title, n) => ({
		id: id(),
		title,
		targetUrl: n % 2 ? "https://example.com/pricing.pdf" : null,
		bodyHtml: n % 2 ? null : "<h1>Offer</h1><p>Ten seats for the price of eight.</p>",
		prospectId: n ? null : d.prospects[0].id,
		companyId: n === 2 ? d.companies[1].id : null,
		campaignId: null,
		url: `https://go.example.com/o/${n}abc`,
		status: ["reread", "unread", "read", "unread"][n],
		visitCount: [4, 0, 1, 0][n],
		firstReadAt: n % 2 ? null : at(600),
		lastReadAt: n % 2 ? null : at(30),
		createdAt: at(n * 900),
	}));
	d.suppressions = Array.from({ length: 300 }, (_, n) => ({
		id: id(),
		email: n % 7 ? `gone${n}@old.example` : null,
		domain: n % 7 ? null : `old${n}.example`,
		reason: ["manual", "unsubscribed", "bounced", "complaint"][n % 4],
		note: n % 5 ? null : "Asked by phone",
		createdAt: at(n * 100),
	}));
	d.subscriptions = ["https://hooks.example.com/outreach", "https://crm.example.org/in/7f3a"].map((url, n) => ({
		id: id(),
		url,
		events: n ? ["positive_reply"] : ["sent", "replied", "clicked", "bounced", "unsubscribed"],
		enabled: !n,
		createdAt: at(7000 + n),
	}));
	for (const s of d.subscriptions) d.secrets.set(s.id, `whsec_${s.id.replaceAll("-", "").slice(-24)}`);
	for (let n = 0; n < 240; n++)
		d.deliveries.push(
			makeDelivery(
				d,
				d.subscriptions[0],
				pick(["sent", "replied", "clicked", "bounced", "unsubscribed"]),
				n % 11 === 3 ? "failed" : n % 17 === 1 ? "queued" : "delivered",
				n * 7,
			),
		);
	d.attention = [
		{
			kind: "mailbox_error",
			subjectId: d.mailboxes[1].id,
			title: "Mail server fails for lee@example.com",
			detail: "imap: login refused",
			since: at(50),
		},
		{
			kind: "mailbox_near_bound",
			subjectId: d.mailboxes[0].id,
			title: "Bounces at 3.6 % on kim@example.com",
			detail: d.mailboxes[0].health.warning,
			since: at(80),
		},
		{
			kind: "enrollment_held",
			subjectId: d.enrollments[4].id,
			title: `${d.prospects[4].email} held in Autumn launch`,
			detail: "The variable plan has no value.",
			since: at(120),
		},
		{
			kind: "endpoint_failing",
			subjectId: d.subscriptions[0].id,
			title: "3 deliveries failed to https://hooks.example.com/outreach",
			detail: "last answer: http 503",
			since: at(240),
		},
		{
			kind: "message_unknown",
			subjectId: d.messages.find((m) => m.status === "unknown").id,
			title: "A message to ada.lovelace@acme.example may not have been sent",
			detail: "The answer after the final dot was lost.",
			since: at(300),
		},
	];
	return d;
}

export function makeDelivery(d, subscription, type, status, minutesAgo) {
	const one = id();
	const http = status === "delivered" ? 200 : 503;
	const log = status === "queued" ? [] : status === "failed" ? [1, 2, 3] : [1];
	return {
		id: one,
		subscriptionId: subscription.id,
		subscriptionEvent: type,
		eventId: id(),
		type,
		url: subscription.url,
		status,
		attempts: log.length,
		httpStatus: log.length ? http : null,
		error: status === "failed" ? "http 503" : null,
		nextAttemptAt: status === "queued" ? at(-1) : null,
		deliveredAt: status === "delivered" ? at(minutesAgo) : null,
		redeliveryOf: null,
		createdAt: at(minutesAgo),
		body: JSON.stringify({
			id: one,
			type,
			occurred_at: at(minutesAgo),
			workspace_id: d.me.workspaceId,
			prospect_id: null,
			prospect_email: null,
			campaign_id: null,
			campaign_name: null,
			metadata: {},
		}),
		attemptLog: log.map((number) => ({
			number,
			startedAt: at(minutesAgo - number + 1),
			durationMs: 83 * number,
			httpStatus: http,
			error: http === 503 ? "http 503" : null,
		})),
	};
}
