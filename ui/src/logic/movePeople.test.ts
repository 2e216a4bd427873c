import { expect, test } from "vitest";
import { foundText, moveRows, recount } from "./movePeople";

test("counts follow those who change their status", () => {
	const before = [
		{ status: "active", prospects: 10 },
		{ status: "held", prospects: 2 },
	];
	expect(recount(before, [["held", "active"]])).toEqual([
		{ status: "active", prospects: 11 },
		{ status: "held", prospects: 1 },
	]);
	expect(
		recount(before, [
			["held", "active"],
			["held", "stopped"],
			["active", "active"],
		]),
	).toEqual([
		{ status: "active", prospects: 11 },
		{ status: "stopped", prospects: 1 },
	]);
});

test("rows of another status leave a list of one status", () => {
	const rows = [
		{ id: "a", status: "held", name: "Ann" },
		{ id: "b", status: "held", name: "Bob" },
	];
	const changed = new Map([["a", { id: "a", status: "active", name: "Ann" }]]);
	expect(moveRows(rows, changed, "held")).toEqual([rows[1]]);
	expect(moveRows(rows, changed, null)).toEqual([{ id: "a", status: "active", name: "Ann" }, rows[1]]);
	expect(moveRows(rows, new Map(), "held")).toBe(rows);
});

test("how many are found of how many", () => {
	expect(foundText(3, 1204)).toBe("3 of 1,204 people");
	expect(foundText(0, 1)).toBe("0 of 1 person");
});
