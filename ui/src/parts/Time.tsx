import { useSyncExternalStore } from "react";
import { ago, exact } from "../logic/format";

// One clock for the page: all relative times move together, every 20 seconds.
let now = Date.now();
const watchers = new Set<() => void>();
setInterval(() => {
	if (!document.hidden) {
		now = Date.now();
		for (const watch of watchers) watch();
	}
}, 20_000);
const subscribe = (watch: () => void) => {
	watchers.add(watch);
	return () => {
		watchers.delete(watch);
	};
};

const read = () => now;
export const useNow = () => useSyncExternalStore(subscribe, read, read);

/** A time in words with the exact one on hover; a dash for none. */
export function Time({ at, none = "–" }: { at: string | null | undefined; none?: string }) {
	const current = useNow();
	if (!at) return <span className="faint">{none}</span>;
	return (
		<time dateTime={at} title={exact(at)}>
			{ago(at, Math.max(current, Date.now() - 20_000))}
		</time>
	);
}
