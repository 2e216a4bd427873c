/** The time zones that this browser knows, with UTC first. */
export function timezones(): string[] {
	const known = Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC");
	return ["UTC", ...known];
}

/** Reads a time zone as people write it ("europe/paris", "Berlin"): the name that the server knows, or null. */
export function timezoneReader(zones = timezones()): (text: string) => string | null {
	const byName = new Map(zones.map((zone) => [plain(zone), zone]));
	const byCity = new Map<string, string | null>();
	for (const zone of zones) {
		const city = plain(zone.split("/").at(-1) ?? "");
		byCity.set(city, byCity.has(city) ? null : zone); // null: several have that name
	}
	return (text) => byName.get(plain(text)) ?? byCity.get(plain(text)) ?? other(text);
}

const plain = (text: string) =>
	text
		.trim()
		.toLowerCase()
		.replaceAll(/[\s-]+/g, "_");

/** Older names, which browsers accept without listing them; offsets and abbreviations name no place. */
function other(text: string): string | null {
	if (!/^[A-Za-z_]+\/[A-Za-z_/+-]+$/.test(text.trim())) return null;
	try {
		new Intl.DateTimeFormat("en", { timeZone: text.trim() });
		return text.trim();
	} catch {
		return null;
	}
}
