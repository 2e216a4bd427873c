import { expect, test } from "vitest";
import { triedText } from "./tried";

test("what was tried is one line", () => {
	const failed = { failure: "no such host" };
	expect(triedText([failed, failed])).toBe("Tried 2 servers; none answered.");
	expect(triedText([failed, { failure: null }])).toBe("Tried 2 servers; 1 answered.");
	expect(triedText([failed])).toBe("Tried 1 server; none answered.");
});
