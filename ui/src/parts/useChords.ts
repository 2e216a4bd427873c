import { useEffect, useRef } from "react";
import { places } from "./places";
import { mayHear } from "./useKeys";

/** How long after "g" the second key may come. */
const WITHIN = 1_500;
const targets: Record<string, string> = {
	...Object.fromEntries(places.map(({ after, to }) => [after, to])),
	t: "/settings",
};

/** "g" and a second key go to a place: "g i" to the inbox. */
export function useChords(go: (to: string) => void): void {
	const begun = useRef(0);
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (!mayHear(event)) return;
			const waiting = Date.now() - begun.current < WITHIN;
			begun.current = !waiting && event.key === "g" ? Date.now() : 0;
			const to = waiting ? targets[event.key] : undefined;
			if (to === undefined) return;
			// Before the lists hear it: "g p" is not the inbox's "p".
			event.preventDefault();
			event.stopImmediatePropagation();
			go(to);
		};
		document.addEventListener("keydown", onKey, true);
		return () => document.removeEventListener("keydown", onKey, true);
	}, [go]);
}
