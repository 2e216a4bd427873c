import { WeekdayValues } from "../gql/enums";
import type { Weekday } from "../gql/generated";

export const WEEK: readonly Weekday[] = WeekdayValues;
const NAMES: Record<Weekday, string> = {
	mon: "Mon",
	tue: "Tue",
	wed: "Wed",
	thu: "Thu",
	fri: "Fri",
	sat: "Sat",
	sun: "Sun",
};

export interface Schedule {
	sendDays: Weekday[];
	sendFrom: string;
	sendUntil: string;
	timezone: string;
	dailyNewLimit?: number | null;
	companyDailyLimit?: number | null;
	skipDates?: string[];
	startsOn?: string | null;
	endsOn?: string | null;
}

/** "Mon to Fri, 09:00 to 17:00 in the prospect's time zone (else Europe/Paris), at most 40 new a day". */
export function sentence(s: Schedule): string {
	const limits = [newLimit(s), s.companyDailyLimit && `at most ${s.companyDailyLimit} of one company a day`];
	const dates = [
		s.startsOn && `from ${date(s.startsOn)}`,
		s.endsOn && `until ${date(s.endsOn)}`,
		s.skipDates?.length === 1 && `not on ${date(s.skipDates[0] ?? "")}`,
		(s.skipDates?.length ?? 0) > 1 && `not on ${s.skipDates?.length} dates`,
	];
	const zone = `in the prospect's time zone (else ${s.timezone})`;
	return [`${times(s)} ${zone}`, ...dates, ...limits].filter(Boolean).join(", ");
}

const times = (s: Schedule) =>
	`${days(s.sendDays)}, ${s.sendFrom === "00:00" && s.sendUntil === "23:59" ? "all day" : `${s.sendFrom} to ${s.sendUntil}`}`;
const newLimit = (s: Schedule) => s.dailyNewLimit && `at most ${s.dailyNewLimit} new a day`;

/** The same for a narrow place: "Mon to Fri, 09:00 to 17:00, at most 40 new a day". */
export const rhythm = (s: Schedule): string => [times(s), newLimit(s)].filter(Boolean).join(", ");

const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** "2026-12-25" as "25 Dec 2026"; what is not a date stays as it is. */
export function date(iso: string): string {
	const at = Date.parse(iso);
	return Number.isNaN(at) ? iso : DATE.format(at);
}

/** Runs of three days and more become "Mon to Fri", the rest is listed. */
export function days(chosen: Weekday[]): string {
	const places = WEEK.map((day, at) => (chosen.includes(day) ? at : -1)).filter((at) => at >= 0);
	if (places.length === 0) return "No day";
	if (places.length === 7) return "Every day";
	const runs: number[][] = [];
	for (const at of places) {
		const run = runs.at(-1);
		if (run && run.at(-1) === at - 1) run.push(at);
		else runs.push([at]);
	}
	const name = (at: number | undefined) => NAMES[WEEK[at ?? 0] ?? "mon"];
	return runs
		.map((run) => (run.length > 2 ? `${name(run[0])} to ${name(run.at(-1))}` : run.map(name).join(", ")))
		.join(", ");
}

/** A time of day as it may be typed ("9", "0930", "5:30 pm"), as the schedule has it; what is none stays as it is. */
export function readClock(text: string): string {
	const found = /^(\d{1,2})(?:[:.h ]?(\d{2})|[:.h](\d))?\s*(?:([ap])\.?m\.?)?$/i.exec(text.trim());
	if (!found) return text;
	const [, hours, minutes, minute, half] = found;
	const h = Number(hours),
		m = Number(minutes ?? minute ?? 0);
	if (m > 59 || h > 23 || (half && (h < 1 || h > 12))) return text;
	const late = half?.toLowerCase() === "p";
	return `${String(half ? (h % 12) + (late ? 12 : 0) : h).padStart(2, "0")}:${String(m).padStart(2, "0")}`;
}
