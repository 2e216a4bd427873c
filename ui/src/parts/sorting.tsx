import { ArrowDown, ArrowUp } from "lucide-react";
import { useEffect, useMemo } from "react";
import type { Row, Rows } from "../data";
import { count } from "../logic/format";
import { sortRows } from "../logic/sortRows";
import { usePlace } from "./usePlace";

/** The most rows that are loaded in order to sort them here; the server knows one order only. */
const MOST = 2_000;

interface Sortable<N> {
	head: string;
	sort?: (row: N) => string | number | null | undefined;
}

export interface Sorting {
	/** The column, and whether its greatest value stands first. */
	by: string | null;
	down: boolean;
	/** Says that rows are still being loaded, or that they are too many. */
	note: string | null;
	choose: (head: string) => void;
}

/** The rows in the order that the address asks for: all of them are loaded first. */
export function useSorting<N extends Row>(list: Rows<N>, columns: Sortable<N>[]): Sorting & { rows: N[] } {
	const { params, filter } = usePlace();
	const asked = params.get("sort") ?? "";
	const down = asked.startsWith("-");
	const column = columns.find(({ head, sort }) => sort && head === asked.replace(/^-/, ""));
	const value = column?.sort;
	const { rows, more, fetchingMore, error, fetchMore } = list;
	useEffect(() => {
		if (value && more && !fetchingMore && !error && rows.length < MOST) fetchMore();
	});
	const sorted = useMemo(() => (value && !more ? sortRows(rows, value, down) : rows), [rows, more, value, down]);
	return {
		rows: sorted,
		by: column?.head ?? null,
		down,
		note:
			value && more
				? rows.length < MOST
					? "Loading all rows to sort them…"
					: `Only lists of up to ${count(MOST)} rows can be sorted. Filter the list first.`
				: null,
		choose: (head) => filter("sort", head !== column?.head ? head : down ? "" : `-${head}`),
	};
}

/** The head of a column: ascending, descending, and back to the newest first. */
export function SortHead({ head, by, down, choose }: Sorting & { head: string }) {
	return (
		<button type="button" className="sort" onClick={() => choose(head)}>
			{head}
			{by === head && (down ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden />)}
		</button>
	);
}
