import { expect, it } from "vitest";
import { dropView, keepView, viewsOf } from "./views";

function memory(): Storage {
	const map = new Map<string, string>();
	return {
		getItem: (key: string) => map.get(key) ?? null,
		setItem: (key: string, text: string) => void map.set(key, text),
	} as Storage;
}

it("keeps views by list and name", () => {
	const store = memory();
	keepView("prospects", { name: "Warm", query: "status=replied" }, store);
	keepView("prospects", { name: "New", query: "status=new" }, store);
	keepView("prospects", { name: "Warm", query: "status=paused" }, store);
	expect(viewsOf("prospects", store)).toEqual([
		{ name: "New", query: "status=new" },
		{ name: "Warm", query: "status=paused" },
	]);
	expect(viewsOf("companies", store)).toEqual([]);
	expect(dropView("prospects", "New", store)).toEqual([{ name: "Warm", query: "status=paused" }]);
});
it("starts anew where the store is damaged", () =>
	expect(viewsOf("prospects", { getItem: () => "{" } as unknown as Storage)).toEqual([]));
