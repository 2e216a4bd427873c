import { expect, it } from "vitest";
import { mailto } from "./mailto";

it.each([
	[{ from: "ada@acme.example", subject: "Prices" }, "mailto:ada@acme.example?subject=Re%3A%20Prices"],
	[
		{ from: "ada@acme.example", subject: "RE: Prices & terms" },
		"mailto:ada@acme.example?subject=RE%3A%20Prices%20%26%20terms",
	],
	[{ from: "ada@acme.example", subject: "AW: Preise" }, "mailto:ada@acme.example?subject=AW%3A%20Preise"],
	[{ from: "a+b?c&d@acme.example", subject: null }, "mailto:a%2Bb%3Fc%26d@acme.example"],
])("writes back to %o", (reply, wanted) => expect(mailto(reply)).toBe(wanted));
