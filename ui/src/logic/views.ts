/** A set of filters of one list, kept in this browser under a name. */
export interface View {
	name: string;
	/** The query of the address, without "?". */
	query: string;
}

const storeOf = (list: string) => `outreach.views.${list}`;

export function viewsOf(list: string, store: Storage = localStorage): View[] {
	try {
		return JSON.parse(store.getItem(storeOf(list)) ?? "[]") as View[];
	} catch {
		return [];
	}
}

/** Keeps a view; one of the same name is replaced. Returns the views by name. */
export function keepView(list: string, view: View, store: Storage = localStorage): View[] {
	const others = viewsOf(list, store).filter(({ name }) => name !== view.name);
	const views = [...others, view].sort((a, b) => a.name.localeCompare(b.name));
	store.setItem(storeOf(list), JSON.stringify(views));
	return views;
}

export function dropView(list: string, name: string, store: Storage = localStorage): View[] {
	const views = viewsOf(list, store).filter((view) => view.name !== name);
	store.setItem(storeOf(list), JSON.stringify(views));
	return views;
}
