import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { type Row, type Rows, refreshGroups, useGroups } from "../../data";
import { type MailState, MailStatusesDocument, type MailStatusFieldsFragment } from "../../gql/generated";

/** The states in which no campaign may write to a person. */
export const BARRED: MailState[] = ["suppressed", "unsubscribed", "bounced"];

/** How many prospects one request asks for, and how often. */
const GROUP = 50,
	AGAIN = 15_000;
/** How long a list has to rest before the rows on the screen are asked for. */
const REST = 250;

type Known = ReadonlyMap<string, MailStatusFieldsFragment>;

/** What was fetched of the rows in view, by prospect. A query for each row would slow scrolling down. */
let known: Known = new Map();
const watchers = new Set<() => void>();
const watch = (watcher: () => void) => {
	watchers.add(watcher);
	return () => {
		watchers.delete(watcher);
	};
};
const setKnown = (next: Known) => {
	known = next;
	for (const watcher of watchers) watcher();
};

/** Returns the mail status of a prospect in a list of useMailStatuses, once it is fetched. */
export const useMailStatus = (prospectId: string) => useSyncExternalStore(watch, () => known.get(prospectId));

/** Returns the answers for the rows in view, and for a row whose answer is on its way what was known before. */
export function knownInView(ids: string[], before: Known, answers: MailStatusFieldsFragment[]): Known {
	const fetched = new Map(answers.map((status) => [status.prospectId, status]));
	return new Map(
		ids.flatMap((id) => {
			const status = fetched.get(id) ?? before.get(id);
			return status ? [[id, status] as const] : [];
		}),
	);
}

/** Returns the ids of the rows that were shown before with other values. */
export const changedRows = (before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] =>
	[...now].filter(([id, values]) => (before.get(id) ?? values) !== values).map(([id]) => id);

/**
 * Fetches the mail statuses of the rows on the screen: every few seconds, and at once when a row
 * shows other values than before.
 */
export function useMailStatuses<N extends Row>(list: Rows<N>): Rows<N> {
	const [view, setView] = useState({ from: 0, to: GROUP });
	const rows = useMemo(() => list.rows.slice(view.from, view.to), [list.rows, view]);
	const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
	const { answers } = useGroups(MailStatusesDocument, ids, GROUP, AGAIN);
	useEffect(() => {
		const statuses = answers.flatMap(({ mailStatuses }) => mailStatuses);
		setKnown(knownInView(ids, known, statuses));
	}, [ids, answers]);
	useEffect(() => () => setKnown(new Map()), []);
	const shown = useRef<ReadonlyMap<string, string>>(new Map());
	useEffect(() => {
		const now = new Map(rows.map((row) => [row.id, JSON.stringify(row)]));
		const changed = changedRows(shown.current, now);
		shown.current = now;
		if (changed.length > 0) refreshGroups(MailStatusesDocument, changed);
	}, [rows]);
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
