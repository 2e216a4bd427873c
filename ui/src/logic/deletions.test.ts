import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../api";
import { Deletions, GRACE, WAIT } from "./deletions";
import { CHUNK } from "./work";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A storage that several pages share. */
function storage() {
	const kept = new Map<string, string>();
	return {
		get length() {
			return kept.size;
		},
		key: (n: number) => [...kept.keys()][n] ?? null,
		getItem: (key: string) => kept.get(key) ?? null,
		setItem: (key: string, value: string) => void kept.set(key, value),
		removeItem: (key: string) => void kept.delete(key),
	};
}

function page(store = storage()) {
	const sent: string[][] = [],
		left: string[][] = [],
		failures: unknown[] = [];
	const deletions = new Deletions(
		(ids) => {
			const failure = failures.shift();
			if (failure) return Promise.reject(failure);
			sent.push(ids);
			return Promise.resolve(ids.length);
		},
		(ids) => void left.push(ids),
		() => store,
	);
	return { store, deletions, sent, left, failures, ends: [] as unknown[] };
}

const add = (of: ReturnType<typeof page>, ids = ["a", "b"], owner = "ann") =>
	of.deletions.add(owner, ids, (error) => void of.ends.push(error));

test("after ten seconds it is done", async () => {
	const one = page();
	const undo = add(one);
	await vi.advanceTimersByTimeAsync(WAIT - 1);
	expect([one.sent, [...one.deletions.read()]]).toEqual([[], ["a", "b"]]);
	await vi.advanceTimersByTimeAsync(1);
	expect([one.sent, one.ends, [...one.deletions.read()], one.store.length]).toEqual([[["a", "b"]], [undefined], [], 0]);
	expect(undo()).toBe(false);
});

test("an undo in time deletes nothing", async () => {
	const one = page();
	expect(add(one)()).toBe(true);
	await vi.advanceTimersByTimeAsync(2 * WAIT);
	expect([one.sent, one.ends, one.store.length, one.deletions.read().size]).toEqual([[], [], 0, 0]);
});

test("many go in chunks", async () => {
	const one = page();
	add(
		one,
		Array.from({ length: CHUNK + 1 }, (_, n) => `${n}`),
	);
	await vi.advanceTimersByTimeAsync(WAIT);
	expect(one.sent.map((ids) => ids.length)).toEqual([CHUNK, 1]);
});

test("it waits for the server, and says when it is refused", async () => {
	const one = page();
	const refusal = new ApiError("no", "forbidden");
	one.failures.push(new ApiError("away", "offline"), new ApiError("away", "offline"));
	add(one);
	await vi.advanceTimersByTimeAsync(WAIT);
	expect([one.sent.length, one.deletions.read().size]).toEqual([0, 2]);
	await vi.advanceTimersByTimeAsync(60_000);
	expect([one.sent.length, one.ends]).toEqual([1, [undefined]]);
	one.failures.push(refusal);
	add(one);
	await vi.advanceTimersByTimeAsync(WAIT);
	expect([one.sent.length, one.ends, one.deletions.read().size, one.store.length]).toEqual([
		1,
		[undefined, refusal],
		0,
		0,
	]);
});

test("a page that goes away sends it, and cannot take it back when it comes back", async () => {
	const one = page();
	const undo = add(one);
	one.deletions.flush();
	expect([one.left, undo(), one.sent]).toEqual([[["a", "b"]], false, []]);
	one.deletions.back();
	await vi.advanceTimersByTimeAsync(0);
	expect([one.sent, one.store.length]).toEqual([[["a", "b"]], 0]);
});

test("who signs out has it done before", async () => {
	const one = page();
	const undo = add(one);
	await one.deletions.hurry();
	expect([one.sent, one.ends, one.store.length, undo()]).toEqual([[["a", "b"]], [undefined], 0, false]);
	await vi.advanceTimersByTimeAsync(2 * WAIT);
	expect(one.sent.length).toBe(1);
});

test("what a page that died left is done by the next of the same user, not while it may live", async () => {
	const died = page();
	add(died);
	add(died, ["c"], "bob");
	const next = page(died.store);
	expect(await next.deletions.resume("ann")).toBe(0);
	vi.setSystemTime(Date.now() + WAIT + GRACE);
	expect(await next.deletions.resume("ann")).toBe(2);
	expect(await next.deletions.resume("ann")).toBe(0);
	expect([next.sent, next.store.length]).toEqual([[["a", "b"]], 1]);
});

test("a page does not do its own again while it waits for the server", async () => {
	const one = page();
	for (let n = 0; n < 100; n++) one.failures.push(new ApiError("away", "offline"));
	add(one);
	await vi.advanceTimersByTimeAsync(WAIT + 2 * GRACE);
	expect(await one.deletions.resume("ann")).toBe(0);
});
