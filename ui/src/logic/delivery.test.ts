import { expect, test, vi } from "vitest";
import { prospectOf } from "./delivery";

test.each([
	['{"type":"sent","prospect_id":"1","prospect_email":"ann@x.test"}', { id: "1", email: "ann@x.test" }],
	['{"type":"replied","prospect_id":"1","prospect_email":null}', { id: "1", email: "Deleted prospect" }],
	['{"type":"test","prospect_id":null,"prospect_email":null}', null],
])("the body %s names %o", (body, prospect) => expect(prospectOf({ body })).toEqual(prospect));

test("the body of a delivery is parsed once", () => {
	const parse = vi.spyOn(JSON, "parse");
	const test = { body: '{"type":"test","prospect_id":null}' },
		sent = { body: '{"type":"sent","prospect_id":"1","prospect_email":"ann@x.test"}' };
	for (const delivery of [test, sent, test, sent]) prospectOf(delivery);
	expect(parse).toHaveBeenCalledTimes(2);
	parse.mockRestore();
});
