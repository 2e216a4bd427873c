import { expect, it } from "vitest";
import { sign } from "./sign";

it("signs as the service does", async () =>
	expect(await sign("whsec_1", "1700000000", '{"name":"Zoë"}')).toBe(
		"108b61a47f8e6ae8aa7d2cd8d025f345e452f343dfc4dcfd5b9cde98e749a93f",
	));
