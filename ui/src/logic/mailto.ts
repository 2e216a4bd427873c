/** Returns the mailto link that opens the user's mail program to answer a reply. */
export function mailto({ from, subject }: { from: string; subject?: string | null }): string {
	const about = subject?.trim() ?? "";
	const answer = about === "" || /^(re|aw|sv|rif|odp)\s*:/i.test(about) ? about : `Re: ${about}`;
	return `mailto:${encodeURIComponent(from).replaceAll("%40", "@")}${answer ? `?subject=${encodeURIComponent(answer)}` : ""}`;
}
