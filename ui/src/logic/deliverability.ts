// Rules of the pages Mailboxes and Deliverability: how each thing stands, and what to do about it.
import type {
	MailboxFieldsFragment,
	PlacementFieldsFragment,
	RecordFieldsFragment,
	SendingDomainFieldsFragment,
} from "../gql/generated";
import { count } from "./format";

/** How a record, a domain or a mailbox stands. idle: a person paused the mailbox. */
export type Verdict = "fail" | "warn" | "idle" | "pass";
const worst: Verdict[] = ["fail", "warn", "idle", "pass"];

/** Sorts by verdict, the worst first. Those of one verdict keep their order. */
export const worstFirst = <T>(all: T[], verdictOf: (one: T) => Verdict): T[] =>
	[...all].sort((a, b) => worst.indexOf(verdictOf(a)) - worst.indexOf(verdictOf(b)));

/** A verdict with the reason, and what a person does next; empty where nothing is to do. */
export interface Standing {
	verdict: Verdict;
	why: string;
	next: string;
}

export const verdictOfRecord = ({ result }: Pick<RecordFieldsFragment, "result">): Verdict =>
	({ pass: "pass", unknown: "warn", fail: "fail", none: "fail" })[result] as Verdict;

export const verdictOfDomain = ({ state }: Pick<SendingDomainFieldsFragment, "state">): Verdict =>
	({ passing: "pass", unknown: "warn", failing: "fail" })[state] as Verdict;

/** What to do about a record. Its detail says what is wrong. */
export function nextForRecord(name: string, record: Pick<RecordFieldsFragment, "result" | "publish">): string {
	if (record.result === "pass") return "";
	if (record.publish.length > 0)
		return "Publish the record below where the DNS of the domain is managed, then check again.";
	if (name === "DKIM" && record.result === "unknown") return "Send a placement check to a mailbox of another domain.";
	if (name === "DKIM") return "Turn on DKIM where your mail is hosted, then send a placement check.";
	if (record.result === "unknown") return "Check again, and compare the record with what your mail provider asks for.";
	return "Correct the record where the DNS of the domain is managed, then check again.";
}

type Box = Pick<
	MailboxFieldsFragment,
	"status" | "lastError" | "authError" | "rampUp" | "limitToday" | "dailyLimit" | "sentToday"
>;
type Placed = Pick<PlacementFieldsFragment, "status" | "folder">;

/** How a mailbox stands. warning is that of its health, placed its last placement check. */
export function standingOf(box: Box, warning?: string | null, placed?: Placed): Standing {
	if (box.authError)
		return { verdict: "fail", why: box.authError, next: "Nothing is sent until the mailbox is reconnected." };
	if (box.status === "error")
		return {
			verdict: "fail",
			why: box.lastError ?? "The mailbox cannot be reached.",
			next: "Nothing is sent until the error is corrected.",
		};
	if (box.status === "paused" && box.lastError)
		return { verdict: "fail", why: box.lastError, next: "Nothing is sent until the mailbox is resumed." };
	if (warning) return { verdict: "warn", why: warning, next: "" };
	if (box.status === "paused")
		return { verdict: "idle", why: "Paused by a person.", next: "Nothing is sent until the mailbox is resumed." };
	if (box.lastError) return { verdict: "warn", why: box.lastError, next: "" };
	if (placed?.status === "missing")
		return { verdict: "warn", why: "The last placement check did not arrive.", next: "Check placement again." };
	if (placed?.status === "arrived" && placed.folder === "junk")
		return {
			verdict: "warn",
			why: "The last placement check arrived in the spam folder.",
			next: "Send less, and correct what fails above, until a check arrives in the inbox.",
		};
	if (box.rampUp && box.limitToday < box.dailyLimit)
		return {
			verdict: "pass",
			why: `Ramping up: ${box.rampUp.increase} more after each day on which it sends, up to ${count(box.dailyLimit)}.`,
			next: "",
		};
	if (box.limitToday > 0 && box.sentToday >= box.limitToday)
		return { verdict: "pass", why: "Today's limit is used up.", next: "" };
	return { verdict: "pass", why: "", next: "" };
}

/** How many days the pause of a mailbox looks back (docs/reference.md#auto-pause). */
export const WINDOW = 7;

interface Day {
	attempted: number;
	bounced: number;
	complained: number;
}

/** The share of a kind of outcome over the seven days up to each day, from the seventh on; null without messages. */
export function ratesOver(days: Day[], kind: "bounced" | "complained"): (number | null)[] {
	return days.slice(WINDOW - 1).map((_, n) => {
		const span = days.slice(n, n + WINDOW);
		const attempted = span.reduce((sum, day) => sum + day.attempted, 0);
		return attempted === 0 ? null : span.reduce((sum, day) => sum + day[kind], 0) / attempted;
	});
}

/** A number of things by verdict: "1 fails, 2 warn, 5 pass". */
export function tally(verdicts: Verdict[]): string {
	const words: Record<Verdict, [one: string, many: string]> = {
		fail: ["fails", "fail"],
		warn: ["warns", "warn"],
		idle: ["is paused", "are paused"],
		pass: ["passes", "pass"],
	};
	return worst
		.map((verdict) => [verdict, verdicts.filter((one) => one === verdict).length] as const)
		.filter(([, n]) => n > 0)
		.map(([verdict, n]) => `${count(n)} ${words[verdict][n === 1 ? 0 : 1]}`)
		.join(", ");
}
