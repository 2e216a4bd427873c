// Runs before the application is loaded: requests the data of the first screen in one
// request, and sets the theme while the answer is on its way. It stays small:
// nothing is imported here that is not needed to ask.
import { FIRST } from "./gql/first";
import type { FirstQuery } from "./gql/generated";
import { applyTheme } from "./parts/theme";

/** How many days the overview shows at first: four whole weeks. */
export const DAYS = 28;

/** The answer; null without a session; undefined after a failure, in which case the screens fetch by themselves and show the error. */
export const first: Promise<Partial<FirstQuery> | null | undefined> = ask().catch(() => undefined);
applyTheme();

async function ask(): Promise<Partial<FirstQuery> | null | undefined> {
	const variables = { days: DAYS, overview: location.pathname === "/" };
	const response = await fetch("/graphql", {
		method: "POST",
		credentials: "same-origin",
		headers: { "Content-Type": "application/json", Accept: "application/json" },
		body: JSON.stringify({ query: FIRST, operationName: "First", variables }),
	});
	const { data, errors } = (await response.json()) as {
		data?: Partial<FirstQuery> | null;
		errors?: { extensions?: { code?: string } }[];
	};
	return errors?.[0]?.extensions?.code === "unauthorized" ? null : (data ?? undefined);
}
