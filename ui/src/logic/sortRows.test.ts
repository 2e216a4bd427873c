import { describe, expect, it } from "vitest";
import { sortRows } from "./sortRows";

describe("sortRows", () => {
	const names = (rows: { name: string | null }[]) => rows.map(({ name }) => name);
	const rows = ["zoe", "Öberg", null, "Anna", "oswald"].map((name) => ({ name }));
	it("sorts texts without regard to case and accents, and puts nothing last", () =>
		expect(names(sortRows(rows, ({ name }) => name, false))).toEqual(["Anna", "Öberg", "oswald", "zoe", null]));
	it("keeps nothing last the other way round too", () =>
		expect(names(sortRows(rows, ({ name }) => name, true))).toEqual(["zoe", "oswald", "Öberg", "Anna", null]));
	it("sorts numbers by size", () =>
		expect(sortRows([{ n: 10 }, { n: 9 }, { n: 100 }], ({ n }) => n, false)).toEqual([
			{ n: 9 },
			{ n: 10 },
			{ n: 100 },
		]));
	it("leaves the list that it was given alone", () => {
		const before = [...rows];
		sortRows(rows, ({ name }) => name, false);
		expect(rows).toEqual(before);
	});
});
