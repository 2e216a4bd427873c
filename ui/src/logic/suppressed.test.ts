import { expect, test } from "vitest";
import { fits, suppressedText } from "./suppressed";

const ann = { email: "Ann@x.test", domain: null, reason: "manual" };
const x = { email: null, domain: "x.test", reason: "manual" };

test("a new suppression is shown where the filters let it", () => {
	expect(fits(x, {})).toBe(true);
	expect(fits(x, { reason: null, email: null, domain: null })).toBe(true);
	expect(fits(x, { reason: "manual", domain: "@X.test" })).toBe(true);
	expect(fits(ann, { email: "ann@x.test" })).toBe(true);
	expect(fits(x, { reason: "bounced" })).toBe(false);
	expect(fits(x, { domain: "y.test" })).toBe(false);
	expect(fits(x, { email: "ann@x.test" })).toBe(false);
});

test("the message names the domain and how many people are stopped", () => {
	expect(suppressedText(x, { created: true, people: 2, enrollments: 3 })).toBe(
		"Everyone at x.test suppressed. 3 enrollments of 2 people stopped.",
	);
	expect(suppressedText(ann, { created: true, people: null, enrollments: 1 })).toBe(
		"Ann@x.test suppressed. 1 enrollment stopped.",
	);
	expect(suppressedText(ann, { created: true, people: null, enrollments: 0 })).toBe("Ann@x.test suppressed.");
	expect(suppressedText(x, { created: false, people: 2, enrollments: 0 })).toBe(
		"Everyone at x.test was suppressed already.",
	);
});
