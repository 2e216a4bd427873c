import { expect, test } from "vitest";
import { prospectOf } from "./delivery";

test("the body of a delivery names its prospect, that of a test event none", () => {
	expect(prospectOf('{"type":"sent","prospect_id":"1","prospect_email":"ann@x.test"}')).toEqual({
		id: "1",
		email: "ann@x.test",
	});
	expect(prospectOf('{"type":"replied","prospect_id":"1","prospect_email":null}')?.email).toBe("Deleted prospect");
	expect(prospectOf('{"type":"test","prospect_id":null,"prospect_email":null}')).toBeNull();
});
