import { useSyncExternalStore } from "react";

export const densities = ["comfortable", "compact"] as const;
export type Density = (typeof densities)[number];
const STORE = "outreach.density";
const CHANGED = "densitychange";

const density = (): Density => (localStorage.getItem(STORE) === "compact" ? "compact" : "comfortable");

/** Chooses how high the rows of lists are in this browser. */
export function setDensity(choice: Density): void {
	localStorage.setItem(STORE, choice);
	window.dispatchEvent(new Event(CHANGED));
}

const watch = (changed: () => void) => {
	window.addEventListener(CHANGED, changed);
	return () => window.removeEventListener(CHANGED, changed);
};
export const useDensity = () => useSyncExternalStore(watch, density);
