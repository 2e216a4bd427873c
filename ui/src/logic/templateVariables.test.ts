import { describe, expect, it } from "vitest";
import { lacking, printable, printed, sampleOf, unknown, valuesOf } from "./templateVariables";

it("finds what a template prints, with and without a fallback", () =>
	expect(printed('{{ first_name }} {{ company_name | default: "you" }} {{custom_fields.size|upcase}}')).toEqual([
		{ name: "first_name", fallback: false },
		{ name: "company_name", fallback: true },
		{ name: "custom_fields.size", fallback: false },
	]));
it("leaves out what stands in a condition or is assigned", () =>
	expect(
		printed('{% assign hi = "Hello" %}{{ hi }} {% if phone != "" %}{{ phone }}{% endif %}{{ email }}').map(
			(p) => p.name,
		),
	).toEqual(["email"]));

it("offers what a mail can print, without what is blank or no variable", () =>
	expect(
		printable(
			valuesOf({
				id: "1",
				email: "ada@acme.example",
				firstName: "Ada",
				phone: " ",
				customFields: { size: 12, city: null },
			}),
		),
	).toEqual([
		["first_name", "Ada"],
		["email", "ada@acme.example"],
		["size", "12"],
	]));

describe("lacking", () => {
	const values = valuesOf({ firstName: "Ada", companyName: " ", customFields: { size: 12 } });
	it("names the values that are missing or blank", () =>
		expect(
			lacking(["{{ first_name }} {{ company_name }}", "{{ custom_fields.size }} {{ custom_fields.city }}"], values),
		).toEqual(["company_name", "custom_fields.city"]));
	it("needs none where there is a fallback, nor what every message has", () =>
		expect(lacking(['{{ company_name | default: "x" }} {{ unsubscribe_url }}'], values)).toEqual([]));
});

it.each([
	["{{ frist_name }}", [{ name: "frist_name", nearest: "first_name" }]],
	["{{ company }}", [{ name: "company", nearest: null }]],
	['{{ frist_name | default: "there" }}', [{ name: "frist_name", nearest: "first_name" }]],
	["{{ custom_fields.any }} {{ mailbox.email }} {{ last_name }}", []],
])("knows the variables of %s", (template, expected) => expect(unknown([template])).toEqual(expected));

it("fills a template with samples", () =>
	expect(
		sampleOf(
			'Hello {{ first_name | default: "there" }}, {{ custom_fields.team | default: "team" }}, {{ custom_fields.x }}',
		),
	).toBe("Hello Anna, team, [x]"));
