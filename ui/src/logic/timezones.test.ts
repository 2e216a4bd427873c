import { expect, it } from "vitest";
import { timezoneReader, timezones } from "./timezones";

const read = timezoneReader();
it.each([
	["Europe/Paris", "Europe/Paris"],
	[" europe/paris ", "Europe/Paris"],
	["Berlin", "Europe/Berlin"],
	["New York", "America/New_York"],
	["UTC", "UTC"],
	["US/Eastern", "US/Eastern"],
	["Mitteleuropa", null],
	["GMT+1", null],
	["", null],
])("reads %j as %j", (text, zone) => expect(read(text)).toBe(zone));

it("offers UTC first and once", () => expect(timezones().filter((zone) => zone === "UTC")).toEqual(["UTC"]));
