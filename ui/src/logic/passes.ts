import { ApiError } from "../api";

const passing = ["offline", "unavailable", "rate_limited", "unauthorized"];
/** How often a request is repeated after an internal error of the server or of this page. */
const TRIES = 3;

/** Whether another try may help. Temporary errors are retried without limit. */
export function passes(error: unknown, attempt: number): boolean {
	const code = error instanceof ApiError ? error.code : "internal";
	return passing.includes(code) || (code === "internal" && attempt < TRIES);
}
