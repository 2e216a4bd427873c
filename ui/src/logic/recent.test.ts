import { describe, expect, it } from "vitest";
import { forgetRecent, keepRecent, recentOf } from "./recent";

/** A store whose keys are its own properties, as in a browser. */
function makeStore(): Storage {
	const methods = {
		getItem: (key: string) => (store[key] as string | undefined) ?? null,
		setItem: (key: string, value: string) => {
			store[key] = value;
		},
		removeItem: (key: string) => {
			delete store[key];
		},
	};
	const store: Record<string, unknown> = Object.create(methods);
	return store as unknown as Storage;
}
const page = (label: string, to = `/${label}`) => ({ to, label, group: "Go to" });

describe("the pages that were opened last", () => {
	it("are at most five, the newest first, each once", () => {
		const store = makeStore();
		for (const label of ["a", "b", "c", "a", "d", "e", "f"]) keepRecent("w", page(label), store);
		expect(recentOf("w", store).map(({ label }) => label)).toEqual(["f", "e", "d", "a", "c"]);
	});
	it("keep two names of one page apart", () => {
		const store = makeStore();
		keepRecent("w", page("Sessions", "/settings/account"), store);
		keepRecent("w", page("Change password", "/settings/account"), store);
		expect(recentOf("w", store)).toHaveLength(2);
	});
	it("are those of one workspace, and survive no broken store", () => {
		const store = makeStore();
		keepRecent("w", page("a"), store);
		expect(recentOf("other", store)).toEqual([]);
		store.setItem("outreach.recent.w", "{");
		expect(recentOf("w", store)).toEqual([]);
	});
	it("are forgotten together, and nothing else is", () => {
		const store = makeStore();
		keepRecent("v", page("a"), store);
		keepRecent("w", page("b"), store);
		store.setItem("outreach.theme", "dark");
		forgetRecent(store);
		expect(Object.keys(store)).toEqual(["outreach.theme"]);
	});
});
