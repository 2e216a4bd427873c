import { expect, it } from "vitest";
import { readCSV } from "./readCSV";

const read = (content: string | Uint8Array<ArrayBuffer>, encoding?: string) =>
	readCSV(new File([content], "people.csv"), () => undefined, encoding);
const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

it("reads Latin-1 as what it is", async () => {
	const sheet = await read(bytes("E-Mail;Vorname;Straße\r\na@x.example;Jürgen;Größe 5\r\n"));
	expect(sheet).toMatchObject({
		encoding: "windows-1252",
		headers: ["E-Mail", "Vorname", "Straße"],
		rows: [{ Vorname: "Jürgen", Straße: "Größe 5" }],
		faults: [],
	});
});
it("reads another encoding if the user chooses it", async () =>
	expect((await read(Uint8Array.of(0x61, 0x0a, 0x93, 0xfa, 0x96, 0x7b), "shift_jis")).rows).toEqual([{ a: "日本" }]));
it.each([
	["UTF-8", "utf-8", [0xef, 0xbb, 0xbf, 0x61, 0x0a, 0xc3, 0xbc]],
	["UTF-16", "utf-16le", [0xff, 0xfe, 0x61, 0, 0x0a, 0, 0xfc, 0]],
	["UTF-16 the other way", "utf-16be", [0xfe, 0xff, 0, 0x61, 0, 0x0a, 0, 0xfc]],
] as const)("knows %s by its mark", async (_, encoding, content) => {
	expect(await read(Uint8Array.from(content))).toMatchObject({ encoding, headers: ["a"], rows: [{ a: "ü" }] });
});

it("numbers rows as a spreadsheet does", async () => {
	const sheet = await read('email;note\n a@x.example;"one\ntwo ""three"""\n\n;;\nb@x.example;\n');
	expect(sheet.rows.map(({ email, note }, n) => [sheet.numbers[n], email?.trim(), note])).toEqual([
		[2, "a@x.example", 'one\ntwo "three"'],
		[5, "b@x.example", ""],
	]);
});
it("takes the separator that Excel names", async () =>
	expect((await read("sep=;\r\nemail;name\r\na@x.example;Ada\r\n")).rows).toEqual([
		{ email: "a@x.example", name: "Ada" },
	]));
it("loses no letter where one piece ends and the next begins", async () => {
	const lines = Array.from({ length: 60_000 }, (_, n) => `p${n}@x.example,Jürgen Müller ${n % 7}`);
	const { rows, numbers, faults } = await read(`email,name\n${lines.join("\n")}\n`);
	expect([rows.length, numbers.at(-1), faults]).toEqual([60_000, 60_001, []]);
	expect(rows.every(({ email, name }, n) => email === `p${n}@x.example` && name === `Jürgen Müller ${n % 7}`)).toBe(
		true,
	);
});

it.each([
	['email,name\na@x.example,Ada\nb@x.example,"Bob\nc@x.example,Cy\n', /^Row 3: a quotation mark does not enclose/],
	["email,name\na@x.example,Ada\nb@x.example,Smith, Bob\n", /^Row 3: more values than columns/],
	["a@x.example,Ada\nb@x.example,Bob\n", /^The first row looks like a person/],
])("says what is likely wrong (%#)", async (content, fault) =>
	expect((await read(content)).faults).toEqual([expect.stringMatching(fault)]),
);
it("gives each column a name of its own", async () =>
	expect((await read("email,note,note\na@x.example,1,2\n")).headers).toEqual(["email", "note", "note_1"]));
it("refuses a file without rows", async () => {
	await expect(read("email,name\n")).rejects.toThrow("no rows below the column names");
});
