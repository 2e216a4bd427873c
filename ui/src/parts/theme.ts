export type Theme = "system" | "light" | "dark";
const STORE = "outreach.theme";

export const theme = (): Theme => (localStorage.getItem(STORE) as Theme | null) ?? "system";

/** Chooses a theme for this browser. */
export function setTheme(choice: Theme): void {
	if (choice === "system") localStorage.removeItem(STORE);
	else localStorage.setItem(STORE, choice);
	applyTheme(choice);
}

/** Shows a theme; the tokens follow the attribute, and the system without it. */
export function applyTheme(choice: Theme = theme()): void {
	if (choice === "system") delete document.documentElement.dataset.theme;
	else document.documentElement.dataset.theme = choice;
	window.dispatchEvent(new Event("themechange"));
}
