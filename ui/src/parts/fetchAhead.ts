type File = () => Promise<unknown>;

// Safari has no idle callback; there a moment later is good enough.
const idle: (run: () => void) => void = window.requestIdleCallback?.bind(window) ?? ((run) => setTimeout(run, 100));
/** How long after the start the rest is fetched. */
const QUIET = 3_000;

/** Resolves when nothing that one waits for is left to do. */
export const whenIdle = () =>
	new Promise<void>((resolve) => {
		idle(resolve);
	});

/**
 * Fetches the screen that is asked for at once, beside its data, and later all
 * others, one by one and only while nothing else is to do: going there then waits
 * for nothing, and works when the server is away for a moment.
 */
export function fetchAhead(path: string, pages: Record<string, File>, parts: File[]): void {
	const asked = pages[path.split("/")[1] ?? ""];
	// A page that fails to load here is loaded again when it is opened.
	const get = (file: File) => file().catch(() => undefined);
	if (asked) void get(asked);
	setTimeout(async () => {
		for (const file of [...parts, ...Object.values(pages)]) {
			await whenIdle();
			await get(file);
		}
	}, QUIET);
}
