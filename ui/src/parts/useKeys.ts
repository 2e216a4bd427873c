import { useEffect, useRef } from "react";

/** How a key with the modifier of shortcuts is written on this machine. */
export const chord = (key: string) => (/Mac|iPhone|iPad/.test(navigator.platform) ? `⌘ ${key}` : `Ctrl ${key}`);

const STORE = "outreach.keys";
export const keysOn = () => localStorage.getItem(STORE) !== "off";
export const setKeysOn = (on: boolean) => localStorage.setItem(STORE, on ? "on" : "off");

/** Whether a key is a shortcut now: not while a person types, a dialog is open, or a modifier is held, nor when shortcuts are off. */
export function mayHear(event: KeyboardEvent): boolean {
	if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !keysOn()) return false;
	const target = event.target as HTMLElement;
	const typing = target.closest("input, textarea, select, [contenteditable], .composer");
	if (typing && !target.matches("[type=checkbox], [type=radio]")) return false;
	return !document.querySelector('[role="dialog"], [role="alertdialog"]');
}

/**
 * Single-key shortcuts: off while the user types, while a dialog is open, with
 * a modifier held, and when switched off in the list of keys (WCAG 2.1.4).
 */
export function useKeys(keys: Record<string, (event: KeyboardEvent) => void>): void {
	const latest = useRef(keys);
	useEffect(() => {
		latest.current = keys;
	});
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (!mayHear(event)) return;
			const act = latest.current[event.key];
			if (act) {
				event.preventDefault();
				act(event);
			}
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	}, []);
}
