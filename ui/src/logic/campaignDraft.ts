import type { CampaignFieldsFragment, CampaignInput, StepInput, Weekday } from "../gql/generated";
import { count } from "./format";
import { isRich } from "./richBody";
import { readClock } from "./schedule";

export interface StepDraft {
	key: string;
	id: string | null;
	delayMinutes: number;
	subject: string;
	bodyHtml: string;
	bodyText: string;
	/** Rich text is HTML that the editor can show completely. */
	format: Format;
}
export type Format = "rich" | "text" | "html" | "both";

export interface CampaignDraft {
	/** The revision that the edit started from. */
	revision: string;
	name: string;
	timezone: string;
	sendDays: Weekday[];
	sendFrom: string;
	sendUntil: string;
	skipDates: string[];
	startsOn: string;
	endsOn: string;
	dailyNewLimit: string;
	companyDailyLimit: string;
	stopOnReply: boolean;
	stopCompanyOnReply: boolean;
	trackClicks: boolean;
	trackOpens: boolean;
	mailboxIds: string[];
	steps: StepDraft[];
}

let serial = Date.now();
export const newStep = (first: boolean): StepDraft => ({
	key: `new${++serial}`,
	id: null,
	delayMinutes: first ? 0 : 3 * 1440,
	subject: "",
	bodyHtml: "",
	bodyText: "",
	format: "rich",
});

/** A step keeps the key of its draft after it is stored, so that the page does not replace the field that has the caret. */
const keys = new Map<string, string>();
/** The keys of steps whose HTML source the user edits. */
const written = new Set<string>();

/** Records the ids under which the steps of a draft were stored. */
export const adopt = (sent: StepDraft[], stored: { id: string }[]) =>
	stored.forEach(({ id }, n) => {
		const step = sent[n];
		if (!step) return;
		keys.set(id, step.key);
		if (step.format === "html") written.add(step.key);
		else written.delete(step.key);
	});

function formatOf(key: string, html: string | null | undefined, text: string | null | undefined): Format {
	if (!html) return text ? "text" : "rich";
	if (text) return "both";
	return isRich(html) && !written.has(key) ? "rich" : "html";
}

/** Applies a draft to the stored campaign: steps get the ids that they were stored under, and lose ids that no longer exist. */
export function rebase(typed: CampaignDraft, stored: { revision: string; steps: { id: string }[] }): CampaignDraft {
	const ids = new Map(stored.steps.map(({ id }) => [keys.get(id) ?? id, id]));
	const there = new Set(stored.steps.map(({ id }) => id));
	return {
		...typed,
		revision: stored.revision,
		steps: typed.steps.map((step) => ({
			...step,
			id: step.id && there.has(step.id) ? step.id : (ids.get(step.key) ?? null),
		})),
	};
}

/** Returns the names of the parts in which two drafts of a campaign differ. */
export function differences(mine: CampaignDraft, theirs: CampaignDraft): string[] {
	const differ = (...names: (keyof CampaignDraft)[]) =>
		names.some((name) => JSON.stringify(mine[name]) !== JSON.stringify(theirs[name]));
	const step = ({ delayMinutes, ...s }: StepDraft) => JSON.stringify([delayMinutes, bodies({ delayMinutes, ...s })]);
	const steps = Array.from({ length: Math.max(mine.steps.length, theirs.steps.length) }, (_, n) => [
		mine.steps[n],
		theirs.steps[n],
	]).flatMap(([one, other], n) => (one && other && step(one) === step(other) ? [] : [`step ${n + 1}`]));
	return [
		...steps,
		...(differ("name") ? ["the name"] : []),
		...(differ(
			"timezone",
			"sendDays",
			"sendFrom",
			"sendUntil",
			"skipDates",
			"startsOn",
			"endsOn",
			"dailyNewLimit",
			"companyDailyLimit",
		)
			? ["the schedule"]
			: []),
		...(differ("stopOnReply", "stopCompanyOnReply", "trackClicks", "trackOpens") ? ["the rules"] : []),
		...(differ("mailboxIds") ? ["the mailboxes"] : []),
	];
}

export function draftOf(c: CampaignFieldsFragment): CampaignDraft {
	return {
		revision: c.revision,
		name: c.name,
		timezone: c.timezone,
		sendDays: c.sendDays,
		sendFrom: c.sendFrom,
		sendUntil: c.sendUntil,
		skipDates: c.skipDates,
		startsOn: c.startsOn ?? "",
		endsOn: c.endsOn ?? "",
		dailyNewLimit: c.dailyNewLimit ? String(c.dailyNewLimit) : "",
		companyDailyLimit: c.companyDailyLimit ? String(c.companyDailyLimit) : "",
		stopOnReply: c.stopOnReply,
		stopCompanyOnReply: c.stopCompanyOnReply,
		trackClicks: c.trackClicks,
		trackOpens: c.trackOpens,
		mailboxIds: c.mailboxIds,
		steps: c.steps.map((s) => ({
			key: keys.get(s.id) ?? s.id,
			id: s.id,
			delayMinutes: s.delayMinutes,
			subject: s.subject ?? "",
			bodyHtml: s.bodyHtml ?? "",
			bodyText: s.bodyText ?? "",
			format: formatOf(keys.get(s.id) ?? s.id, s.bodyHtml, s.bodyText),
		})),
	};
}

/** What a step would send: a body that is not shown is not sent. */
export const bodies = (s: StepDraft) => ({
	subject: s.subject || null,
	bodyHtml: s.format !== "text" ? s.bodyHtml || null : null,
	bodyText: s.format === "text" || s.format === "both" ? s.bodyText || null : null,
});

export function inputOf({ revision: _, ...d }: CampaignDraft): CampaignInput {
	const steps: StepInput[] = d.steps.map((s) => ({
		...(s.id ? { id: s.id } : {}),
		delayMinutes: s.delayMinutes,
		...bodies(s),
	}));
	return {
		...d,
		sendFrom: readClock(d.sendFrom),
		sendUntil: readClock(d.sendUntil),
		startsOn: d.startsOn || null,
		endsOn: d.endsOn || null,
		dailyNewLimit: d.dailyNewLimit ? Number(d.dailyNewLimit) : null,
		companyDailyLimit: d.companyDailyLimit ? Number(d.companyDailyLimit) : null,
		steps,
	};
}

export interface Check {
	ok: boolean;
	must: boolean;
	text: string;
	tab: string;
}

/** Returns the checks before activation. A failed "must" item blocks it. */
export function checklist(
	c: CampaignFieldsFragment,
	facts: { unsaved: boolean; working: number; chosen: number; people: number; domainVerified: boolean },
): Check[] {
	const bare = c.steps.findIndex((s) => !s.bodyHtml && !s.bodyText);
	return [
		{
			ok: !facts.unsaved,
			must: true,
			text: facts.unsaved ? "There are unsaved changes" : "All changes are saved",
			tab: "steps",
		},
		{
			ok: c.steps.length > 0 && bare < 0 && !!c.steps[0]?.subject,
			must: true,
			text:
				c.steps.length === 0
					? "No steps"
					: bare >= 0
						? `Step ${bare + 1} has no text`
						: !c.steps[0]?.subject
							? "The first step has no subject"
							: c.steps.length === 1
								? "1 step is complete"
								: `${c.steps.length} steps are complete`,
			tab: "steps",
		},
		{
			ok: facts.chosen > 0,
			must: true,
			text:
				facts.chosen === 0
					? "No mailbox selected"
					: facts.chosen === 1
						? "1 mailbox selected"
						: `${facts.chosen} mailboxes selected`,
			tab: "mailboxes",
		},
		...(facts.chosen > 0
			? [
					{
						ok: facts.working === facts.chosen,
						must: false,
						text:
							facts.working === facts.chosen
								? "Every mailbox works"
								: `${facts.working} of ${facts.chosen} mailboxes work`,
						tab: "mailboxes",
					},
				]
			: []),
		{ ok: c.sendDays.length > 0, must: true, text: "Sending days and hours are set", tab: "schedule" },
		{
			ok: facts.people > 0,
			must: false,
			text:
				facts.people === 1
					? "1 prospect is enrolled"
					: facts.people > 0
						? `${count(facts.people)} prospects are enrolled`
						: "No one is enrolled yet",
			tab: "people",
		},
		{
			ok: !c.trackClicks || facts.domainVerified,
			must: false,
			text: c.trackClicks
				? facts.domainVerified
					? "The tracking domain is verified"
					: "No verified tracking domain: links stay as written and clicks are not counted"
				: "Click tracking is off",
			tab: "domain",
		},
	];
}
