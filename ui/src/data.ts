// Hooks over api.ts: one record, a list that grows by cursor, a change.
import {
	type InfiniteData,
	QueryClient,
	useInfiniteQuery,
	useMutation,
	useQueries,
	useQuery,
	useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { type ApiError, nameOf, request } from "./api";
import type { TypedDocumentString } from "./gql/generated";
import { findAll } from "./logic/findAll";
import { inView, mergePage, type Page } from "./logic/mergePage";

/** How often visible data is refetched; never while the tab is hidden. */
export const LIVE = 5_000;

/** How often data of the stream of news is refetched while the stream is open. */
const FED = 15_000;

/** Whether the stream of news is open in any tab. */
let fed = false;

/** The operations that are refetched when a reply was added or changed. */
const newsworthy = new Set([
	"Replies",
	"Reply",
	"OpenReplies",
	"Waiting",
	"WaitingAnswers",
	"Messages",
	"Overview",
	"Attention",
	"MailStatuses",
]);

/** The operations whose answers also follow from a reply. They are refetched at the same pace as any other. */
const following = new Set(["Enrollments", "EnrollmentCounts", "CampaignStats", "MailStatus", "Prospect"]);

/** Records whether the stream of news is open. */
export function setFed(on: boolean): void {
	fed = on;
}

/** How long news are collected before data is refetched. */
const GATHER = 150;

let gathering = false;

/** How many changes of this page are in progress. A refetch in between would show the state before them. */
let flying = 0;

/** Counts a change that begins (1) or ends (-1), and returns how many are left. */
export const fly = (by: 1 | -1) => (flying += by);

/** Handles the news that a reply was added or changed. */
export function refreshNews(): void {
	if (gathering) return;
	gathering = true;
	setTimeout(() => {
		gathering = false;
		if (flying > 0) return; // the last of them refetches everything
		void client.invalidateQueries({
			predicate: ({ queryKey: [kind, name] }) =>
				(kind === "one" || kind === "fresh") && (newsworthy.has(String(name)) || following.has(String(name))),
		});
		refreshWhole("Enrollments");
	}, GATHER);
}

/** Handles the news that a user began or stopped to write an answer to these replies, "*" for any. */
export function refreshWriters(replyIds: string[]): void {
	void client.invalidateQueries({
		predicate: ({ queryKey: [kind, name, variables] }) =>
			kind === "one" &&
			name === "Writers" &&
			(replyIds.includes("*") || replyIds.includes((variables as { replyId: string }).replyId)),
	});
}

/** How often an operation is refetched. */
const pace = (name: string, live: number | false) => (live === LIVE && fed && newsworthy.has(name) ? FED : live);

export const client = new QueryClient({
	defaultOptions: {
		// "always": navigator.onLine does not show whether a server on this machine is available.
		queries: { networkMode: "always", retry: false, staleTime: 2_000, gcTime: 10 * 60_000 },
		mutations: { networkMode: "always", retry: false },
	},
});

/** Reports whether the request may succeed later by itself. */
const isAway = (error: ApiError | null) => error?.code === "offline" || error?.code === "unavailable";

interface Options {
	live?: number | false;
	enabled?: boolean;
	keep?: boolean;
}

/** Stores an answer that was fetched elsewhere. */
export function remember<R, V>(document: TypedDocumentString<R, V>, variables: V, data: R): void {
	client.setQueryData(["one", nameOf(document), variables], data);
}

/** Fetches one record, and again every few seconds while the page is visible. */
export function useOne<R, V>(
	document: TypedDocumentString<R, V>,
	variables: V,
	{ live = LIVE, enabled = true, keep = false }: Options = {},
) {
	return useQuery<R, ApiError>({
		queryKey: ["one", nameOf(document), variables],
		queryFn: ({ signal }) => request(document, variables, signal),
		refetchInterval: ({ state }) => (isAway(state.error) ? LIVE : pace(nameOf(document), live)),
		enabled,
		placeholderData: keep ? (before) => before : undefined,
	});
}

/** Fetches the same for many ids, some in each request. whole reports whether all requests are answered. */
export function useGroups<R>(
	document: TypedDocumentString<R, { ids: string[] }>,
	ids: string[],
	size: number,
	live: number,
): { answers: R[]; whole: boolean } {
	const groups = Array.from({ length: Math.ceil(ids.length / size) }, (_, n) => ({
		ids: ids.slice(n * size, (n + 1) * size),
	}));
	return useQueries({
		queries: groups.map((variables) => ({
			queryKey: ["one", nameOf(document), variables],
			queryFn: ({ signal }: { signal: AbortSignal }) => request(document, variables, signal),
			refetchInterval: live,
		})),
		combine: (all) => ({
			answers: all.flatMap(({ data }) => (data ? [data] : [])),
			whole: all.every(({ data }) => data),
		}),
	});
}

/** Refetches the groups of useGroups that hold some of the ids. */
export function refreshGroups<R>(document: TypedDocumentString<R, { ids: string[] }>, ids: string[]): void {
	const operation = nameOf(document);
	void client.invalidateQueries({
		predicate: ({ queryKey: [kind, name, variables] }) =>
			kind === "one" && name === operation && (variables as { ids: string[] }).ids.some((id) => ids.includes(id)),
	});
}

/** Reads a whole list, up to a number of rows, for counting and searching in the browser. Without live it is kept for a minute. */
export function useAll<R, V extends PageVariables, N extends Row>(
	document: TypedDocumentString<R, V>,
	pick: (data: R) => Page<N>,
	variables: Omit<V, "first" | "after">,
	{ most = 1_000, enabled = true, live = false }: Options & { most?: number } = {},
) {
	return useQuery<N[], ApiError>({
		queryKey: ["all", nameOf(document), variables],
		queryFn: ({ signal }) =>
			findAll(
				async (after, stop) => pick(await request(document, { ...variables, first: 100, after } as unknown as V, stop)),
				() => undefined,
				signal,
				{ most },
			),
		staleTime: live === false ? 60_000 : 2_000,
		refetchInterval: ({ state }) => (isAway(state.error) ? LIVE : live),
		enabled,
	});
}

interface PageVariables {
	first: number;
	after?: string | null;
}
export interface Row {
	id: string;
}

/** The state of a list that a screen shows. */
export interface Rows<N> {
	rows: N[];
	loading: boolean;
	error: ApiError | null;
	more: boolean;
	fetchingMore: boolean;
	fetchMore: () => void;
	/** Sets which rows are on the screen; their pages are refetched. */
	look: (first: number, last: number) => void;
	retry: () => void;
}

/**
 * A list in pages by keyset cursor. The first page and those on the screen are
 * refetched and merged in; the others stay as they were read, so the position
 * of the reader is kept.
 */
export function useRows<R, V extends PageVariables, N extends Row>(
	document: TypedDocumentString<R, V>,
	pick: (data: R) => Page<N>,
	variables: Omit<V, "first" | "after">,
	{ live = LIVE, enabled = true, size = 100 }: Options & { size?: number } = {},
): Rows<N> {
	const store = useQueryClient();
	const name = nameOf(document);
	const filters = JSON.stringify(variables);
	const key = useMemo(() => ["pages", name, filters, size], [name, filters, size]);
	const ask = async (after: string | null, signal: AbortSignal) =>
		pick(await request(document, { ...variables, first: size, after } as unknown as V, signal));

	const pages = useInfiniteQuery<Page<N>, ApiError, InfiniteData<Page<N>, string | null>, typeof key, string | null>({
		queryKey: key,
		initialPageParam: null,
		enabled,
		queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
		getNextPageParam: (last) => last.nextCursor ?? undefined,
		staleTime: Infinity,
		structuralSharing: false,
		refetchInterval: ({ state }) => (state.data === undefined && isAway(state.error) ? LIVE : false),
	});
	const view = useRef([0, 0] as [number, number]);
	const look = useCallback((first: number, last: number) => {
		view.current = [first, last];
	}, []);
	const fresh = useQuery<{ after: string | null; page: Page<N> }[], ApiError>({
		queryKey: ["fresh", ...key.slice(1)],
		queryFn: ({ signal }) => {
			const cursors = inView(store.getQueryData<InfiniteData<Page<N>, string | null>>(key), ...view.current);
			return Promise.all(cursors.map(async (after) => ({ after, page: await ask(after, signal) })));
		},
		refetchInterval: () => pace(name, live),
		enabled: enabled && pages.isSuccess,
	});
	useEffect(() => {
		store.setQueryData<InfiniteData<Page<N>, string | null>>(
			key,
			(old) => old && fresh.data?.reduce((had, { after, page }) => mergePage(had, after, page, size), old),
		);
	}, [fresh.data, key, size, store]);

	const rows = useMemo(() => (pages.data ? pages.data.pages.flatMap((page) => page.nodes) : []), [pages.data]);
	return {
		rows,
		loading: pages.isPending,
		error: pages.error ?? null,
		more: pages.hasNextPage,
		fetchingMore: pages.isFetchingNextPage,
		fetchMore: () => {
			if (pages.hasNextPage && !pages.isFetchingNextPage) void pages.fetchNextPage();
		},
		look,
		retry: () => void (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch()),
	};
}

/** Replaces a row in every list that shows it. */
export function patchRow(node: Row & object): void {
	client.setQueriesData<InfiniteData<Page<Row>, string | null>>({ queryKey: ["pages"] }, (old) => {
		if (!old?.pages.some((page) => page.nodes.some(({ id }) => id === node.id))) return old;
		return {
			...old,
			pages: old.pages.map((page) => ({
				...page,
				nodes: page.nodes.map((had) => (had.id === node.id ? { ...had, ...node } : had)),
			})),
		};
	});
}

/** Shows a new row at the top of every list of one operation whose filters it fits. */
export function addRow<V>(operation: string, node: Row & object, fits: (filters: V) => boolean): void {
	for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: ["pages", operation] })) {
		const old = state.data as InfiniteData<Page<Row>, string | null> | undefined;
		const [first, ...rest] = old?.pages ?? [];
		if (!old || !first || !fits(JSON.parse(String(queryKey[2])) as V)) continue;
		if (old.pages.some((page) => page.nodes.some(({ id }) => id === node.id))) continue;
		client.setQueryData(queryKey, { ...old, pages: [{ ...first, nodes: [node, ...first.nodes] }, ...rest] });
	}
}

/** Removes rows from every list of one operation. */
export function dropRow(operation: string, ...ids: string[]): void {
	const gone = new Set(ids);
	client.setQueriesData<InfiniteData<Page<Row>, string | null>>(
		{ queryKey: ["pages", operation] },
		(old) =>
			old && {
				...old,
				pages: old.pages.map((page) => ({ ...page, nodes: page.nodes.filter(({ id }) => !gone.has(id)) })),
			},
	);
}

/** Refetches everything on the screen. */
export function refresh(): Promise<void> {
	return client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "pages" && queryKey[0] !== "all" });
}

/** Refetches the lists that are read whole. */
export function refreshWhole(operation: string): void {
	void client.invalidateQueries({ queryKey: ["all", operation] });
}

/**
 * A change. The data on the screen is refetched after it. After runs
 * even if the caller has left the screen. Navigation belongs
 * into the callbacks of the call, which then do not run.
 */
export function useChange<R, V>(document: TypedDocumentString<R, V>, after?: (data: R) => void) {
	return useMutation<R, ApiError, V>({
		mutationFn: (variables) => request(document, variables),
		onSuccess: (data) => {
			after?.(data);
			void refresh();
		},
	});
}
