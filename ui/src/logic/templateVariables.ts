/** The variables that every prospect may have, as in templates, each with a value for a preview without a prospect. */
export const SAMPLES: Record<string, string> = {
	first_name: "Anna",
	last_name: "Keller",
	email: "anna.keller@example.com",
	company_name: "Example Ltd",
	job_title: "Head of Sales",
	phone: "+49 30 1234567",
	website: "www.example.com",
	linkedin_url: "linkedin.com/in/anna-keller",
	timezone: "Europe/Berlin",
};
export const VARIABLES = Object.keys(SAMPLES);

/** Variables that every message has. */
const ALWAYS = ["unsubscribe_url", "mailbox.email", "mailbox.display_name"];

export interface Printed {
	name: string;
	/** Whether the template says what to print without a value. */
	fallback: boolean;
}

/** The variables that a template prints outside of conditions, without those that it assigns. */
export function printed(template: string): Printed[] {
	const own = new Set([...template.matchAll(/\{%-?\s*(?:assign|capture|for)\s+(\w+)/g)].map((match) => match[1]));
	const outside = template.replaceAll(/\{%-?\s*(if|unless|case)\b[\s\S]*?\{%-?\s*end\1\s*-?%\}/g, "");
	return [...outside.matchAll(/\{\{-?\s*([A-Za-z_][\w.]*)([^}]*)\}\}/g)]
		.map(([, name = "", filters = ""]) => ({ name, fallback: /\|\s*default\b/.test(filters) }))
		.filter(({ name }) => !own.has(name.split(".")[0]));
}

/** A person's values by the names that templates use. */
export type Values = Record<string, unknown>;
export function valuesOf({
	customFields,
	...fields
}: {
	customFields?: Record<string, unknown> | null;
	[field: string]: unknown;
}): Values {
	const snake = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
	return Object.fromEntries([
		...Object.entries(fields).map(([key, value]) => [snake(key), value]),
		...Object.entries(customFields ?? {}).map(([key, value]) => [`custom_fields.${key}`, value]),
	]);
}

const CUSTOM = "custom_fields.";

/** The values that a mail can print, by short names, those of custom fields last. */
export const printable = (values: Values): [name: string, value: string][] =>
	[...VARIABLES, ...Object.keys(values).filter((name) => name.startsWith(CUSTOM))]
		.filter((name) => !isBlank(values[name]))
		.map((name) => [name.replace(CUSTOM, ""), String(values[name])]);

export const isBlank = (value: unknown) => value === null || value === undefined || String(value).trim() === "";

/** The variables without a value for a prospect and without a fallback in the templates: the prospect would be held. */
export function lacking(templates: string[], values: Values): string[] {
	const needed = templates.flatMap(printed).filter(({ name, fallback }) => !fallback && !ALWAYS.includes(name));
	return [...new Set(needed.map(({ name }) => name))].filter((name) => isBlank(values[name]));
}

export interface Unknown {
	name: string;
	/** The existing variable with the most similar name. */
	nearest: string | null;
}

/** The variables that no prospect can have, each with the nearest that exists. Names of custom fields are free. */
export function unknown(templates: string[], custom: string[] = []): Unknown[] {
	const known = [...VARIABLES, ...ALWAYS, ...custom.map((key) => `custom_fields.${key}`)];
	const names = new Set(templates.flatMap(printed).map(({ name }) => name));
	return [...names]
		.filter((name) => !known.includes(name) && !/^custom_fields\.\w/.test(name))
		.map((name) => ({ name, nearest: nearest(name, known) }));
}

/** The name that takes the fewest changes, three at most. */
function nearest(name: string, known: string[]): string | null {
	const [best] = known
		.map((other) => ({ other, changes: changesBetween(name.toLowerCase(), other) }))
		.sort((a, b) => a.changes - b.changes);
	return best && best.changes <= 3 ? best.other : null;
}

/** How many letters must be inserted, removed or replaced (Levenshtein). */
function changesBetween(a: string, b: string): number {
	let row = [...Array(b.length + 1).keys()];
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const same = a[i - 1] === b[j - 1] ? 0 : 1;
			next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + same));
		}
		row = next;
	}
	return row[b.length] ?? 0;
}

/** Returns a template filled with sample values, for a workspace without prospects. */
export function sampleOf(template: string): string {
	return template
		.replaceAll(/\{%[^%]*%\}/g, "")
		.replaceAll(/\{\{-?\s*([\w.]+)([^}]*)\}\}/g, (_, name: string, filters: string) => {
			const fallback = /\|\s*default:\s*["']([^"']*)["']/.exec(filters)?.[1];
			return SAMPLES[name] ?? fallback ?? `[${name.replace("custom_fields.", "")}]`;
		});
}
