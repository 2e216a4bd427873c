import { expect, test } from "vitest";
import { answerSubject, fill, unfilled, unsendable } from "./answer";

test("an answer has one Re:", () => {
	expect(answerSubject("Hello")).toBe("Re: Hello");
	expect(answerSubject("RE: Hello")).toBe("RE: Hello");
	expect(answerSubject(" ")).toBe("Re:");
	expect(answerSubject(null)).toBe("Re:");
});

test("a snippet is filled with what is known, and escaped", () => {
	const values = { first_name: "Ann <3", last_name: "", "custom_fields.city": "Bern" };
	expect(fill("<p>Hi {{ first_name }}</p>", values)).toBe("<p>Hi Ann &lt;3</p>");
	expect(fill('{{ last_name | default: "there" }} {{custom_fields.city}}', values)).toBe("there Bern");
	expect(fill("{{ job_title }}", values)).toBe("{{ job_title }}");
});

test("what is not filled is found", () => {
	expect(unfilled("<p>Hi {{ first_name }}</p>")).toBe("{{ first_name }}");
	expect(unfilled("<p>Hi {first}</p>")).toBeNull();
});

const at = Date.parse("2026-11-20T10:00:00Z");
test.each([
	["<p>Hi {{ first_name }}</p>", false, "", "Fill in {{ first_name }} first: answers are sent as they are."],
	["<p> </p>", false, "", "Write something first."],
	["<p>Yes</p>", true, "", "Choose when to send, or turn off Send later."],
	["<p>Yes</p>", true, "2026-11-20T10:00:00Z", "Choose a time that is not over."],
	["<p>Yes</p>", true, "2026-11-20T10:01:00Z", null],
	["<p>Yes</p>", false, "", null],
])("the answer %s, later %s at %s", (html, asksLater, later, fault) =>
	expect(unsendable(html, asksLater, later, at)).toBe(fault),
);
