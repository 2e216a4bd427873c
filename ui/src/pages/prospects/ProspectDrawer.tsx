import { ExternalLink, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { request } from "../../api";
import { dropRow, refresh, useOne } from "../../data";
import {
	DeleteProspectDocument,
	EnrollmentsDocument,
	type MailState,
	MailStatusDocument,
	ProspectDocument,
	type ProspectFieldsFragment,
} from "../../gql/generated";
import { nameOf, plural } from "../../logic/format";
import { Badge } from "../../parts/Badge";
import { Confirm } from "../../parts/Confirm";
import { Drawer } from "../../parts/Drawer";
import { useDelete } from "../../parts/deletions";
import { Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { toast } from "../../parts/Toasts";
import { Enrollments, useEnrollments } from "./Enrollments";
import { History } from "./History";
import { MailStatus } from "./MailStatus";
import { ProspectForm } from "./ProspectForm";

export function ProspectDrawer({ id, onClose }: { id: string; onClose: () => void }) {
	const { data, error, refetch } = useOne(ProspectDocument, { id });
	const [editing, setEditing] = useState(false);
	const [deleting, setDeleting] = useState(false);
	const deleteLater = useDelete();
	const p = data?.prospect;
	if (p && editing)
		return <ProspectForm prospect={p} onClose={() => setEditing(false)} onSaved={() => setEditing(false)} />;
	const remove = async (erase: boolean) => {
		if (erase) {
			await request(DeleteProspectDocument, { id, erase });
			dropRow("Prospects", id);
			toast("Prospect erased.");
			void refresh();
		} else deleteLater([id]);
		onClose();
	};
	return (
		<Drawer
			title={p ? nameOf(p) : "Prospect"}
			subtitle={p?.email}
			onClose={onClose}
			actions={
				p && (
					<>
						<button type="button" className="icon" aria-label="Edit" title="Edit" onClick={() => setEditing(true)}>
							<Pencil size={16} aria-hidden />
						</button>
						<button type="button" className="icon" aria-label="Delete" title="Delete" onClick={() => setDeleting(true)}>
							<Trash2 size={16} aria-hidden />
						</button>
					</>
				)
			}
		>
			{!p && error && <Failure error={error} retry={() => void refetch()} />}
			{!p && !error && <Skeleton kind="text" lines={8} />}
			{p && <PersonDetails prospect={p} />}
			{deleting && p && <DeleteDialog prospect={p} act={remove} onClose={() => setDeleting(false)} />}
		</Drawer>
	);
}

function DeleteDialog({
	prospect,
	act,
	onClose,
}: {
	prospect: ProspectFieldsFragment;
	act: (erase: boolean) => Promise<void>;
	onClose: () => void;
}) {
	const [erase, setErase] = useState(false);
	const { data } = useOne(EnrollmentsDocument, { first: 100, prospectId: prospect.id }, { live: false });
	const running =
		data?.enrollments.nodes.filter(({ status }) => status === "active" || status === "held" || status === "paused")
			.length ?? 0;
	return (
		<Confirm
			title={`Delete ${nameOf(prospect)}?`}
			verb={erase ? "Erase prospect" : "Delete prospect"}
			typed={erase ? "erase" : undefined}
			act={() => act(erase)}
			onClose={onClose}
		>
			<p>
				Deletes 1 prospect and stops {plural(running, "enrollment")}
				{erase ? ". " : ", in 10 seconds, unless you undo it. "}
				{erase
					? "The replies and the texts of all messages are deleted, and the address counts as new. Suppressions stay."
					: "Recorded messages and events stay; later clicks, bounces and unsubscribes still count. " +
						"If the prospect has replied, the address still counts as replied when it is added again."}
			</p>
			<label className="check">
				<input type="checkbox" checked={erase} onChange={() => setErase(!erase)} /> Also erase messages and replies
			</label>
		</Confirm>
	);
}

/** A link to another site, if the text is one. */
function Outside({ url }: { url: string }) {
	const target = /^https?:\/\//i.test(url) ? url : /^[\w-]+(\.[\w-]+)+/.test(url) ? `https://${url}` : null;
	if (!target) return url;
	return (
		<a href={target} target="_blank" rel="noreferrer">
			{url.replace(/^https?:\/\/(www\.)?/i, "")} <ExternalLink size={12} aria-label="opens a new tab" />
		</a>
	);
}

/** All that is known of a person. It appears when the parts above the history have arrived, so that nothing moves. */
export function PersonDetails({ prospect }: { prospect: ProspectFieldsFragment }) {
	const status = useOne(MailStatusDocument, { prospectId: prospect.id });
	const enrollments = useEnrollments(prospect.id);
	if (status.isPending || enrollments.loading) return <Skeleton kind="text" lines={8} />;
	return (
		<>
			<MailStatus prospect={prospect} />
			<Facts prospect={prospect} noted={status.data?.mailStatus.state} />
			<Enrollments prospect={prospect} list={enrollments} />
			<History prospectId={prospect.id} />
		</>
	);
}

interface FactsProps {
	prospect: ProspectFieldsFragment;
	/** The state that the mail status above has named. */
	noted: MailState | undefined;
}

function Facts({ prospect: p, noted }: FactsProps) {
	const rows: [string, React.ReactNode][] = [
		["Status", p.status !== noted && <Badge key="s" state={p.status} />],
		["Interest", p.interest && <Badge key="i" state={p.interest} />],
		[
			"Company",
			p.companyId ? (
				<Link key="c" href={`/companies/${p.companyId}`}>
					{p.companyName ?? "Show company"}
				</Link>
			) : (
				p.companyName
			),
		],
		["Job title", p.jobTitle],
		[
			"Phone",
			p.phone && (
				<a key="p" href={`tel:${p.phone}`}>
					{p.phone}
				</a>
			),
		],
		["Website", p.website && <Outside key="w" url={p.website} />],
		["LinkedIn", p.linkedinUrl && <Outside key="l" url={p.linkedinUrl} />],
		["Time zone", p.timezone],
		...Object.entries(p.customFields).map(([key, value]): [string, string] => [key, String(value)]),
		["Last mail", p.lastContactedAt && <Time key="t" at={p.lastContactedAt} />],
		["Last reply", p.lastRepliedAt && <Time key="r" at={p.lastRepliedAt} />],
		["Added", <Time key="a" at={p.createdAt} />],
	];
	return (
		<dl className="facts">
			{rows
				.filter(([, value]) => value)
				.map(([label, value]) => [<dt key={label}>{label}</dt>, <dd key={`${label}v`}>{value}</dd>])}
		</dl>
	);
}
