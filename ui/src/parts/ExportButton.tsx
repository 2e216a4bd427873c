import { Download } from "lucide-react";
import { useState } from "react";
import { request } from "../api";
import type { Row } from "../data";
import { type ExportedList, RecordExportDocument, type TypedDocumentString } from "../gql/generated";
import { download, toCSV } from "../logic/csv";
import { findAll } from "../logic/findAll";
import { count, plural } from "../logic/format";
import type { Page } from "../logic/mergePage";
import { ActMenu } from "./Acts";
import { toast, toastError } from "./Toasts";
import { usePhone } from "./useMedia";

interface Props<R, V, N> {
	/** What is exported; the file has its name and the date. */
	list: ExportedList;
	document: TypedDocumentString<R, V>;
	/** Takes the rows from an answer; what they lack may be fetched here. */
	pick: (data: R) => Page<N> | Promise<Page<N>>;
	/** The filters of the list. */
	variables: Omit<V, "first" | "after">;
	columns: Record<string, (row: N) => unknown>;
	/** It is among the filters, where a phone has room for it; else a phone has it in a menu. */
	inBar?: boolean;
}

/** Saves every row that the filters show as a CSV file, once the audit log has the export. */
export function ExportButton<R, V extends { first: number }, N extends Row>({
	list,
	document,
	pick,
	variables,
	columns,
	inBar = false,
}: Props<R, V, N>) {
	const [found, setFound] = useState<number | null>(null);
	const phone = usePhone();
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
	if (phone && !inBar && found === null)
		return <ActMenu label="More for this list" acts={[{ label: "Export", icon: Download, act: () => void save() }]} />;
	return (
		<button type="button" disabled={found !== null} onClick={() => void save()}>
			<Download size={14} aria-hidden /> {found ? `${count(found)}…` : "Export"}
		</button>
	);
}
