import { Download } from "lucide-react";
import { useState } from "react";
import { request } from "../api";
import type { Row } from "../data";
import { type ExportedList, RecordExportDocument, type TypedDocumentString } from "../gql/generated";
import { download, toCSV } from "../logic/csv";
import { findAll } from "../logic/findAll";
import { count, plural } from "../logic/format";
import type { Page } from "../logic/mergePage";
import { toast, toastError } from "./Toasts";

interface Props<R, V, N> {
	/** What is exported; the file has its name and the date. */
	list: ExportedList;
	document: TypedDocumentString<R, V>;
	/** Takes the rows from an answer; what they lack may be fetched here. */
	pick: (data: R) => Page<N> | Promise<Page<N>>;
	/** The filters of the list. */
	variables: Omit<V, "first" | "after">;
	columns: Record<string, (row: N) => unknown>;
}

/** Saves every row that the filters show as a CSV file, once the audit log has the export. */
export function ExportButton<R, V extends { first: number }, N extends Row>({
	list,
	document,
	pick,
	variables,
	columns,
}: Props<R, V, N>) {
	const [found, setFound] = useState<number | null>(null);
	const save = async () => {
		setFound(0);
		try {
			const rows = await findAll(
				async (after, signal) =>
					pick(await request(document, { ...variables, first: 100, after } as unknown as V, signal)),
				setFound,
				new AbortController().signal,
			);
			await request(RecordExportDocument, { list, rows: rows.length });
			download(
				`${list.replace("_", "-")}-${new Date().toISOString().slice(0, 10)}.csv`,
				toCSV([Object.keys(columns), ...rows.map((row) => Object.values(columns).map((of) => of(row)))]),
			);
			toast(`${plural(rows.length, "row")} exported.`);
		} catch (error) {
			toastError(error);
		}
		setFound(null);
	};
	return (
		<button type="button" className="not-phone" disabled={found !== null} onClick={() => void save()}>
			<Download size={14} aria-hidden /> {found ? `${count(found)}…` : "Export"}
		</button>
	);
}
