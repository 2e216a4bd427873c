import type { ProspectInput } from "../gql/generated";
import type { Sheet } from "./importer";
import type { Refused } from "./work";

/** A cell as a spreadsheet reads it back: quoted, and never taken for a formula. */
function cell(value: unknown): string {
	const text = String(value ?? "");
	const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
	return `"${safe.replaceAll('"', '""')}"`;
}
export const toCSV = (rows: unknown[][]): string => rows.map((row) => row.map(cell).join(",")).join("\r\n");

export function download(name: string, text: string): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(new Blob([`\uFEFF${text}`], { type: "text/csv;charset=utf-8" }));
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export type Target =
	| "email"
	| "firstName"
	| "lastName"
	| "companyName"
	| "jobTitle"
	| "phone"
	| "website"
	| "linkedinUrl"
	| "timezone";
/** What a column becomes: a field, a custom field ("custom:Size"), or nothing. */
export type Mapping = Record<string, Target | `custom:${string}` | "">;

export const targets: Record<Target, string> = {
	email: "E-mail",
	firstName: "First name",
	lastName: "Last name",
	companyName: "Company",
	jobTitle: "Job title",
	phone: "Phone",
	website: "Website",
	linkedinUrl: "LinkedIn",
	timezone: "Time zone",
};
const hints: [Target, RegExp][] = [
	["email", /^(e_?mail(_?address)?|mail|courriel)$/],
	["firstName", /^(first_?name|given_?name|prenom|vorname)$/],
	["lastName", /^(last_?name|surname|family_?name|nom|nachname)$/],
	["companyName", /^(company(_?name)?|organi[sz]ation|account|societe|firma)$/],
	["jobTitle", /^(job_?title|title|position|role)$/],
	["phone", /^(phone(_?number)?|mobile|tel(ephone)?)$/],
	["linkedinUrl", /^linkedin(_?(url|profile))?$/],
	["website", /^(web_?site|url|domain)$/],
	["timezone", /^(time_?zone|tz)$/],
];

/** A column's name as the name of a custom field: "Team Size" as "team_size". */
export const plainName = (header: string) =>
	header
		.trim()
		.toLowerCase()
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.replace(/[\s.-]+/g, "_")
		.replace(/\W/g, "");

/** Begins the names of the columns that say why a row was left out; who mends such a file and imports it again leaves them out. */
const WHY = "left out: ";

/** The rows that were left out as they stand in the file, with the reason of each: to be mended and imported again. */
export function leftOutRows(
	refused: Refused[],
	{ headers, rows, numbers }: Pick<Sheet, "headers" | "rows" | "numbers">,
): unknown[][] {
	const own = headers.filter((header) => !header.startsWith(WHY));
	const at = new Map(numbers.map((number, n) => [number, rows[n]]));
	return [
		[...own, ...["row", "field", "reason"].map((name) => WHY + name)],
		...refused.map(({ row, pointer, reason }) => [
			...own.map((header) => at.get(row ?? 0)?.[header]),
			row,
			pointer.replace(/^\//, ""),
			reason,
		]),
	];
}

/** Guesses the columns by their names; each field is given once, the rest become custom fields. */
export function guess(headers: string[]): Mapping {
	const taken = new Set<Target>();
	return Object.fromEntries(
		headers.map((header) => {
			if (header.startsWith(WHY)) return [header, ""];
			const plain = plainName(header);
			const hit = hints.find(([target, like]) => !taken.has(target) && like.test(plain))?.[0];
			if (hit) taken.add(hit);
			return [header, hit ?? (plain ? (`custom:${plain}` as const) : "")];
		}),
	);
}

export function toProspect(row: Record<string, string>, mapping: Mapping): ProspectInput {
	const input: ProspectInput = {};
	const custom: Record<string, string> = {};
	for (const [header, target] of Object.entries(mapping)) {
		const value = row[header]?.trim().replace(/^'(?=[=+\-@])/, ""); // as cell() writes it
		if (!value || !target) continue;
		if (target.startsWith("custom:")) custom[target.slice(7)] = value;
		else input[target as Target] = value;
	}
	if (Object.keys(custom).length > 0) input.customFields = custom;
	return input;
}

export interface Judged {
	valid: { row: number; input: ProspectInput }[];
	invalid: Refused[];
	twice: Refused[];
}

/** Sorts rows before anything is sent: those with no usable address, those that come twice in the file. */
export function judge({ rows, numbers }: Pick<Sheet, "rows" | "numbers">, mapping: Mapping): Judged {
	const seen = new Map<string, number>();
	const result: Judged = { valid: [], invalid: [], twice: [] };
	rows.forEach((values, at) => {
		const row = numbers[at] ?? at + 2;
		const input = toProspect(values, mapping);
		const what = input.email ?? "";
		const key = what.toLowerCase();
		const first = seen.get(key);
		const refuse = (list: Refused[], reason: string) => list.push({ row, what, pointer: "/email", reason });
		if (!what) refuse(result.invalid, "No e-mail address.");
		else if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(what)) refuse(result.invalid, "Not an e-mail address.");
		else if (first !== undefined) refuse(result.twice, `The same address stands in row ${first}.`);
		else {
			seen.set(key, row);
			result.valid.push({ row, input });
		}
	});
	return result;
}
