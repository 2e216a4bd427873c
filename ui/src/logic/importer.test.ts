import { expect, it } from "vitest";
import { ApiError } from "../api";
import { type Ask, Importer, type ImportPlan, timeOf } from "./importer";
import { refusedRows } from "./work";

const plan = (n: number, onExisting: ImportPlan["onExisting"] = "skip"): ImportPlan => ({
	sheet: {
		name: "a.csv",
		file: new File([], "a.csv"),
		encoding: "utf-8",
		headers: [],
		rows: [],
		numbers: [],
		faults: [],
	},
	mapping: {},
	onExisting,
	refused: [{ row: 1, what: "", pointer: "/email", reason: "No e-mail address" }],
	rows: Array.from({ length: n }, (_, at) => ({ row: at + 2, input: { email: `p${at}@x.example` } })),
});
const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const created: Ask = (prospects) =>
	Promise.resolve(
		prospects.map((_, index) => ({ index, outcome: "created", prospectId: ID, changes: [], errors: [] })),
	);
const noWait = () => Promise.resolve();

it("sends a thousand at a time and counts all", async () => {
	const sizes: number[] = [];
	const importer = new Importer((...given) => {
		sizes.push(given[0].length);
		return created(...given);
	}, noWait);
	await importer.store(plan(2_500));
	expect(sizes).toEqual([1000, 1000, 500]);
	expect(importer.read()).toMatchObject({
		phase: "done",
		done: 2500,
		counts: { created: 2500 },
		refused: [{ row: 1 }],
		stopped: false,
	});
	expect(importer.people).toHaveLength(2500);
	expect(importer.createdSince).toBe(timeOf(ID));
});

it("reads the time out of an id", () =>
	expect(timeOf("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")).toBe("2022-02-22T19:22:22.000Z"));

it("tells what is new, changed, the same and refused, and does not send what the check refused", async () => {
	const asked: [string[], boolean][] = [];
	const outcomes = [
		["created", []],
		["updated", ["/first_name"]],
		["updated", []],
		["skipped", []],
		["invalid", []],
	] as const;
	const importer = new Importer((prospects, _, dryRun) => {
		asked.push([prospects.map(({ email }) => email ?? ""), dryRun]);
		return Promise.resolve(
			prospects.map((_row, index) => {
				const [outcome, changes] = outcomes[index]!;
				return {
					index,
					outcome,
					prospectId: null,
					changes: [...changes],
					errors: outcome === "invalid" ? [{ pointer: "/timezone", code: "invalid", detail: "No such zone." }] : [],
				};
			}),
		);
	}, noWait);
	const five = plan(5, "update");
	await importer.tryOut(five);
	expect(importer.read()).toMatchObject({
		counts: { created: 1, updated: 1, unchanged: 2 },
		refused: [{ row: 1 }, { row: 6, what: "p4@x.example", pointer: "/timezone", reason: "No such zone." }],
	});
	await importer.store(five);
	expect(asked).toEqual([
		[["p0", "p1", "p2", "p3", "p4"].map((name) => `${name}@x.example`), true],
		[["p0", "p1", "p2", "p3"].map((name) => `${name}@x.example`), false],
	]);
	expect(refusedRows(importer.read().refused, "email")).toEqual([
		["email", "field", "reason"],
		["", "email", "No e-mail address"],
		["p4@x.example", "timezone", "No such zone."],
	]);
});

it("counts as there already what was stored before its answer was lost", async () => {
	const stored = new Set<string>();
	let lost = false;
	const importer = new Importer((prospects) => {
		const results = prospects.map(({ email = "" }, index) => ({
			index,
			outcome: stored.has(email ?? "") ? ("skipped" as const) : ("created" as const),
			prospectId: ID,
			changes: [],
			errors: [],
		}));
		for (const { email } of prospects) stored.add(email ?? "");
		if (!lost) {
			lost = true;
			throw new ApiError("away", "offline");
		}
		return Promise.resolve(results);
	}, noWait);
	await importer.store(plan(1_200));
	expect(importer.read()).toMatchObject({ done: 1200, counts: { unchanged: 1000, created: 200 } });
	expect(stored.size).toBe(1200);
});
