// Formats of times, numbers and names. The caller passes "now".
// In English only and without Intl: its first use in a page loads the language
// data of ICU, some 30 ms of the main thread before anything is drawn.

type Unit = [name: string, short: string, seconds: number, next: string, last: string];
const minute: Unit = ["minute", "min.", 60, "in 1 min.", "1 min. ago"];
const units: Unit[] = [
	["year", "yr.", 31_536_000, "next yr.", "last yr."],
	["month", "mo.", 2_592_000, "next mo.", "last mo."],
	["week", "wk.", 604_800, "next wk.", "last wk."],
	["day", "days", 86_400, "tomorrow", "yesterday"],
	["hour", "hr.", 3_600, "in 1 hr.", "1 hr. ago"],
	minute,
];

/** "3 min. ago", "in 2 hr."; within 45 seconds it is "just now". */
export function ago(iso: string, now: number): string {
	const seconds = (Date.parse(iso) - now) / 1000;
	if (Number.isNaN(seconds)) return iso;
	if (Math.abs(seconds) < 45) return seconds > 15 ? "in a moment" : "just now";
	const [, short, length, next, last] = units.find((unit) => Math.abs(seconds) >= unit[2]) ?? minute;
	const n = Math.max(1, Math.round(Math.abs(seconds) / length));
	if (n === 1) return seconds > 0 ? next : last;
	return seconds > 0 ? `in ${n} ${short}` : `${n} ${short} ago`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (n: number) => String(n).padStart(2, "0");
/** The form of a time of day, "13:05", as in the schedule and the API, in every language of the browser. */
const clock = (at: Date) => `${two(at.getHours())}:${two(at.getMinutes())}`;
const date = (at: Date) => `${months[at.getMonth()]} ${at.getDate()}, ${at.getFullYear()}`;

/** A day of a chart, "Nov 20"; the day begins in UTC. */
export const dayName = (at: Date) => `${months[at.getUTCMonth()]} ${at.getUTCDate()}`;
function zone(at: Date): string {
	const offset = -at.getTimezoneOffset(),
		apart = Math.abs(offset);
	return offset === 0
		? "UTC"
		: `GMT${offset > 0 ? "+" : "-"}${Math.floor(apart / 60)}${apart % 60 ? `:${two(apart % 60)}` : ""}`;
}
/** As a field for a date and a time holds it, to the minute: "2026-11-20T13:05". */
export const localTime = (at: Date) =>
	`${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;

/** To the minute, for small places: "Nov 20, 2026, 13:05 GMT+1". */
export function toTheMinute(iso: string): string {
	const at = new Date(iso);
	return `${date(at)}, ${clock(at)} ${zone(at)}`;
}
/** To the second, with the offset from UTC: "Nov 20, 2026, 13:05:09 GMT+1". */
export function exact(iso: string): string {
	const at = new Date(iso);
	return Number.isNaN(at.getTime()) ? iso : `${date(at)}, ${clock(at)}:${two(at.getSeconds())} ${zone(at)}`;
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/** When something will happen, for a sentence: "now", "today at 14:05", "tomorrow", "on Monday", "on Nov 30, 2026". */
export function when(iso: string, now: number): string {
	const at = new Date(iso);
	if (at.getTime() < now + 60_000) return "now";
	const midnight = new Date(now).setHours(0, 0, 0, 0);
	const days = Math.round((new Date(at).setHours(0, 0, 0, 0) - midnight) / 86_400_000);
	if (days === 0) return `today at ${clock(at)}`;
	if (days === 1) return "tomorrow";
	return days < 7 ? `on ${weekdays[at.getDay()]}` : `on ${date(at)}`;
}

const weekday = (at: Date) => weekdays[at.getDay()]?.slice(0, 3);
/** A day and a time: "today at 14:05", "tomorrow at 08:00", "Mon, Nov 30 at 09:00", "Jan 4, 2027 at 09:00". */
export function dayAndTime(iso: string, now: number): string {
	const at = new Date(iso),
		today = new Date(now);
	const days = Math.round((new Date(at).setHours(0, 0, 0, 0) - today.setHours(0, 0, 0, 0)) / 86_400_000);
	const near = days > 0 && at.getFullYear() === today.getFullYear();
	const far = near ? `${weekday(at)}, ${months[at.getMonth()]} ${at.getDate()}` : date(at);
	return `${days === 0 ? "today" : days === 1 ? "tomorrow" : far} at ${clock(at)}`;
}

/** When a mail leaves: "leaves now", "leaves in 8 s", "leaves tomorrow at 08:00". */
export function leaves(iso: string, now: number): string {
	const seconds = Math.ceil((Date.parse(iso) - now) / 1000);
	if (seconds <= 0) return "leaves now";
	return seconds < 60 ? `leaves in ${seconds} s` : `leaves ${dayAndTime(iso, now)}`;
}

/** Whole numbers in groups of three. */
export const count = (n: number) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

/** "1 prospect", "1,204 prospects", "2 entries". */
export const plural = (n: number, one: string, many = `${one.replace(/([^aeiou])y$/, "$1ie")}s`) =>
	`${count(n)} ${n === 1 ? one : many}`;

/** The share as "12.5 %"; a dash when there is nothing to share. */
export function share(part: number, whole: number): string {
	return whole === 0 ? "–" : `${Math.round((part / whole) * 1000) / 10} %`;
}

/** The change against the period before: "+25 %", "−10 %", "new", "". */
export function change(now: number, before: number): string {
	if (now === before) return "±0 %";
	if (before === 0) return "new";
	const percent = Math.round(((now - before) / before) * 100);
	return `${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${count(Math.abs(percent))} %`;
}

/** "2 days", "1 day 3 h", "45 min", "at once". */
export function delay(minutes: number): string {
	if (minutes === 0) return "at once";
	const days = Math.floor(minutes / 1440),
		hours = Math.floor((minutes % 1440) / 60),
		rest = minutes % 60;
	return [days && plural(days, "day"), hours && `${hours} h`, rest && `${rest} min`].filter(Boolean).join(" ");
}

/** Seconds as "12 s", "3 min 20 s", "1 h 5 min". */
export function duration(seconds: number): string {
	const s = Math.max(0, Math.round(seconds));
	if (s < 60) return `${s} s`;
	if (s < 3600) return `${Math.floor(s / 60)} min${s % 60 ? ` ${s % 60} s` : ""}`;
	return `${Math.floor(s / 3600)} h${Math.floor((s % 3600) / 60) ? ` ${Math.floor((s % 3600) / 60)} min` : ""}`;
}

interface Named {
	email: string;
	firstName?: string | null;
	lastName?: string | null;
}
export const nameOf = (p: Named) => [p.firstName, p.lastName].filter(Boolean).join(" ") || p.email;

/** "in_sequence" as "In sequence". */
export const words = (value: string) => capital(value.replaceAll("_", " "));

/** A text for comparison: without case and accents. */
export const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A number of bytes in the largest unit that fits: "830 B", "12 kB", "3.4 MB". */
export function size(bytes: number): string {
	if (bytes < 1_000) return `${bytes} B`;
	if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
	return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
