import type { ReactNode } from "react";
import type { Row, Rows } from "../data";
import { Failure, Skeleton } from "./states";

interface Props<N> {
	list: Rows<N>;
	item: (row: N) => ReactNode;
	/** Shown when there are no rows. */
	empty: ReactNode;
}

/** A list of few rows within a page, with a button for the next ones. */
export function ShortList<N extends Row>({ list, item, empty }: Props<N>) {
	const { rows, loading, error } = list;
	return (
		<>
			{loading && <Skeleton />}
			{error && rows.length === 0 && <Failure error={error} retry={list.retry} />}
			{!loading && !error && rows.length === 0 && empty}
			<ul className="rows">{rows.map(item)}</ul>
			{list.more && (
				<div>
					<button type="button" onClick={list.fetchMore}>
						More
					</button>
				</div>
			)}
		</>
	);
}
