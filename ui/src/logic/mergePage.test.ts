import { describe, expect, it } from "vitest";
import { inView, mergePage, type Page, type Pages } from "./mergePage";

const page = (ids: string, nextCursor: string | null = null): Page<{ id: string }> => ({
	nodes: [...ids].map((id) => ({ id })),
	nextCursor,
});
const ids = ({ pages, pageParams }: Pages<{ id: string }>) =>
	pages.map(
		({ nodes, nextCursor }, n) => `${pageParams[n] ?? ""}<${nodes.map(({ id }) => id).join("")}>${nextCursor ?? ""}`,
	);
const two = { pages: [page("dc", "c"), page("ba")], pageParams: [null, "c"] };
// A cursor is the row before it.
const long = { pages: [page("hgf", "f"), page("edc", "c"), page("ba")], pageParams: [null, "f", "c"] };

describe("the first page", () => {
	it("puts news on top and keeps what was read further down, in pages that can be asked for", () => {
		expect(ids(mergePage(two, null, page("ed", "d"), 2))).toEqual(["<ed>d", "d<c>c", "c<ba>"]);
		expect(ids(mergePage(two, null, page("ed", "d"), 3))).toEqual(["<ed>d", "d<cba>"]);
	});
	it("takes out what went away", () =>
		expect(ids(mergePage(two, null, page("db", "b"), 2))).toEqual(["<db>b", "b<a>"]));
	it("keeps the very object when nothing changed", () => expect(mergePage(two, null, page("dc", "c"), 2)).toBe(two));
	it("takes a list of one page anew, and leaves a longer one, when the two do not meet", () => {
		expect(ids(mergePage({ pages: [page("dc", "c")], pageParams: [null] }, null, page("zy", "y"), 2))).toEqual([
			"<zy>y",
		]);
		expect(mergePage(two, null, page("zy", "y"), 2)).toBe(two);
	});
	it("knows a short list whole", () => expect(ids(mergePage(two, null, page("x"), 2))).toEqual(["<x>"]));
});

describe("a page further down", () => {
	it("sees a changed row and leaves the rest as it is", () => {
		const fresh = { nodes: [{ id: "e" }, { id: "d", done: true }, { id: "c" }], nextCursor: "c" };
		const merged = mergePage(long, "f", fresh, 3);
		expect(merged.pages[1]).toEqual(fresh);
		expect([merged.pages[0], merged.pages[2]]).toEqual([long.pages[0], long.pages[2]]);
	});
	it("takes out what went away and draws from the next page", () =>
		expect(ids(mergePage(long, "f", page("ecb", "b"), 3))).toEqual(["<hgf>f", "f<ecb>b", "b<a>"]));
	it("lets rows in that fit the filter by now", () =>
		expect(ids(mergePage(long, "f", page("exd", "d"), 3))).toEqual(["<hgf>f", "f<exd>d", "d<cba>"]));
	it("lets a row in at its very end", () =>
		expect(ids(mergePage(long, "f", page("edx", "x"), 3))).toEqual(["<hgf>f", "f<edx>x", "x<cba>"]));
	it("may be empty where the filter comes after the fetch", () =>
		expect(ids(mergePage(long, "f", page("", "c"), 3))).toEqual(["<hgf>f", "f<>c", "c<ba>"]));
	it("is left alone when its place is gone", () => expect(mergePage(long, "q", page("zy", "y"), 3)).toBe(long));
});

it("names the pages that are in view, and the first", () => {
	expect(inView(long, 0, 2)).toEqual([null]);
	expect(inView(long, 2, 3)).toEqual([null, "f"]);
	expect(inView(long, 4, 6)).toEqual([null, "f", "c"]);
	expect(inView(long, 7, 7)).toEqual([null, "c"]);
	expect(inView(undefined, 0, 9)).toEqual([null]);
	const small = {
		pages: Array.from({ length: 9 }, (_, n) => page(String(n), String(n))),
		pageParams: [null, ..."01234567"],
	};
	expect(inView(small, 2, 8)).toEqual([null, "1", "2", "3"]);
});
