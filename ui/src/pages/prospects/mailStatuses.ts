import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type Row, type Rows, useGroups } from "../../data";
import { MailStatusesDocument, type MailStatusFieldsFragment } from "../../gql/generated";

/** How many prospects one request asks for, and how often. */
const GROUP = 50,
	AGAIN = 15_000;
/** How long a list has to rest before the rows on the screen are asked for. */
const REST = 250;

/** What was fetched, by prospect. A query for each row would slow scrolling down. */
const known = new Map<string, MailStatusFieldsFragment>();
const watchers = new Set<() => void>();
const watch = (watcher: () => void) => {
	watchers.add(watcher);
	return () => {
		watchers.delete(watcher);
	};
};

/** Returns the mail status of a prospect in a list of useMailStatuses, once it is fetched. */
export const useMailStatus = (prospectId: string) => useSyncExternalStore(watch, () => known.get(prospectId));

/** Fetches the mail statuses of the rows on the screen. */
export function useMailStatuses<N extends Row>(list: Rows<N>): Rows<N> {
	const [view, setView] = useState({ from: 0, to: GROUP });
	const ids = list.rows.slice(view.from, view.to).map(({ id }) => id);
	const { answers } = useGroups(MailStatusesDocument, ids, GROUP, AGAIN);
	useEffect(() => {
		for (const status of answers.flatMap((answer) => answer.mailStatuses)) known.set(status.prospectId, status);
		for (const watcher of watchers) watcher();
	}, [answers]);
	const timer = useRef<number>(undefined);
	useEffect(() => () => window.clearTimeout(timer.current), []);
	const { look: tell } = list;
	const look = useCallback(
		(first: number, last: number) => {
			tell(first, last);
			const from = Math.floor(first / GROUP) * GROUP,
				to = Math.ceil((last + 1) / GROUP) * GROUP;
			window.clearTimeout(timer.current);
			timer.current = window.setTimeout(
				() => setView((had) => (had.from === from && had.to === to ? had : { from, to })),
				REST,
			);
		},
		[tell],
	);
	return { ...list, look };
}
