import { expect, it } from "vitest";
import { days, readClock, rhythm, sentence } from "./schedule";

it.each([
	[["mon", "tue", "wed", "thu", "fri"], "Mon to Fri"],
	[["sun", "sat"], "Sat, Sun"],
	[["mon", "tue", "wed", "fri"], "Mon to Wed, Fri"],
	[[], "No day"],
	[["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "Every day"],
] as const)("%j reads %s", (chosen, want) => expect(days([...chosen])).toBe(want));

it("says a schedule as a sentence", () => {
	expect(
		sentence({
			sendDays: ["mon", "tue", "wed", "thu", "fri"],
			sendFrom: "09:00",
			sendUntil: "17:00",
			timezone: "Europe/Paris",
			dailyNewLimit: 40,
		}),
	).toBe("Mon to Fri, 09:00 to 17:00 in the prospect's time zone (else Europe/Paris), at most 40 new a day");
	expect(
		sentence({
			sendDays: ["mon"],
			sendFrom: "09:00",
			sendUntil: "17:00",
			timezone: "UTC",
			startsOn: "2026-12-01",
			endsOn: "2027-03-31",
			skipDates: ["2026-12-25"],
		}),
	).toBe(
		"Mon, 09:00 to 17:00 in the prospect's time zone (else UTC), from 1 Dec 2026, until 31 Mar 2027, not on 25 Dec 2026",
	);
	expect(
		sentence({ sendDays: ["sat"], sendFrom: "00:00", sendUntil: "23:59", timezone: "UTC", dailyNewLimit: null }),
	).toBe("Sat, all day in the prospect's time zone (else UTC)");
});

it("says a schedule in few words: days, hours and the limit of new people", () => {
	const week: Parameters<typeof rhythm>[0] = {
		sendDays: ["mon", "tue", "wed", "thu", "fri"],
		sendFrom: "09:00",
		sendUntil: "17:00",
		timezone: "Europe/Paris",
		dailyNewLimit: 40,
		companyDailyLimit: 2,
		endsOn: "2027-03-31",
	};
	expect(rhythm(week)).toBe("Mon to Fri, 09:00 to 17:00, at most 40 new a day");
	expect(rhythm({ ...week, dailyNewLimit: null, sendFrom: "00:00", sendUntil: "23:59" })).toBe("Mon to Fri, all day");
});

it("reads a time of day however it is typed, as the schedule has it", () => {
	const typed = {
		"09:00": "09:00",
		" 9 ": "09:00",
		"9:5": "09:05",
		"930": "09:30",
		"0930": "09:30",
		"17.30": "17:30",
		"17h30": "17:30",
		"5 pm": "17:00",
		"5:30PM": "17:30",
		"12 am": "00:00",
		"12:15 p.m.": "12:15",
		"0": "00:00",
	};
	expect(Object.fromEntries(Object.keys(typed).map((text) => [text, readClock(text)]))).toEqual(typed);
	expect(["", "24:00", "9:60", "13 pm", "0 am", "noon", "12345", "-1"].map(readClock)).toEqual([
		"",
		"24:00",
		"9:60",
		"13 pm",
		"0 am",
		"noon",
		"12345",
		"-1",
	]);
});
