import { count, plural } from "./format";

/** What came of looking for the servers of a mailbox, in one line. */
export function triedText(tried: { failure?: string | null }[]): string {
	const answered = tried.filter(({ failure }) => !failure).length;
	return `Tried ${plural(tried.length, "server")}; ${answered === 0 ? "none" : count(answered)} answered.`;
}
