export type Theme = 'system' | 'light' | 'dark';
const STORE = 'outreach.theme';

export const theme = (): Theme => (localStorage.getItem(STORE) as Theme | null) ?? 'system';

/** Sets the theme; the tokens follow the attribute, and the system without it. */
export function applyTheme(choice: Theme = theme()): void {
  if (choice === 'system') { localStorage.removeItem(STORE); delete document.documentElement.dataset.theme; }
  else { localStorage.setItem(STORE, choice); document.documentElement.dataset.theme = choice; }
  window.dispatchEvent(new Event('themechange'));
}
