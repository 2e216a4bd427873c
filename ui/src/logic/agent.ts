/** Parts of a User-Agent with their names, the more special first: Edge calls itself Chrome too, and Chrome Safari. */
const browsers: [RegExp, string][] = [
	[/\bEdgA?\//, "Edge"],
	[/\bOPR\//, "Opera"],
	[/\b(Firefox|FxiOS)\//, "Firefox"],
	[/(Chrome|CriOS)\//, "Chrome"],
	[/\bSafari\//, "Safari"],
];
const systems: [RegExp, string][] = [
	[/\bWindows\b/, "Windows"],
	[/\bAndroid\b/, "Android"],
	[/\b(iPhone|iPad)\b/, "iOS"],
	[/\bMac OS X\b/, "macOS"],
	[/\bCrOS\b/, "ChromeOS"],
	[/\bLinux\b/, "Linux"],
];

/** "Chrome on Linux" of a User-Agent (RFC 9110, 10.1.5); the text itself if its browser is unknown. */
export function browserOf(agent: string): string {
	const named = (names: [RegExp, string][]) => names.find(([part]) => part.test(agent))?.[1];
	const browser = named(browsers),
		system = named(systems);
	return browser && system ? `${browser} on ${system}` : (browser ?? agent);
}
