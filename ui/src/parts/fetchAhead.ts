type File = () => Promise<unknown>;

// Safari has no idle callback; there a moment later is good enough.
const idle: (run: () => void) => void = window.requestIdleCallback?.bind(window) ?? ((run) => setTimeout(run, 100));
/** How long after the start the rest is fetched. */
const QUIET = 3_000;

/** Resolves when the browser is idle. */
const whenIdle = () =>
	new Promise<void>((resolve) => {
		idle(resolve);
	});

/**
 * Loads the requested screen at once, together with its data, and later all
 * others, one by one while the browser is idle. Navigation then does not wait
 * and works while the server is unavailable for a moment.
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
