import { useRows } from "../../data";
import { AuditActionValues } from "../../gql/enums";
import { type AuditAction, AuditLogDocument, type AuditLogQuery } from "../../gql/generated";
import { words } from "../../logic/format";
import { ExportButton } from "../../parts/ExportButton";
import { Filter, FilterBar } from "../../parts/Filters";
import { type Column, RowList } from "../../parts/RowList";
import { Empty } from "../../parts/states";
import { Time } from "../../parts/Time";
import { usePlace } from "../../parts/usePlace";
import { useViewer } from "../../parts/viewer";

type Entry = AuditLogQuery["auditLog"]["nodes"][number];
const action = (e: Entry) => words(e.action).replace("Totp", "Two-factor");
const columns: Column<Entry>[] = [
	{ head: "Action", width: "minmax(150px, 2fr)", cell: (e) => action(e) },
	{
		head: "By",
		width: "minmax(130px, 2fr)",
		cell: (e) => <span title={e.actor}>{e.actor}</span>,
		phone: "sub",
	},
	{
		head: "What",
		width: "minmax(130px, 3fr)",
		yields: 3,
		cell: (e) => e.subject && <span title={e.subject}>{e.subject}</span>,
	},
	{ head: "From", width: "130px", yields: 2, cell: (e) => e.client },
	{ head: "When", width: "110px", cell: (e) => <Time at={e.at} />, phone: "side" },
];
const exported: Record<string, (e: Entry) => unknown> = {
	at: (e) => e.at,
	actor: (e) => e.actor,
	action: (e) => e.action,
	subject: (e) => e.subject,
	client: (e) => e.client,
};

/** Who did what in the workspace, for owners. */
export function AuditLog() {
	const { params } = usePlace();
	const owner = useViewer().role === "owner";
	const filter = { action: params.get("action") as AuditAction | null };
	const list = useRows(AuditLogDocument, (data) => data.auditLog, filter, { enabled: owner });
	if (!owner) return <p className="faint">Only an owner can see the audit log.</p>;
	return (
		<>
			<FilterBar
				names={["action"]}
				more={
					<ExportButton
						inBar
						list="audit_log"
						document={AuditLogDocument}
						pick={(data) => data.auditLog}
						variables={filter}
						columns={exported}
					/>
				}
			>
				<Filter name="action" label="Action" options={AuditActionValues} />
			</FilterBar>
			<RowList
				label="Audit log"
				list={list}
				columns={columns}
				href={() => "/settings/audit"}
				empty={
					<Empty
						title={
							filter.action ? "No entries with this action." : "Changes to accounts, keys and mailboxes appear here."
						}
					/>
				}
			/>
		</>
	);
}
