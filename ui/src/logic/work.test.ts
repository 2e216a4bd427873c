import { expect, it } from "vitest";
import { ApiError } from "../api";
import { Enroller } from "./enroller";
import { findAll } from "./findAll";
import { Suppressor } from "./suppressor";
import { CHUNK, Work, works } from "./work";

const noWait = () => Promise.resolve();
const numbers = (n: number) => Array.from({ length: n }, (_, at) => at);
const make = (pause = noWait) =>
	new Work<number, "ok">({ href: "/", unit: "row", name: (row) => ({ what: String(row) }) }, pause);
const ok = (rows: number[]) => Promise.resolve(rows.map(() => ({ outcome: "ok" as const })));

it("waits for a server that is away and loses no row", async () => {
	let calls = 0;
	const phases = new Set<string>();
	const work = make();
	const unwatch = work.watch(() => phases.add(work.read().phase));
	await work.run("", numbers(3 * CHUNK), (rows) => {
		if (++calls === 2 || calls === 3) throw new ApiError("away", "offline");
		return ok(rows);
	});
	unwatch();
	expect([...phases]).toContain("waiting");
	expect(work.read()).toMatchObject({ done: 3 * CHUNK, counts: { ok: 3 * CHUNK }, refused: [] });
});

it("gives a chunk up that the server will never take, and goes on", async () => {
	let calls = 0;
	const work = make();
	await work.run("", numbers(CHUNK + 500), (rows) => {
		if (++calls === 1) throw new ApiError("too large", "payload_too_large");
		return ok(rows);
	});
	expect(work.read()).toMatchObject({ done: CHUNK + 500, counts: { ok: 500 } });
	expect(work.read().refused).toHaveLength(CHUNK);
	expect(work.read().refused[0]).toEqual({ what: "0", pointer: "", reason: "too large" });
});

it("stops when told, between chunks and while it waits", async () => {
	const work = make();
	await work.run("", numbers(5 * CHUNK), (rows) => {
		work.stop();
		return ok(rows);
	});
	expect(work.read()).toMatchObject({ phase: "done", done: CHUNK, stopped: true });
	const waiting = make(() => new Promise(() => undefined));
	const unwatch = waiting.watch(() => {
		if (waiting.read().phase === "waiting") queueMicrotask(waiting.stop);
	});
	await waiting.run("", numbers(3), () => {
		throw new ApiError("away", "offline");
	});
	unwatch();
	expect(waiting.read()).toMatchObject({ phase: "done", done: 0, stopped: true });
});

it("shows what runs, and what ended unseen", async () => {
	const work = make();
	let during: unknown;
	await work.run("It", numbers(1), (rows) => {
		during = works.read().includes(work as never);
		return ok(rows);
	});
	expect([during, works.read().includes(work as never)]).toEqual([true, true]);
	work.see();
	expect(works.read().includes(work as never)).toBe(false);
});

it("enrolls a thousand at a time and keeps who is refused and why", async () => {
	const people = numbers(1_500).map((n) => ({ id: `id${n}`, email: `p${n}@x.example` }));
	const sizes: number[] = [];
	const enroller = new Enroller((campaign, ids) => {
		sizes.push(ids.length);
		return Promise.resolve(
			ids.map((id, index) =>
				id === "id7"
					? {
							index,
							outcome: "refused" as const,
							refusal: { code: "prospect_bounced", message: `${campaign}: mail bounces.` },
						}
					: { index, outcome: index % 2 ? ("enrolled" as const) : ("present" as const) },
			),
		);
	}, noWait);
	await enroller.enroll({ id: "c", name: "C" }, people);
	expect(sizes).toEqual([1000, 500]);
	expect(enroller.read()).toMatchObject({
		title: "Enrolling in C",
		counts: { enrolled: 749, present: 750 },
		refused: [{ what: "p7@x.example", reason: "c: mail bounces." }],
	});
});

it("finds all that match, page by page, and waits for a server that is away", async () => {
	const asked: (string | null)[] = [];
	const told: number[] = [];
	const pages: Record<string, { nodes: { id: string; email: string }[]; nextCursor: string | null }> = {
		"": {
			nodes: [
				{ id: "a", email: "" },
				{ id: "b", email: "" },
			],
			nextCursor: "x",
		},
		x: { nodes: [{ id: "c", email: "" }], nextCursor: null },
	};
	const found = await findAll(
		(after) => {
			asked.push(after);
			if (asked.length === 2) throw new ApiError("away", "offline");
			return Promise.resolve(pages[after ?? ""]!);
		},
		(n) => told.push(n),
		new AbortController().signal,
		{ wait: 0 },
	);
	expect([found.map(({ id }) => id), asked, told]).toEqual([
		["a", "b", "c"],
		[null, "x", "x"],
		[2, 3],
	]);
});

it.each([
	[3, "internal", true],
	[4, "internal", false],
	[20, "offline", true],
	[1, "not_found", false],
])("reads on after %i errors in a row that are %s: %s", async (errors, code, whole) => {
	let asked = 0;
	const read = findAll(
		() => {
			if (++asked <= errors) throw new ApiError("no", code);
			return Promise.resolve({ nodes: [{ id: "a", email: "" }], nextCursor: null });
		},
		() => undefined,
		new AbortController().signal,
		{ wait: 0 },
	);
	if (whole) expect(await read).toHaveLength(1);
	else await expect(read).rejects.toThrow("no");
});

it("suppresses addresses and domains, and counts the enrollments that this stopped", async () => {
	const suppressor = new Suppressor(
		(given) =>
			Promise.resolve({
				stopped: 2,
				results: given.map(({ email }, index) =>
					email
						? { index, outcome: "created" as const }
						: {
								index,
								outcome: "refused" as const,
								refusal: { code: "validation_failed", message: "No domain.", fields: [{ pointer: "/domain" }] },
							},
				),
			}),
		noWait,
	);
	await suppressor.suppress(["a@x.example", "x_y.example"]);
	expect(suppressor.read()).toMatchObject({
		counts: { created: 1 },
		refused: [{ what: "x_y.example", pointer: "/domain", reason: "No domain." }],
	});
	expect(suppressor.enrollmentsStopped).toBe(2);
	await suppressor.suppress(Array.from({ length: 1_500 }, (_, n) => `p${n}@x.example`));
	expect(suppressor.enrollmentsStopped).toBe(4); // of two requests
});
