// Resolvers of the mock: enough of each rule for the screens to be tried.
import { GraphQLError } from "graphql";
import { activityOf, at, id, makeDelivery } from "./data.mjs";

const refuse = (code, message, fields = []) => {
	throw new GraphQLError(message, { extensions: { code, fields } });
};
const missing = () => refuse("not_found", "There is no such resource in this workspace.");

export function makeRoot(d) {
	const find = (list, one) => list.find((node) => node.id === one) ?? missing();
	const page = (nodes, { first = 50, after }) => {
		const from = after ? nodes.findIndex((node) => node.id === after) + 1 : 0;
		const some = nodes.slice(from, from + first);
		return { nodes: some.map(join), nextCursor: from + first < nodes.length ? some.at(-1).id : null };
	};
	const join = (node) =>
		node.prospectId !== undefined || node.campaignId !== undefined
			? {
					...node,
					prospect: d.prospects.find((p) => p.id === node.prospectId) ?? null,
					campaign: d.campaigns.find((c) => c.id === node.campaignId) ?? null,
				}
			: node;
	const fits = (args, names) => (node) =>
		names.every((name) => args[name] === undefined || args[name] === null || node[name] === args[name]);
	const named =
		({ search }) =>
		({ name }) =>
			!search || name.toLowerCase().includes(search.toLowerCase());
	const put = (list, given, defaults = {}) => {
		const node = { id: id(), createdAt: at(0), ...defaults, ...given };
		list.unshift(node);
		return node;
	};
	const change = (list, one, given) =>
		Object.assign(
			find(list, one),
			Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
		);
	const drop = (list, one) => {
		const n = list.indexOf(find(list, one));
		list.splice(n, 1);
		return true;
	};
	const secretOf = (s) => ({ ...s, secret: d.secrets.get(s.id) });
	const viewer = () => ({
		id: d.members[0].id,
		email: d.members[0].email,
		admin: true,
		role: "owner",
		workspaceId: d.me.workspaceId,
		workspaceName: d.me.workspaceName,
		totp: false,
		totpRequired: false,
	});
	const mailStatus = (prospectId) => ({
		prospectId,
		state: "none",
		reason: "Not mailed yet: not in a running campaign.",
		at: null,
		campaignId: null,
		suppression: null,
	});
	const blank = {
		firstName: null,
		lastName: null,
		companyName: null,
		companyId: null,
		jobTitle: null,
		phone: null,
		website: null,
		linkedinUrl: null,
		timezone: null,
		customFields: {},
		status: "new",
		interest: null,
		lastContactedAt: null,
		lastRepliedAt: null,
	};
	const known = new Map(d.prospects.map((p) => [p.email, p]));
	const enrolled = (input) => {
		const had = d.enrollments.find((e) => e.campaignId === input.campaignId && e.prospectId === input.prospectId);
		const p = find(d.prospects, input.prospectId);
		if (!had && ["unsubscribed", "bounced"].includes(p.status))
			refuse(`prospect_${p.status}`, `The prospect ${p.status}.`);
		if (!had && p.status === "replied" && !input.force) refuse("prospect_replied", "The prospect has replied before.");
		if (had && input.restart)
			Object.assign(had, { status: "active", stopReason: null, nextStep: 1, nextSendAt: at(-5) });
		const enrollment =
			had ??
			put(d.enrollments, {
				campaignId: input.campaignId,
				prospectId: p.id,
				mailboxId: null,
				status: "active",
				stopReason: null,
				holdReason: null,
				holdUntil: null,
				unknownMessageId: null,
				nextStep: 1,
				nextSendAt: at(-5),
			});
		return { enrollment: join(enrollment), prospect: p, prospectCreated: false, enrollmentCreated: !had };
	};
	/** The enrollments of a list, without their page. */
	const listed = (args) => {
		const words = args.search?.toLowerCase().split(/\W+/) ?? [];
		const has = ({ prospectId }) => {
			const p = d.prospects.find(({ id: one }) => one === prospectId);
			const own = `${p?.email} ${p?.firstName} ${p?.lastName} ${p?.companyName}`.toLowerCase().split(/\W+/);
			return words.every((word) => own.some((of) => of.startsWith(word)));
		};
		return d.enrollments.filter((e) => fits(args, ["campaignId", "prospectId", "status"])(e) && has(e));
	};
	const render = (text, p, lost) =>
		text?.replace(/\{\{\s*([\w.]+)\s*(?:\|\s*default:\s*"([^"]*)"\s*)?\}\}/g, (_, name, fallback) => {
			const key = name.replace(/_(\w)/g, (__, c) => c.toUpperCase());
			const value = name.startsWith("custom_fields.") ? p.customFields[name.slice(14)] : p[key];
			if (value === null || value === undefined || value === "") {
				if (fallback !== undefined) return fallback;
				lost.add(name);
				return "";
			}
			return String(value);
		}) ?? null;
	const stats = (one) => ({
		campaignId: one,
		...(find(d.campaigns, one).status === "draft"
			? {
					prospects: 0,
					active: 0,
					held: 0,
					statuses: [],
					sent: 0,
					replied: 0,
					positive: 0,
					clicked: 0,
					bounced: 0,
					unsubscribed: 0,
					opens: 0,
				}
			: {
					prospects: 400,
					active: 310,
					held: 3,
					statuses: [
						{ status: "active", prospects: 310 },
						{ status: "held", prospects: 3 },
						{ status: "replied", prospects: 31 },
						{ status: "finished", prospects: 56 },
					],
					sent: 620,
					replied: 44,
					positive: 17,
					clicked: 61,
					bounced: 8,
					unsubscribed: 3,
					opens: 402,
				}),
	});
	const days = (n) =>
		Array.from({ length: n }, (_, k) => {
			const wave = d.prospects.length ? 1 + Math.sin(k / 2) * 0.5 : 0,
				weekend = k % 7 > 4 ? 0.1 : 1;
			return {
				date: new Date(Date.now() - (n - 1 - k) * 86_400_000).toISOString().slice(0, 10),
				sent: Math.round(120 * wave * weekend),
				replied: Math.round(14 * wave * weekend),
				positive: Math.round(5 * wave * weekend),
				bounced: Math.round(3 * wave),
				opens: Math.round(90 * wave * weekend),
			};
		});
	const sum = (list, key) => list.reduce((all, day) => all + day[key], 0);

	return {
		me: () => d.me,
		viewer: (_, context) => (context.signedIn ? viewer() : null),
		signIn: ({ email, password }, context) => {
			if (password === "wrong") refuse("unauthorized_credentials", "The address or the password is wrong.");
			d.members[0].email = email;
			context.headers["Set-Cookie"] = "session=yes; Path=/; HttpOnly; SameSite=Lax";
			return viewer();
		},
		changePassword: ({ currentPassword, newPassword }) => {
			const wrong =
				currentPassword === "wrong"
					? ["/current_password", "This is not the current password."]
					: newPassword.length < 12
						? ["/new_password", "new_password needs at least 12 characters."]
						: null;
			if (wrong) refuse("validation_failed", wrong[1], [{ pointer: wrong[0], code: "invalid", detail: wrong[1] }]);
			return true;
		},
		signOut: (_, context) => {
			context.headers["Set-Cookie"] = "session=; Path=/; Max-Age=0";
			return true;
		},
		overview: ({ days: n }) => {
			const list = days(n);
			const totals = {
				...Object.fromEntries(["sent", "replied", "positive", "bounced", "opens"].map((key) => [key, sum(list, key)])),
				clicked: Math.round(sum(list, "sent") * 0.08),
				unsubscribed: Math.round(sum(list, "sent") * 0.01),
			};
			return {
				days: list,
				totals,
				previous: {
					...totals,
					sent: Math.round(totals.sent * 0.8),
					replied: Math.round(totals.replied * 1.1),
					positive: 0,
				},
				notSendingReason: d.mailboxes.length ? null : "No mailbox is connected.",
				sentLastHour: d.mailboxes.length ? 18 : 0,
				unreadReplies: d.replies.filter((r) => !r.done && !r.automatic).length,
				setup: {
					mailbox: d.mailboxes.length > 0,
					prospects: d.prospects.length > 0,
					campaign: d.campaigns.length > 0,
					trackingDomain: d.domain !== null,
					webhook: d.subscriptions.length > 0,
				},
			};
		},
		waitingReplies: () => Math.min(100, d.replies.filter((r) => !r.done && !r.automatic).length),
		sendingOff: () => null,
		attention: () => d.attention,
		prospect: ({ id: one }) => find(d.prospects, one),
		prospects: (args) => {
			const text = args.search?.toLowerCase();
			const people = args.campaignId
				? new Set(d.enrollments.filter((e) => e.campaignId === args.campaignId).map((e) => e.prospectId))
				: null;
			const all = !text && !people && !args.status && !args.companyId && !args.createdSince && !args.email;
			return page(
				all
					? d.prospects
					: d.prospects.filter(
							(p) =>
								fits(args, ["status", "companyId", "email"])(p) &&
								(!people || people.has(p.id)) &&
								(!args.createdSince || p.createdAt >= args.createdSince) &&
								(!text || `${p.email} ${p.firstName} ${p.lastName} ${p.companyName}`.toLowerCase().includes(text)),
						),
				args,
			);
		},
		history: (args) =>
			page(
				d.history.filter(fits(args, ["prospectId"])).sort((a, b) => b.occurredAt.localeCompare(a.occurredAt)),
				args,
			),
		mailStatus: ({ prospectId }) => mailStatus(prospectId),
		mailStatuses: ({ prospectIds }) => prospectIds.map(mailStatus),
		createProspect: ({ input }) => {
			if (!/.+@.+\..+/.test(input.email ?? ""))
				refuse("validation_failed", "email is not an address.", [
					{ pointer: "/email", code: "invalid", detail: "email is not an address." },
				]);
			if (known.has(input.email))
				refuse("prospect_exists", "A prospect with this address exists.", [
					{ pointer: "/email", code: "conflict", detail: "A prospect with this address exists." },
				]);
			const p = put(d.prospects, input, blank);
			known.set(p.email, p);
			return p;
		},
		updateProspect: ({ id: one, input }) => change(d.prospects, one, input),
		deleteProspect: ({ id: one }) => drop(d.prospects, one),
		bulkProspects: ({ input, dryRun }) => ({
			results: input.prospects.map((given, index) => {
				const had = known.get(given.email),
					update = input.onExisting === "update";
				const changes =
					had && update
						? Object.keys(given)
								.filter((key) => JSON.stringify(had[key]) !== JSON.stringify(given[key]))
								.map((key) => `/${key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)}`)
						: [];
				if (had && update && !dryRun) Object.assign(had, given);
				if (had) return { index, outcome: update ? "updated" : "skipped", prospectId: had.id, changes, errors: [] };
				if (given.firstName?.length > 500)
					return {
						index,
						outcome: "invalid",
						prospectId: null,
						changes,
						errors: [{ pointer: "/first_name", code: "too_long", detail: "At most 500 characters fit here." }],
					};
				if (/\.invalid$/.test(given.email))
					return {
						index,
						outcome: "invalid",
						prospectId: null,
						changes,
						errors: [{ pointer: "/email", code: "invalid", detail: "This domain never receives mail." }],
					};
				if (dryRun) return { index, outcome: "created", prospectId: null, changes, errors: [] };
				const p = { id: id(), createdAt: at(0), ...blank, ...given };
				known.set(p.email, p);
				d.prospects.unshift(p);
				return { index, outcome: "created", prospectId: p.id, changes, errors: [] };
			}),
		}),
		enrollment: ({ id: one }) => join(find(d.enrollments, one)),
		enrollmentCounts: (args) => {
			const counts = new Map();
			for (const { status } of listed(args)) counts.set(status, (counts.get(status) ?? 0) + 1);
			return [...counts].map(([status, prospects]) => ({ status, prospects }));
		},
		enrollments: (args) => {
			return page(listed(args), args);
		},
		enroll: ({ input }) => enrolled(input),
		bulkEnroll: ({ input }) => ({
			results: input.prospectIds.map((prospectId, index) => {
				try {
					const { enrollment, enrollmentCreated } = enrolled({ ...input, prospectId });
					return {
						index,
						outcome: enrollmentCreated ? "enrolled" : input.restart ? "restarted" : "present",
						enrollmentId: enrollment.id,
						refusal: null,
					};
				} catch (error) {
					return {
						index,
						outcome: "refused",
						enrollmentId: null,
						refusal: { code: error.extensions.code, message: error.message, fields: [] },
					};
				}
			}),
		}),
		stopEnrollment: ({ id: one }) =>
			join(change(d.enrollments, one, { status: "stopped", stopReason: "Stopped by hand." })),
		pauseEnrollment: ({ id: one }) => join(change(d.enrollments, one, { status: "paused" })),
		resumeEnrollment: ({ id: one }) => join(change(d.enrollments, one, { status: "active" })),
		campaign: ({ id: one }) => find(d.campaigns, one),
		campaigns: (args) => page(d.campaigns.filter(named(args)).filter(fits(args, ["status"])), args),
		campaignStats: ({ id: one }) => stats(one),
		auditLog: (args) => page([], args),
		campaignReport: ({ id: one, days }) => ({
			contacted: stats(one).sent,
			steps: find(d.campaigns, one).steps.map((_, n) => {
				const { sent, bounced, clicked, replied, positive, unsubscribed } = stats(one);
				const part = (count) => Math.floor(count / (n + 1));
				return {
					step: n + 1,
					sent: part(sent),
					bounced: part(bounced),
					clicked: part(clicked),
					replied: part(replied),
					positive: part(positive),
					unsubscribed: part(unsubscribed),
				};
			}),
			days: Array.from({ length: days }, (_, n) => ({
				date: at((days - 1 - n) * 1440).slice(0, 10),
				sent: (n * 7) % 23,
				replied: n % 4,
				positive: n % 2,
				bounced: n % 9 === 0 ? 1 : 0,
				opens: (n * 5) % 17,
			})),
		}),
		campaignsStats: ({ ids }) => ids.map(stats),
		previewStep: ({ input }) => {
			const p = find(d.prospects, input.prospectId),
				lost = new Set();
			const error = [input.subject, input.bodyHtml, input.bodyText].some(
				(text) => text && (text.match(/\{\{/g)?.length ?? 0) !== (text.match(/\}\}/g)?.length ?? 0),
			)
				? "A variable is not closed: {{ without }}."
				: null;
			const parts = error
				? { subject: null, html: null, text: null }
				: {
						subject: render(input.subject, p, lost),
						html: render(input.bodyHtml, p, lost),
						text: render(input.bodyText ?? input.bodyHtml?.replace(/<[^>]+>/g, " "), p, lost),
					};
			return { ...parts, missing: [...lost], error };
		},
		sendTestStep: async ({ input }) => {
			const p = find(d.prospects, input.prospectId),
				lost = new Set(),
				subject = render(input.subject ?? `Re: ${input.threadSubject}`, p, lost);
			render(input.bodyHtml, p, lost);
			render(input.bodyText, p, lost);
			if (lost.size)
				refuse("validation_failed", `Missing for this prospect: ${[...lost].join(", ")}.`, [
					{ pointer: "/prospect_id", code: "required", detail: "Missing." },
				]);
			await new Promise((done) => setTimeout(done, 400));
			return {
				recipient: input.to ?? d.members[0].email,
				subject: `[Test] ${subject}`,
				outcome: "accepted",
				command: ".",
				external: false,
				smtpResponse: "250 2.0.0 Ok: queued as 4F7A",
				durationMs: 412,
			};
		},
		createCampaign: ({ input }) =>
			put(
				d.campaigns,
				{
					...input,
					steps: (input.steps ?? []).map((s) => ({
						delayMinutes: 0,
						subject: null,
						bodyHtml: null,
						bodyText: null,
						...s,
						id: id(),
					})),
				},
				{
					status: "draft",
					notSendingReason: "The campaign is a draft: activate it.",
					timezone: "UTC",
					sendDays: ["mon", "tue", "wed", "thu", "fri"],
					sendFrom: "09:00",
					sendUntil: "17:00",
					skipDates: [],
					startsOn: null,
					endsOn: null,
					dailyNewLimit: null,
					companyDailyLimit: null,
					stopOnReply: true,
					stopCompanyOnReply: false,
					trackClicks: true,
					trackOpens: false,
					mailboxIds: [],
					revision: "r0",
				},
			),
		updateCampaign: ({ id: one, input, basedOn }) => {
			if (basedOn && basedOn !== find(d.campaigns, one).revision)
				refuse("conflict", "Cannot save: another user has changed the campaign. Reload it and repeat your changes.");
			const empty = input.steps?.findIndex((s) => !s.bodyHtml && !s.bodyText) ?? -1;
			if (empty >= 0)
				refuse("validation_failed", "A step has body_html, body_text or both.", [
					{
						pointer: `/steps/${empty}/body_text`,
						code: "required",
						detail: "A step has body_html, body_text or both.",
					},
				]);
			return change(d.campaigns, one, {
				...input,
				revision: id(),
				...(input.steps
					? {
							steps: input.steps.map((s) => ({
								delayMinutes: 0,
								subject: null,
								bodyHtml: null,
								bodyText: null,
								...s,
								id: s.id ?? id(),
							})),
						}
					: {}),
			});
		},
		deleteCampaign: ({ id: one }) =>
			find(d.campaigns, one).status === "draft"
				? drop(d.campaigns, one)
				: refuse("in_use", "This campaign has sent; archive it."),
		activateCampaign: ({ id: one }) => change(d.campaigns, one, { status: "active", notSendingReason: null }),
		pauseCampaign: ({ id: one }) =>
			change(d.campaigns, one, { status: "paused", notSendingReason: "The campaign is paused." }),
		archiveCampaign: ({ id: one }) =>
			change(d.campaigns, one, { status: "archived", notSendingReason: "The campaign is archived." }),
		company: ({ id: one }) => find(d.companies, one),
		companies: (args) => page(d.companies.filter(named(args)).filter(fits(args, ["temperature"])), args),
		offer: ({ id: one }) => find(d.offers, one),
		offers: (args) => page(d.offers.filter(fits(args, ["status"])), args),
		createOffer: ({ input }) =>
			put(d.offers, input, {
				targetUrl: null,
				bodyHtml: null,
				prospectId: null,
				companyId: null,
				campaignId: null,
				url: "https://go.example.com/o/new",
				status: "unread",
				visitCount: 0,
				firstReadAt: null,
				lastReadAt: null,
			}),
		updateOffer: ({ id: one, input }) => change(d.offers, one, input),
		deleteOffer: ({ id: one }) => drop(d.offers, one),
		mailbox: ({ id: one }) => find(d.mailboxes, one),
		mailProviders: () => [
			{ provider: "google", missing: null },
			{
				provider: "microsoft",
				missing: "No OAuth client is configured for Microsoft. Add a client in the settings of the workspace.",
			},
		],
		oauthClients: () => [],
		mailboxes: () => ({ nodes: d.mailboxes, nextCursor: null }),
		sendingDomains: () => ({ nodes: d.sendingDomains, nextCursor: null }),
		checkSendingDomain: ({ id: one }) => change(d.sendingDomains, one, { checkedAt: at(0) }),
		lastPlacementChecks: () => d.placements,
		createMailbox: async ({ input }) => {
			await new Promise((done) => setTimeout(done, 600));
			if (input.imap?.password === "wrong")
				refuse("mailbox_unreachable", "imap: login refused: [AUTHENTICATIONFAILED] Invalid credentials", [
					{
						pointer: "/imap/password",
						code: "invalid",
						detail: "imap: login refused: [AUTHENTICATIONFAILED] Invalid credentials",
					},
				]);
			return put(d.mailboxes, input, {
				displayName: null,
				provider: "custom",
				auth: "password",
				authError: null,
				dailyLimit: 50,
				minGapSeconds: 60,
				rampUp: null,
				limitToday: 50,
				signatureHtml: null,
				status: "connected",
				lastError: null,
				sentToday: 0,
				lastCheckedAt: at(0),
				...activityOf(3),
			});
		},
		updateMailbox: ({ id: one, input }) => change(d.mailboxes, one, input),
		deleteMailbox: ({ id: one }) =>
			d.campaigns.some((c) => c.status === "active" && c.mailboxIds.includes(one))
				? refuse("in_use", "An active campaign names this mailbox.")
				: drop(d.mailboxes, one),
		pauseMailbox: ({ id: one }) => change(d.mailboxes, one, { status: "paused" }),
		resumeMailbox: ({ id: one }) => change(d.mailboxes, one, { status: "connected" }),
		checkMailbox: ({ id: one }) => change(d.mailboxes, one, { lastCheckedAt: at(0) }),
		message: ({ id: one }) => join(find(d.messages, one)),
		messages: (args) =>
			page(d.messages.filter(fits(args, ["campaignId", "prospectId", "mailboxId", "status", "step"])), args),
		resolveMessage: ({ id: one, input }) => {
			d.attention = d.attention.filter((a) => a.subjectId !== one);
			return change(d.messages, one, { status: input.as === "sent" ? "sent" : "unknown" });
		},
		reply: ({ id: one }) => join(find(d.replies, one)),
		replies: (args) =>
			page(
				d.replies.filter(fits(args, ["campaignId", "prospectId", "mailboxId", "interest", "automatic", "done"])),
				args,
			),
		updateReply: ({ id: one, input }) =>
			join(change(d.replies, one, { ...input, interestReason: input.interest ? "Marked by hand." : undefined })),
		markRepliesDone: ({ ids, done }) => ids.map((one) => change(d.replies, one, { done })).length,
		suppressions: (args) => page(d.suppressions.filter(fits(args, ["reason", "email", "domain"])), args),
		suppressionEffect: () => ({ people: 0, enrollments: 0 }),
		createSuppression: ({ input }) => {
			const had = d.suppressions.find(
				(s) => (input.email && s.email === input.email) || (input.domain && s.domain === input.domain),
			);
			return {
				created: !had,
				stopped: [],
				suppression:
					had ?? put(d.suppressions, { email: null, domain: null, note: null, ...input }, { reason: "manual" }),
			};
		},
		bulkSuppressions: ({ input }) => ({
			results: input.suppressions.map((given, index) => {
				const had = d.suppressions.find(
					(s) => (given.email && s.email === given.email) || (given.domain && s.domain === given.domain),
				);
				const made =
					had ?? put(d.suppressions, { email: null, domain: null, note: null, ...given }, { reason: "manual" });
				return { index, outcome: had ? "present" : "created", suppressionId: made.id, refusal: null };
			}),
		}),
		deleteSuppression: ({ id: one, confirm }) =>
			["unsubscribed", "complaint"].includes(find(d.suppressions, one).reason) && !confirm
				? refuse("confirmation_required", "This person asked not to be written to; confirm.")
				: drop(d.suppressions, one),
		undoSuppressions: ({ ids, stopped }) => {
			for (const one of ids) drop(d.suppressions, one);
			return { restored: stopped.length };
		},
		subscription: ({ id: one }) => find(d.subscriptions, one),
		subscriptions: (args) => page(d.subscriptions, args),
		delivery: ({ id: one }) => find(d.deliveries, one),
		deliveries: (args) => page(d.deliveries.filter(fits(args, ["subscriptionId", "type", "status"])), args),
		createSubscription: ({ input }) => {
			if (!/^https:/.test(input.url))
				refuse("url_not_allowed", "The address has to begin with https.", [
					{ pointer: "/url", code: "url_not_allowed", detail: "The address has to begin with https." },
				]);
			const s = put(d.subscriptions, input, { enabled: true });
			d.secrets.set(s.id, `whsec_${s.id.slice(-12)}abcdefghijkl`);
			return secretOf(s);
		},
		updateSubscription: ({ id: one, input }) => change(d.subscriptions, one, input),
		deleteSubscription: ({ id: one }) => drop(d.subscriptions, one),
		testSubscription: ({ id: one }) => {
			const made = makeDelivery(d, find(d.subscriptions, one), "test", "delivered", 0);
			d.deliveries.unshift(made);
			return made;
		},
		rotateSubscriptionSecret: ({ id: one }) => {
			d.secrets.set(one, `whsec_${Math.random().toString(36).slice(2).padEnd(24, "x")}`);
			return secretOf(find(d.subscriptions, one));
		},
		revealSubscriptionSecret: ({ id: one }) => secretOf(find(d.subscriptions, one)),
		redelivered: ({ ids }) => ids.filter((one) => d.deliveries.some(({ redeliveryOf }) => redeliveryOf === one)),
		redeliverFailed: ({ subscriptionId, dryRun }) => ({
			count: d.deliveries.filter((one) => one.subscriptionId === subscriptionId && one.status === "failed").length,
			dryRun,
		}),
		redeliver: ({ id: one }) => {
			const old = find(d.deliveries, one);
			const made = {
				...makeDelivery(d, find(d.subscriptions, old.subscriptionId), old.type, "queued", 0),
				redeliveryOf: old.id,
			};
			d.deliveries.unshift(made);
			return made;
		},
		updateMe: ({ input }) => Object.assign(d.me, { contactGapHours: input.contactGapHours ?? 20 }),
		rotateToken: () => {
			d.me.tokenPrefix = "ort_NewNewNe";
			d.me.tokenLastUsedAt = null;
			return { token: "ort_NewNewNewNewNewNewNewNewNewNewNeAbC123", tokenPrefix: "ort_NewNewNe" };
		},
		revokeToken: () => {
			d.me.tokenPrefix = null;
			return true;
		},
		trackingDomain: () => d.domain,
		members: () => d.members.map((one) => ({ createdToken: false, totp: false, ...one })),
		setTrackingDomain: ({ host }) => {
			d.domain = { host, status: "pending", target: "outreach.example.net", verifiedAt: null };
			return d.domain;
		},
		verifyTrackingDomain: () => Object.assign(d.domain, { status: "verified", verifiedAt: at(0) }),
		confirmPassword: () => true,
		invitations: () => d.invitations,
		invitation: () => ({ workspaceName: d.me.workspaceName, email: "new@example.com", role: "member" }),
		acceptInvitation: () => viewer(),
		inviteMember: ({ email, role }) => {
			const made = { id: id(), email, role, invitedBy: d.members[0].email, createdAt: at(0), expiresAt: at(0) };
			d.invitations.push(made);
			return { ...made, token: "invitation" };
		},
		revokeInvitation: ({ id: one }) => drop(d.invitations, one),
		sessions: () => [
			{
				id: d.members[0].id,
				createdAt: at(0),
				lastSeenAt: at(0),
				client: "203.0.113.9",
				agent: "Firefox",
				current: true,
			},
		],
		removeMember: ({ id: one }) => drop(d.members, one),
	};
}
