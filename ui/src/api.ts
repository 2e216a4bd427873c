// All requests for data: operations posted to /graphql with the session cookie.
import type { TypedDocumentString } from "./gql/generated";

/** One invalid value; pointer is a JSON pointer with the REST names. */
export interface Fault {
	pointer: string;
	code: string;
	detail: string;
}

/** An error of the server, or code "offline" when it could not be reached. */
export class ApiError extends Error {
	constructor(
		message: string,
		readonly code: string,
		readonly fields: Fault[] = [],
		readonly requestId: string | null = null,
	) {
		super(message);
	}
}

interface WireError {
	message: string;
	extensions?: { code?: string; fields?: Fault[]; request_id?: string };
}
interface WireAnswer<R> {
	data?: R | null;
	errors?: WireError[];
}

type Listener = (event: "away" | "back" | "signed-out") => void;
const listeners = new Set<Listener>();

/** Calls the listener when the server goes away, comes back, or ends the session. */
export function listen(listener: Listener): () => void {
	listeners.add(listener);
	return () => {
		listeners.delete(listener);
	};
}
function tell(event: "away" | "back" | "signed-out"): void {
	for (const listener of listeners) listener(event);
}

type Asker = () => Promise<boolean>;
let askPassword: Asker = () => Promise.resolve(false);

/** Sets the function that asks for the password again; it resolves to false when the user cancels. */
export function onPasswordRequired(ask: Asker): void {
	askPassword = ask;
}

/** Runs an operation. When the server asks for the password again, it runs it once more after that. */
export async function request<R, V>(
	document: TypedDocumentString<R, V>,
	variables: V,
	signal?: AbortSignal,
): Promise<R> {
	try {
		return await once(document, variables, signal);
	} catch (error) {
		if (!(error instanceof ApiError) || error.code !== "password_required" || !(await askPassword())) throw error;
		return once(document, variables, signal);
	}
}

/** Runs a change from a page that goes away, of at most 64 kB. Whether it arrives is not known. */
export function requestLeaving<R, V>(document: TypedDocumentString<R, V>, variables: V): void {
	void fetch("/graphql", { ...sent, body: bodyOf(document, variables), keepalive: true }).catch(() => undefined);
}

const sent = {
	method: "POST",
	credentials: "same-origin",
	headers: { "Content-Type": "application/json", Accept: "application/json" },
} as const;

const bodyOf = <R, V>(document: TypedDocumentString<R, V>, variables: V) =>
	JSON.stringify({ query: document.toString(), operationName: nameOf(document), variables });

async function once<R, V>(document: TypedDocumentString<R, V>, variables: V, signal?: AbortSignal): Promise<R> {
	const answer = await post<R>(bodyOf(document, variables), signal);
	const error = answer.body.errors?.[0];
	if (error) throw refusal(error, answer.requestId);
	if (!answer.body.data) throw new ApiError("The server returned no data.", "internal", [], answer.requestId);
	return answer.body.data;
}

async function post<R>(body: string, signal?: AbortSignal) {
	let response: Response;
	try {
		response = await fetch("/graphql", { ...sent, body, signal });
	} catch (error) {
		if (signal?.aborted) throw error;
		tell("away");
		throw new ApiError("The server cannot be reached. What you typed is still here. Try again in a moment.", "offline");
	}
	const requestId = response.headers.get("X-Request-Id");
	const text = await response.text();
	try {
		const parsed = JSON.parse(text) as WireAnswer<R>;
		if (!parsed.data && !parsed.errors) throw new SyntaxError("neither data nor errors");
		tell("back");
		return { body: parsed, requestId };
	} catch {
		if (response.status >= 502 && response.status <= 504) tell("away");
		const wait =
			response.status === 429
				? "Too many requests. Wait a moment and try again."
				: `The server returned status ${response.status}. Try again in a moment.`;
		throw new ApiError(wait, response.status === 429 ? "rate_limited" : "unavailable", [], requestId);
	}
}

function refusal(error: WireError, requestId: string | null): ApiError {
	const { code = "internal", fields = [], request_id } = error.extensions ?? {};
	if (code === "unauthorized") tell("signed-out");
	return new ApiError(error.message, code, fields, request_id ?? requestId);
}

/** The name of a document's operation. All our documents have one. */
export function nameOf(document: { toString(): string }): string {
	return /(?:query|mutation) (\w+)/.exec(document.toString())?.[1] ?? "";
}
