import type { ProspectInput } from "../gql/generated";
import type { Sheet } from "./importer";
import type { Refused } from "./work";

/** A cell in the form that spreadsheets read: quoted, and not as a formula. */
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
/** What columns are called, in the languages of Europe; compared without accents, case and signs. */
const names: Record<Target, string> = {
	email:
		"email emailaddress emailadresse mail mailaddress mailadresse courriel adresseemail adressemail " +
		"adresselectronique correo correoelectronico direccioncorreo indirizzoemail postaelettronica " +
		"enderecoemail correioeletronico emailadres epost epostadress epostadresse sahkoposti adresemail " +
		"workemail contactemail",
	firstName:
		"firstname first givenname forename prenom vorname rufname nombre nome primonome primeironome voornaam fornamn fornavn etunimi imie",
	lastName:
		"lastname last surname familyname nom nomdefamille nachname familienname apellido apellidos cognome " +
		"sobrenome apelido achternaam efternamn etternavn efternavn sukunimi nazwisko",
	companyName:
		"company companyname organization organisation account accountname employer societe entreprise firma " +
		"firmenname unternehmen empresa compania azienda societa bedrijf bedrijfsnaam foretag bedrift " +
		"virksomhed yritys spolka",
	jobTitle:
		"jobtitle title position role job poste fonction titre stelle rolle funktion berufsbezeichnung cargo " +
		"puesto ruolo posizione mansione funcao functie befattning stilling titteli stanowisko",
	phone:
		"phone phonenumber mobile mobilephone tel telephone cell telefon telefonnummer handy mobil " +
		"mobiltelefon portable mobiltelefonnummer telefono movil celular cellulare telefone telefoon puhelin " +
		"numertelefonu",
	website:
		"website web url domain homepage webseite webadresse internetseite siteweb site sitio sitioweb " +
		"paginaweb sitointernet hemsida nettside hjemmeside stronawww",
	linkedinUrl: "linkedin linkedinurl linkedinprofile linkedinprofil profillinkedin perfillinkedin",
	timezone:
		"timezone tz zeitzone fuseauhoraire fuseau zonahoraria husohorario fusoorario fusohorario tijdzone " +
		"tidszon tidssone tidszone aikavyohyke strefaczasowa",
};

/** What the cells of a column look like. */
const looks: [Target, RegExp][] = [
	["email", /^(?:[^<>]*<)?[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+>?$/],
	["linkedinUrl", /^(https?:\/\/)?([a-z]{2,3}\.)?linkedin\.com\//i],
	["website", /^(https?:\/\/|www\.)[^\s@]+\.[^\s@]+$/i],
	["timezone", /^(Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[A-Za-z_/-]+$/],
	["phone", /^(?=(?:\D*\d){7,15}\D*$)[+(]?[\d\s()./-]{7,}$/],
];
/** How many cells of a column are looked at, and the share that has to agree. */
const LOOKED_AT = 50;
const MOST_OF = 0.8;

/** A column's name as the name of a custom field: "Team Size" as "team_size". */
export const plainName = (header: string) =>
	header
		.trim()
		.toLowerCase()
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.replace(/[\s.-]+/g, "_")
		.replace(/\W/g, "");

/** The prefix of the columns that say why a row was left out. An import of the corrected file ignores them. */
const WHY = "left out: ";

/** The rows that were left out, as they are in the file, each with its reason, for correction and another import. */
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

const bare = (header: string) => plainName(header).replaceAll("_", "");

/** The meaning of a column by its name, else by most of its cells. */
function targetOf(header: string, cells: string[]): Target | undefined {
	const plain = bare(header);
	const named = (Object.keys(names) as Target[]).find((target) => names[target].split(" ").includes(plain));
	if (named) return named;
	const filled = cells.map((cell) => cell.trim()).filter(Boolean);
	return looks.find(
		([, like]) => filled.length > 0 && filled.filter((cell) => like.test(cell)).length >= filled.length * MOST_OF,
	)?.[0];
}

/** Guesses the meaning of the columns. Each field is used once, by name before by content, and the others become custom fields. */
export function guess(headers: string[], rows: Record<string, string>[] = []): Mapping {
	const taken = new Map<Target, string>();
	const offer = (header: string, target: Target | undefined) => {
		if (target && !taken.has(target) && ![...taken.values()].includes(header)) taken.set(target, header);
	};
	const own = headers.filter((header) => !header.startsWith(WHY));
	for (const header of own) offer(header, targetOf(header, []));
	for (const header of own)
		offer(
			header,
			targetOf(
				header,
				rows.slice(0, LOOKED_AT).map((row) => row[header] ?? ""),
			),
		);
	const targetBy = new Map([...taken].map(([target, header]) => [header, target]));
	return Object.fromEntries(
		headers.map((header) => {
			const plain = plainName(header);
			if (header.startsWith(WHY)) return [header, ""];
			return [header, targetBy.get(header) ?? (plain ? (`custom:${plain}` as const) : "")];
		}),
	);
}

/** The address in a cell such as "Anna Keller <anna@example.com>". */
const addressOf = (cell: string) => /<([^<>\s]+@[^<>\s]+)>/.exec(cell)?.[1] ?? cell;

export function toProspect(row: Record<string, string>, mapping: Mapping): ProspectInput {
	const input: ProspectInput = {};
	const custom: Record<string, string> = {};
	for (const [header, target] of Object.entries(mapping)) {
		const value = row[header]?.trim().replace(/^'(?=[=+\-@])/, ""); // as cell() writes it
		if (!value || !target) continue;
		if (target.startsWith("custom:")) custom[target.slice(7)] = value;
		else input[target as Target] = target === "email" ? addressOf(value) : value;
	}
	if (Object.keys(custom).length > 0) input.customFields = custom;
	return input;
}

export interface Judged {
	valid: { row: number; input: ProspectInput }[];
	invalid: Refused[];
	twice: Refused[];
	/** Empty values are left out, because the server would refuse the whole prospect. */
	dropped: { row: number; value: string }[];
}

/** Separates rows before they are sent: those without a usable address, and duplicates. */
export function judge(
	{ rows, numbers }: Pick<Sheet, "rows" | "numbers">,
	mapping: Mapping,
	zone: (text: string) => string | null = (text) => text,
): Judged {
	const seen = new Map<string, number>();
	const result: Judged = { valid: [], invalid: [], twice: [], dropped: [] };
	rows.forEach((values, at) => {
		const row = numbers[at] ?? at + 2;
		const input = toProspect(values, mapping);
		const what = input.email ?? "";
		const key = what.toLowerCase();
		const first = seen.get(key);
		const refuse = (list: Refused[], reason: string) => list.push({ row, what, pointer: "/email", reason });
		if (!what) refuse(result.invalid, "No e-mail address");
		else if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(what)) refuse(result.invalid, "Not an e-mail address");
		else if (first !== undefined) refuse(result.twice, `Duplicate of row ${first}`);
		else {
			seen.set(key, row);
			if (input.timezone) {
				const known = zone(input.timezone);
				if (!known) result.dropped.push({ row, value: input.timezone });
				input.timezone = known ?? undefined;
			}
			result.valid.push({ row, input });
		}
	});
	return result;
}
