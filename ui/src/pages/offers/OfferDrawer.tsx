import { Copy, ExternalLink, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { request } from "../../api";
import { dropRow, useOne } from "../../data";
import { DeleteOfferDocument, OfferDocument, type OfferStatus, ProspectDocument } from "../../gql/generated";
import { count, nameOf, words } from "../../logic/format";
import { Badge } from "../../parts/Badge";
import { Confirm } from "../../parts/Confirm";
import { Drawer } from "../../parts/Drawer";
import { MailFrame } from "../../parts/MailFrame";
import { Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { copy, toast } from "../../parts/Toasts";
import { OfferForm } from "./OfferForm";

export const offerWords = (status: OfferStatus) => (status === "reread" ? "Read again" : words(status));

export function OfferDrawer({ id, onClose }: { id: string; onClose: () => void }) {
	const { data, error, refetch } = useOne(OfferDocument, { id });
	const [editing, setEditing] = useState(false);
	const [deleting, setDeleting] = useState(false);
	const o = data?.offer;
	if (o && editing) return <OfferForm offer={o} onClose={() => setEditing(false)} onSaved={() => setEditing(false)} />;
	const remove = async () => {
		await request(DeleteOfferDocument, { id });
		dropRow("Offers", id);
		toast("Offer deleted.");
		onClose();
	};
	return (
		<Drawer
			title={o?.title ?? "Offer"}
			onClose={onClose}
			actions={
				o && (
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
			{!o && (error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />)}
			{o && (
				<>
					<dl className="facts">
						<dt>Read</dt>
						<dd>
							<Badge state={o.status} label={offerWords(o.status)} />
						</dd>
						<dt>Visits</dt>
						<dd>{count(o.visitCount)} by people (scanners and your team are not counted)</dd>
						<dt>First read</dt>
						<dd>
							<Time at={o.firstReadAt} none="not yet" />
						</dd>
						<dt>Last read</dt>
						<dd>
							<Time at={o.lastReadAt} none="not yet" />
						</dd>
						<dt>Page</dt>
						<dd>
							<a href={o.url} target="_blank" rel="noreferrer">
								{o.url} <ExternalLink size={12} aria-label="opens a new tab" />
							</a>
						</dd>
						{o.targetUrl && (
							<>
								<dt>Links to</dt>
								<dd>{o.targetUrl}</dd>
							</>
						)}
						{o.prospectId && (
							<>
								<dt>For</dt>
								<dd>
									<ForProspect id={o.prospectId} />
								</dd>
							</>
						)}
						{o.companyId && (
							<>
								<dt>For</dt>
								<dd>
									<Link href={`/companies/${o.companyId}`}>the company</Link>
								</dd>
							</>
						)}
						{o.campaignId && (
							<>
								<dt>Campaign</dt>
								<dd>
									<Link href={`/campaigns/${o.campaignId}`}>open it</Link>
								</dd>
							</>
						)}
						<dt>Created</dt>
						<dd>
							<Time at={o.createdAt} />
						</dd>
					</dl>
					<div>
						<button type="button" onClick={() => copy(o.url, "Link")}>
							<Copy size={14} aria-hidden /> Copy link
						</button>
					</div>
					{o.bodyHtml && <MailFrame html={o.bodyHtml} title="The page of the offer" />}
				</>
			)}
			{deleting && o && (
				<Confirm
					title={`Delete ${o.title}?`}
					verb="Delete offer"
					typed="delete"
					act={remove}
					onClose={() => setDeleting(false)}
				>
					<p>
						The page stops working and the record of{" "}
						{o.visitCount === 1 ? "its 1 visit" : `its ${count(o.visitCount)} visits`} is deleted.
					</p>
				</Confirm>
			)}
		</Drawer>
	);
}

function ForProspect({ id }: { id: string }) {
	const { data } = useOne(ProspectDocument, { id }, { live: false });
	return <Link href={`/prospects/${id}`}>{data ? nameOf(data.prospect) : "the prospect"}</Link>;
}
