import { useCallback } from "react";
import { useLocation, useSearchParams } from "wouter";

/** The current location: path, filters in the query, and functions to navigate. */
export function usePlace() {
	const [path, navigate] = useLocation();
	const [params, setParams] = useSearchParams();
	const query = params.toString();
	const tail = query ? `?${query}` : "";

	const filter = useCallback(
		(name: string, value: string) =>
			setParams(
				(had) => {
					const next = new URLSearchParams(had);
					if (value) next.set(name, value);
					else next.delete(name);
					return next;
				},
				{ replace: true },
			),
		[setParams],
	);

	return {
		path: path.split("/").filter(Boolean).map(decodeURIComponent),
		params,
		filter,
		tail,
		navigate,
		/** Opens details over a list: the list's filters stay, Back closes. */
		open: (to: string) => navigate(to + tail, { state: { over: true } }),
		/** Replaces the address of a drawer; Back still leads to the list. */
		swap: (to: string) => navigate(to + tail, { replace: true, state: history.state as unknown }),
		/** Closes a drawer: goes back where that leads to the list. Back never opens it again. */
		close: (to: string) => {
			if ((history.state as { over?: boolean } | null)?.over) history.back();
			else navigate(to + tail, { replace: true });
		},
	};
}
