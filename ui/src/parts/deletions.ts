import { useEffect, useMemo, useSyncExternalStore } from "react";
import { request, requestLeaving } from "../api";
import { dropRow, type Row, type Rows, refresh } from "../data";
import { DeleteProspectsDocument } from "../gql/generated";
import { Deletions } from "../logic/deletions";
import { plural } from "../logic/format";
import { toast, toastError } from "./Toasts";
import { useViewer } from "./viewer";

const deletions = new Deletions(
	async (ids) => (await request(DeleteProspectsDocument, { ids })).deleteProspects,
	(ids) => requestLeaving(DeleteProspectsDocument, { ids }),
);

/** How often deletions are looked for that another page left when it died, in milliseconds. */
const LOOK = 60_000;

const useOwner = () => {
	const { id, workspaceId } = useViewer();
	return `outreach.delete.${id}.${workspaceId ?? ""}`;
};

/** Does waiting deletions when the page goes away, and those of pages that died. */
export function useDeletions(): void {
	const owner = useOwner();
	useEffect(() => {
		const resume = () =>
			void deletions.resume(owner).then(
				(deleted) => {
					if (deleted === 0) return;
					toast(`${plural(deleted, "prospect")} deleted, as you asked before the page was closed.`);
					void refresh();
				},
				() => undefined, // the next look does it
			);
		resume();
		const timer = setInterval(resume, LOOK);
		window.addEventListener("pagehide", deletions.flush);
		window.addEventListener("pageshow", deletions.back);
		return () => {
			clearInterval(timer);
			window.removeEventListener("pagehide", deletions.flush);
			window.removeEventListener("pageshow", deletions.back);
		};
	}, [owner]);
}

/** Deletes at once what waits to be deleted. */
export const hurryDeletions = deletions.hurry;

/** Returns what deletes prospects in ten seconds, unless it is undone. */
export function useDelete(): (ids: string[]) => void {
	const owner = useOwner();
	return (ids) => {
		const some = plural(ids.length, "prospect");
		const takeBack = deletions.add(owner, ids, (error) => {
			if (error === undefined) dropRow("Prospects", ...ids);
			else toastError(new Error(`${some} not deleted. ${error instanceof Error ? error.message : String(error)}`));
			void refresh();
		});
		toast(`${some} will be deleted in 10 s.`, () =>
			toast(takeBack() ? "Nothing was deleted." : "It was too late: the deletion has begun."),
		);
	};
}

/** The list without the rows that are about to be deleted. */
export function useUndeleted<N extends Row>(list: Rows<N>): Rows<N> {
	const gone = useSyncExternalStore(deletions.watch, deletions.read);
	const { rows } = list;
	const left = useMemo(() => (gone.size > 0 ? rows.filter(({ id }) => !gone.has(id)) : rows), [rows, gone]);
	return { ...list, rows: left };
}
