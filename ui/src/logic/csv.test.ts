import { describe, expect, it } from "vitest";
import { guess, judge, leftOutRows, toCSV, toProspect } from "./csv";

describe("guess", () => {
	it("knows the usual names of columns", () =>
		expect(guess(["E-Mail Address", "Prénom", "Surname", "Company Name", "LinkedIn URL", "Team Size"])).toEqual({
			"E-Mail Address": "email",
			Prénom: "firstName",
			Surname: "lastName",
			"Company Name": "companyName",
			"LinkedIn URL": "linkedinUrl",
			"Team Size": "custom:team_size",
		}));
	it("knows them in other languages", () =>
		expect(
			guess(["E-Mail Adresse", "Telefon", "Zeitzone", "Société", "Correo electrónico", "Apellidos", "Cognome"]),
		).toEqual({
			"E-Mail Adresse": "email",
			Telefon: "phone",
			Zeitzone: "timezone",
			Société: "companyName",
			"Correo electrónico": "custom:correo_electronico",
			Apellidos: "lastName",
			Cognome: "custom:cognome",
		}));
	it("knows columns by what their cells look like", () => {
		const rows = [
			{
				A: "Anna <anna@x.example>",
				B: "+49 30 1234567",
				C: "Europe/Berlin",
				D: "www.x.example",
				E: "linkedin.com/in/a",
				F: "2024",
			},
			{ A: "bob@x.example", B: "(030) 765-4321", C: "", D: "https://y.example/de", E: "", F: "17" },
		];
		expect(guess(["A", "B", "C", "D", "E", "F"], rows)).toEqual({
			A: "email",
			B: "phone",
			C: "timezone",
			D: "website",
			E: "linkedinUrl",
			F: "custom:f",
		});
	});
	it("believes a name before the looks of another column", () =>
		expect(guess(["Contact", "E-mail"], [{ Contact: "a@x.example", "E-mail": "" }])).toMatchObject({
			"E-mail": "email",
		}));
	it("gives a field to one column only", () =>
		expect(guess(["email", "mail"])).toEqual({ email: "email", mail: "custom:mail" }));
});

it("makes a prospect of a row and leaves out what is empty", () => {
	expect(
		toProspect(
			{ mail: " ada@x.example ", name: "", size: "12" },
			{ mail: "email", name: "firstName", size: "custom:team_size", other: "" },
		),
	).toEqual({ email: "ada@x.example", customFields: { team_size: "12" } });
});

it("sorts rows before anything is sent", () => {
	const rows = ["ada@x.example", "", "no e-mail address", "ADA@X.example", "bob@x.example"].map((email) => ({ email }));
	const { valid, invalid, twice } = judge({ rows, numbers: [2, 3, 4, 5, 9] }, { email: "email" });
	expect(valid.map(({ row }) => row)).toEqual([2, 9]);
	expect(invalid.map(({ row, reason }) => [row, reason])).toEqual([
		[3, "No e-mail address"],
		[4, "Not an e-mail address"],
	]);
	expect(twice).toEqual([{ row: 5, what: "ADA@X.example", pointer: "/email", reason: "Duplicate of row 2" }]);
});

it("takes the address out of a cell that holds a name too", () =>
	expect(toProspect({ mail: '"Anna Keller" <anna@x.example>' }, { mail: "email" })).toEqual({
		email: "anna@x.example",
	}));

it("keeps a person whose time zone is unknown, without it", () => {
	const rows = [
		{ email: "ada@x.example", tz: "Mars/Olympus" },
		{ email: "bob@x.example", tz: "Berlin" },
	];
	const zone = (text: string) => (text === "Berlin" ? "Europe/Berlin" : null);
	const { valid, dropped } = judge({ rows, numbers: [2, 3] }, { email: "email", tz: "timezone" }, zone);
	expect(valid.map(({ input }) => input.timezone)).toEqual([undefined, "Europe/Berlin"]);
	expect(dropped).toEqual([{ row: 2, value: "Mars/Olympus" }]);
});

it("writes CSV that no spreadsheet runs", () =>
	expect(
		toCSV([
			['a"b', "=1+1"],
			[-3, null],
		]),
	).toBe('"a""b","\'=1+1"\r\n"\'-3",""'));

it("returns the rows that were left out, for correction and another import", () => {
	const sheet = {
		headers: ["Mail", "Phone"],
		rows: [
			{ Mail: "ada@x.example", Phone: "+49 1" },
			{ Mail: "bob(at)x", Phone: "+49 2" },
		],
		numbers: [2, 7],
	};
	const rows = leftOutRows([{ row: 7, what: "bob(at)x", pointer: "/email", reason: "Not an e-mail address" }], sheet);
	expect(rows).toEqual([
		["Mail", "Phone", "left out: row", "left out: field", "left out: reason"],
		["bob(at)x", "+49 2", 7, "email", "Not an e-mail address"],
	]);
	expect(guess(rows[0] as string[])).toMatchObject({
		Mail: "email",
		Phone: "phone",
		"left out: row": "",
		"left out: field": "",
		"left out: reason": "",
	});
	expect(toProspect({ Phone: "'+49 2" }, { Phone: "phone" })).toEqual({ phone: "+49 2" });
});
