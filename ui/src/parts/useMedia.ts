import { useCallback, useSyncExternalStore } from "react";

const known = new Map<string, MediaQueryList>();

/** The query as the browser watches it, made once: a list asks at every drawing. */
function media(query: string): MediaQueryList {
	const had = known.get(query) ?? matchMedia(query);
	known.set(query, had);
	return had;
}

export function useMedia(query: string): boolean {
	const watch = useCallback(
		(changed: () => void) => {
			media(query).addEventListener("change", changed);
			return () => media(query).removeEventListener("change", changed);
		},
		[query],
	);
	return useSyncExternalStore(watch, () => media(query).matches);
}

export const usePhone = () => useMedia("(max-width: 760px)");
