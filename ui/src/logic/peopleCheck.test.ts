import { expect, test } from "vitest";
import { ApiError } from "../api";
import { checkAll, findingText, type PeopleCheck, sumChecks } from "./peopleCheck";

const person = (n: number) => ({ id: String(n), email: `p${n}@x.test` });
const part = (
	ready: number,
	cause: PeopleCheck["findings"][number]["cause"],
	variable: string | null,
	...of: number[]
) => ({
	people: ready + of.length,
	ready,
	findings: [{ cause, variable, detail: null, people: of.map(person) }],
});

test("parts are added up by cause and variable, most people first", () => {
	const sum = sumChecks([part(1, "missing", "phone", 1), part(2, "missing", "city", 2), part(0, "missing", "city", 3)]);
	expect([sum.people, sum.ready]).toEqual([6, 3]);
	expect(sum.findings.map(({ variable, people }) => [variable, people.map(({ id }) => id).join()])).toEqual([
		["city", "2,3"],
		["phone", "1"],
	]);
});

test("a part that is refused for a while is asked for again", async () => {
	const asked: (string | null)[] = [];
	const sum = await checkAll(
		async (after) => {
			asked.push(after);
			if (asked.length === 2) throw new ApiError("later", "rate_limited");
			return { check: part(1, "replied", null, asked.length), next: after ? null : "b" };
		},
		new AbortController().signal,
		0,
	);
	expect(asked).toEqual([null, "b", "b"]);
	expect(sum.people).toBe(4);
});

test("findings are said in words", () => {
	const say = (n: number, enrolled: boolean) =>
		part(0, "suppressed", null, ...Array(n).keys()).findings.map((one) => findingText(one, enrolled))[0];
	expect(say(1, false)).toBe("1 person is suppressed: refused");
	expect(say(2, true)).toBe("2 people are suppressed: nothing more is sent");
	expect(part(0, "missing", "phone", 1).findings.map((one) => findingText(one, false))).toEqual([
		"1 person has no phone and would be held",
	]);
	const again = { cause: "had_steps" as const, variable: null, detail: "3", people: [person(1), person(2)] };
	expect(findingText(again, false)).toBe("2 people were in this campaign before: step 3 is next");
});
