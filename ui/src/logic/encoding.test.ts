import { expect, it } from "vitest";
import { textOf } from "./encoding";

it.each([[[0xfc]], [[0xc3, 0xbc]], [[0xef, 0xbb, 0xbf, 0xc3, 0xbc]], [[0xff, 0xfe, 0xfc, 0]], [[0xfe, 0xff, 0, 0xfc]]])(
	"reads %j as it was meant",
	(bytes) => expect(textOf(Uint8Array.from(bytes).buffer)).toBe("ü"),
);
