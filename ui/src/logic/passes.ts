import { ApiError } from "../api";

const passing = ["offline", "unavailable", "rate_limited", "unauthorized"];
/** How often the same is asked again after an error of the server's own, or of ours. */
const TRIES = 3;

/** Whether it may help to ask again: what will pass is waited for however long it takes. */
export function passes(error: unknown, attempt: number): boolean {
	const code = error instanceof ApiError ? error.code : "internal";
	return passing.includes(code) || (code === "internal" && attempt < TRIES);
}
