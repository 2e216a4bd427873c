/** A page that was opened by the palette, as it is kept in this browser. */
export interface Recent {
	to: string;
	label: string;
	/** The group that it was found in. */
	group: string;
	detail?: string;
}

/** How many are kept. */
const MOST = 5;
const PREFIX = "outreach.recent.";

/** The pages of a workspace that were opened last, the newest first. */
export function recentOf(workspaceId: string, store: Storage = localStorage): Recent[] {
	try {
		return JSON.parse(store.getItem(PREFIX + workspaceId) ?? "[]") as Recent[];
	} catch {
		return [];
	}
}

export function keepRecent(workspaceId: string, one: Recent, store: Storage = localStorage): void {
	const others = recentOf(workspaceId, store).filter(({ to, label }) => to !== one.to || label !== one.label);
	store.setItem(PREFIX + workspaceId, JSON.stringify([one, ...others].slice(0, MOST)));
}

/** Forgets all of them, as they name people. */
export function forgetRecent(store: Storage = localStorage): void {
	for (const key of Object.keys(store)) if (key.startsWith(PREFIX)) store.removeItem(key);
}
