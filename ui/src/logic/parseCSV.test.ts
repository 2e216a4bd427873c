import { describe, expect, it } from "vitest";
import { CSVReader, separatorOf } from "./parseCSV";

function parse(text: string, separator = ",") {
	const reader = new CSVReader(text, separator);
	while (reader.read(2));
	return reader.parsed;
}
const cells = (text: string) => parse(text).rows.map((row) => row.cells);

describe("separatorOf", () => {
	it.each([
		["a,b,c\n1,2,3", ","],
		["a;b;c\n1,5;2;3", ";"],
		["a\tb\n1\t2", "\t"],
		["a|b\n1|2", "|"],
		["email\na@x.example", ","],
		['name;note\n"a,b,c";x\n"d,e,f";y', ";"],
		["email;note\n a@x.example;\n\n;;\nb@x.example;\n", ";"],
	])("finds that of %j", (text, separator) => expect(separatorOf(text)).toBe(separator));
});

describe("CSVReader", () => {
	it("reads quoted cells, with quotation marks and line breaks in them", () =>
		expect(cells('a,"b ""c""","d\ne"\r\n1,2,3')).toEqual([
			["a", 'b "c"', "d\ne"],
			["1", "2", "3"],
		]));
	it("counts a line break within a cell as no line of its own", () =>
		expect(parse('a,"b\nc"\n1,2').rows.map(({ line }) => line)).toEqual([1, 2]));
	it("reads a cell as it stands when text follows its closing quotation mark", () => {
		const text = 'name,email\n"Anna Keller" <a@x.example>,x\nBob,b@x.example\nCleo,"c@x.example"\n';
		expect(cells(text)).toEqual([
			["name", "email"],
			['"Anna Keller" <a@x.example>', "x"],
			["Bob", "b@x.example"],
			["Cleo", "c@x.example"],
		]);
		expect(parse(text).quotes).toEqual([2]);
	});
	it("loses no row to a quotation mark that is closed rows later", () => {
		const text = 'name,email\n"Anna,a@x.example\nBob,b@x.example\nCleo,c@x.example"\nDan,d@x.example\n';
		expect(cells(text).map((row) => row[0])).toEqual(["name", '"Anna', "Bob", "Cleo", "Dan"]);
		expect(parse(text).quotes).toEqual([2]);
	});
	it("loses no row to a quotation mark that is never closed", () => {
		const text = 'name,email\n"Anna,a@x.example\nBob,b@x.example\n';
		expect(cells(text)).toHaveLength(3);
		expect(parse(text).quotes).toEqual([2]);
	});
	it("keeps a note of several lines whole", () =>
		expect(cells('email,note\na@x.example,"one, two\nthree"\n')[1]).toEqual(["a@x.example", "one, two\nthree"]));
});
