import { expect, test } from "vitest";
import { answerSubject, fill, unfilled } from "./answer";

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
