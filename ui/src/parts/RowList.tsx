import { useVirtualizer } from "@tanstack/react-virtual";
import {
	type CSSProperties,
	type MouseEvent,
	memo,
	type KeyboardEvent as ReactKeyboardEvent,
	type ReactNode,
	useCallback,
	useEffect,
	useLayoutEffect,
	useRef,
	useState,
} from "react";
import type { Row, Rows } from "../data";
import { useDensity } from "./density";
import { SortHead, useSorting } from "./sorting";
import { Failure, Skeleton } from "./states";
import { keysOn, useKeys } from "./useKeys";
import { usePhone } from "./useMedia";
import { usePlace } from "./usePlace";

export interface Column<N> {
	head: string;
	cell: (row: N) => ReactNode;
	/** Where the value goes at phone width; the first column is the title, "foot" has small lines of its own below the two. */
	phone?: "title" | "sub" | "side" | "hide" | "only" | "foot";
	/** The column's track in the grid; all but "only" have one. */
	width?: string;
	/** Which columns give way, the first ones first, where the list is too narrow for all. */
	yields?: 1 | 2 | 3 | 4;
	/** A number, set to the right. */
	num?: boolean;
	/** What the list can be sorted by, once all of it is loaded. */
	sort?: (row: N) => string | number | null | undefined;
}

export interface Selection<N> {
	ids: { has: (id: string) => boolean };
	toggle: (row: N) => void;
}

interface Props<N extends Row> {
	label: string;
	list: Rows<N>;
	columns: Column<N>[];
	href: (row: N) => string;
	empty: ReactNode;
	selection?: Selection<N>;
	/** More keys for the row in focus. */
	keys?: Record<string, (row: N) => void>;
}

/** A long list: only what is seen is in the page, more is fetched near the end. */
export function RowList<N extends Row>({ label, list, columns, href, empty, selection, keys = {} }: Props<N>) {
	const place = usePlace();
	const sorting = useSorting(list, columns);
	const { rows } = sorting;
	const phone = usePhone();
	const scroller = useRef<HTMLDivElement>(null);
	const [active, setActive] = useState(0);
	const focusNext = useRef(false);
	const density = useDensity();
	const tall = columns.some((column) => column.phone === "foot");
	const size = phone ? (tall ? 96 : 64) : density === "compact" ? 32 : 40;
	// The same function while the rows are the same: a new one has every row measured anew.
	const getItemKey = useCallback((index: number) => rows[index]?.id ?? index, [rows]);
	const virtual = useVirtualizer({
		count: rows.length,
		getScrollElement: () => scroller.current,
		estimateSize: () => size,
		overscan: 10,
		getItemKey,
	});
	// biome-ignore lint/correctness/useExhaustiveDependencies: the rows have another height
	useEffect(() => virtual.measure(), [size, virtual]);
	useStayPut(rows, scroller, size);

	const items = virtual.getVirtualItems();
	const begin = items[0]?.index ?? 0,
		end = items.at(-1)?.index ?? 0;
	const { look } = list;
	useEffect(() => look(begin, end), [look, begin, end]);
	useEffect(() => {
		if (list.more && !list.error && end >= rows.length - 30) list.fetchMore();
	}, [end, list, rows.length]);

	const at = Math.min(active, Math.max(0, rows.length - 1));
	/** Puts the focus on a row as soon as it is in the page. */
	const settleFocus = (index: number) => {
		const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
		if (row) {
			focusNext.current = false;
			row.focus({ preventScroll: true });
		}
	};
	const move = (to: number) => {
		const next = Math.max(0, Math.min(rows.length - 1, to));
		focusNext.current = true;
		setActive(next);
		virtual.scrollToIndex(next);
		settleFocus(next);
	};
	useLayoutEffect(() => {
		if (focusNext.current) settleFocus(at);
	});
	const open = (row: N | undefined) => {
		if (row) place.open(href(row));
	};
	/** Opens the row, unless what was clicked has a meaning of its own: a button of the row, its box, or a dialog that the row opened. */
	const onClick = (event: MouseEvent, row: N) => {
		const target = event.target as HTMLElement;
		if (event.currentTarget.contains(target) && !target.closest("button, input, .c-check")) open(row);
	};
	const onKey = (event: ReactKeyboardEvent) => {
		if (!scroller.current?.contains(event.target as Node)) return; // of a dialog that a row opened
		const step: Record<string, number> = {
			ArrowDown: at + 1,
			ArrowUp: at - 1,
			Home: 0,
			End: rows.length - 1,
			PageDown: at + 10,
			PageUp: at - 10,
		};
		const to = step[event.key];
		if (to !== undefined) {
			event.preventDefault();
			move(to);
		}
		// Without preventDefault the same key press would click what the drawer puts the focus on.
		else if (event.key === "Enter" && (event.target as HTMLElement).matches("[data-index]")) {
			event.preventDefault();
			open(rows[at]);
		} else if (event.key === " " && selection && rows[at] && !(event.target as HTMLElement).matches("input")) {
			event.preventDefault();
			selection.toggle(rows[at]);
		}
	};
	const focused = () => rows[at];
	useKeys({
		j: () => move(focusNext.current || scroller.current?.contains(document.activeElement) ? at + 1 : at),
		k: () => move(at - 1),
		x: () => {
			const row = focused();
			if (row) selection?.toggle(row);
		},
		...Object.fromEntries(
			Object.entries(keys).map(([key, act]) => [
				key,
				() => {
					const row = focused();
					if (row) act(row);
				},
			]),
		),
	});

	useDrawerKeys(rows, (row) => place.swap(href(row)));

	if (list.loading) return <Skeleton lines={12} />;
	if (list.error && rows.length === 0) return <Failure error={list.error} retry={list.retry} />;
	if (rows.length === 0 && !list.more) return empty;
	return (
		<div className="list-box">
			<div
				className={`list${selection ? " choosing" : ""}`}
				style={tracks(columns, !!selection)}
				role="grid"
				aria-label={label}
				aria-rowcount={list.more ? -1 : rows.length + 1}
				ref={scroller}
				onKeyDown={onKey}
			>
				<div role="rowgroup" className="list-head">
					<div role="row" className="row">
						{selection && (
							<span role="columnheader" className="c-check">
								<span className="offscreen">Selected</span>
							</span>
						)}
						{columns.map((column, n) => (
							<span
								role="columnheader"
								key={column.head}
								className={placeOf(column, n)}
								aria-sort={sorting.by === column.head ? (sorting.down ? "descending" : "ascending") : undefined}
							>
								{column.sort ? <SortHead head={column.head} {...sorting} /> : column.head}
							</span>
						))}
					</div>
				</div>
				<div role="rowgroup" className="list-body" style={{ height: virtual.getTotalSize() }}>
					{items.map((item) => {
						const row = rows[item.index];
						if (!row) return null;
						return (
							<div
								key={item.key}
								role="row"
								className="row"
								data-index={item.index}
								aria-rowindex={item.index + 2}
								tabIndex={item.index === at ? 0 : -1}
								aria-selected={selection ? selection.ids.has(row.id) : undefined}
								style={{ transform: `translateY(${item.start}px)`, height: size }}
								onFocus={() => setActive(item.index)}
								onClick={(event) => onClick(event, row)}
							>
								{selection && (
									<span role="gridcell" className="c-check">
										<input
											type="checkbox"
											tabIndex={-1}
											id={`choose${row.id}`}
											aria-label="Select"
											aria-labelledby={`choose${row.id} title${row.id}`}
											checked={selection.ids.has(row.id)}
											onChange={() => selection.toggle(row)}
										/>
									</span>
								)}
								<Cells id={row.id} row={row} columns={columns as Column<unknown>[]} to={href(row) + place.tail} />
							</div>
						);
					})}
				</div>
			</div>
			{sorting.note && (
				<p className="list-foot" role="status">
					{sorting.note}
				</p>
			)}
			{!sorting.note && list.fetchingMore && (
				<p className="list-foot faint" role="status">
					Loading more…
				</p>
			)}
			{list.error && rows.length > 0 && (
				<div className="list-foot">
					<Failure error={list.error} retry={list.retry} what="Loading more rows failed." />
				</div>
			)}
		</div>
	);
}

interface CellsProps {
	id: string;
	row: unknown;
	columns: Column<unknown>[];
	to: string;
}

/** The values of a row, drawn again only when the row itself is another: scrolling moves rows, it does not change them. */
const Cells = memo(function Cells({ id, row, columns, to }: CellsProps) {
	return columns.map((column, n) => (
		<span role="gridcell" key={column.head} className={placeOf(column, n)}>
			{n === 0 ? (
				<a href={to} id={`title${id}`} tabIndex={-1} onClick={onLink}>
					{column.cell(row)}
				</a>
			) : (
				column.cell(row)
			)}
		</span>
	));
});

/**
 * A plain click bubbles to the row, which opens; with a modifier the browser follows the link. A router
 * link for each row would cost a listener for each.
 */
function onLink(event: MouseEvent): void {
	if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) event.stopPropagation();
	else event.preventDefault();
}

const placeOf = <N,>(column: Column<N>, n: number) =>
	`c-${column.phone ?? (n === 0 ? "title" : "hide")}${column.num ? " num" : ""}${column.yields ? ` y${column.yields}` : ""}`;

/** The grid with all columns (--c0), and with those that are left once one to four ranks gave way; lists.css says when. */
function tracks<N>(columns: Column<N>[], choosing: boolean): CSSProperties {
	const left = (rank: number) => columns.flatMap(({ width, yields = 5 }) => (width && yields > rank ? [width] : []));
	return Object.fromEntries(
		[0, 1, 2, 3, 4].map((rank) => [`--c${rank}`, [...(choosing ? ["16px"] : []), ...left(rank)].join(" ")]),
	);
}

/** While a row is open in a drawer, j and k open the next and the one before. */
function useDrawerKeys<N extends Row>(rows: N[], open: (row: N) => void): void {
	const latest = useRef({ rows, open });
	useEffect(() => {
		latest.current = { rows, open };
	});
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			const way = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
			if (way === 0 || event.ctrlKey || event.metaKey || event.altKey || !keysOn()) return;
			const dialogs = document.querySelectorAll('[role="dialog"], [role="alertdialog"]');
			const writing = "input:not([type=checkbox], [type=radio]), textarea";
			if (dialogs.length !== 1 || !dialogs[0]?.matches(".drawer") || dialogs[0].querySelector(writing)) return;
			if ((event.target as HTMLElement).closest("select")) return;
			const at = latest.current.rows.findIndex(({ id }) => location.pathname.split("/").includes(id));
			const next = at < 0 ? undefined : latest.current.rows[at + way];
			if (next) latest.current.open(next);
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	}, []);
}

/** When rows come or go above, what is being looked at does not move. */
function useStayPut(rows: Row[], scroller: { current: HTMLElement | null }, size: number): void {
	const before = useRef(rows);
	useLayoutEffect(() => {
		const had = before.current,
			element = scroller.current;
		before.current = rows;
		if (had === rows || !element || element.scrollTop === 0) return;
		const top = Math.floor(element.scrollTop / size);
		// The row at the top, or where that is gone the next that is still there.
		for (let n = top; n < Math.min(top + 20, had.length); n++) {
			const now = rows[n]?.id === had[n]?.id ? n : rows.findIndex(({ id }) => id === had[n]?.id);
			if (now >= 0) {
				element.scrollTop += (now - n) * size;
				return;
			}
		}
	}, [rows, scroller, size]);
}
