import * as Ariakit from "@ariakit/react/dialog";
import { AlertTriangle, Check, X } from "lucide-react";
import { Link } from "wouter";
import { useChange, useOne } from "../../data";
import {
	ActivateCampaignDocument,
	type CampaignFieldsFragment,
	CampaignStatsDocument,
	MailboxesDocument,
	TrackingDomainDocument,
} from "../../gql/generated";
import { checklist } from "../../logic/campaignDraft";
import { sentence } from "../../logic/schedule";
import { FormError } from "../../parts/Field";
import { heading } from "../../parts/heading";
import { besideDialogs, toast } from "../../parts/Toasts";
import { CampaignCheck } from "./Findings";

interface Props {
	campaign: CampaignFieldsFragment;
	unsaved: boolean;
	onClose: () => void;
	onDone: (campaign: CampaignFieldsFragment) => void;
}

/** The last check before mails are sent: each item is green or links to the place where it can be corrected. */
export function ActivateDialog({ campaign: c, unsaved, onClose, onDone }: Props) {
	const mailboxes = useOne(MailboxesDocument, {}),
		stats = useOne(CampaignStatsDocument, { id: c.id }),
		domain = useOne(TrackingDomainDocument, {});
	const activate = useChange(ActivateCampaignDocument);
	const chosen = (mailboxes.data?.mailboxes.nodes ?? []).filter(({ id }) => c.mailboxIds.includes(id));
	const items = checklist(c, {
		unsaved,
		chosen: c.mailboxIds.length,
		working: chosen.filter(({ status }) => status === "connected").length,
		people: stats.data?.campaignStats.prospects ?? 0,
		domainVerified: domain.data?.trackingDomain?.status === "verified",
	});
	const ready = items.every(({ ok, must }) => ok || !must);
	const go = () =>
		activate.mutate(
			{ id: c.id },
			{
				onSuccess: (data) => {
					onDone(data.activateCampaign);
					toast("Campaign activated.");
					onClose();
				},
			},
		);
	return (
		<Ariakit.Dialog
			open
			onClose={onClose}
			getPersistentElements={besideDialogs}
			className="dialog"
			preventBodyScroll={false}
			backdrop={<div className="backdrop" />}
		>
			<Ariakit.DialogHeading render={heading}>Activate {c.name}?</Ariakit.DialogHeading>
			<p className="faint">{sentence(c)}.</p>
			<ul className="lines">
				{items.map(({ ok, must, text, tab }) => (
					<li key={text}>
						{ok ? (
							<Check size={16} className="good-text" aria-label="Done" />
						) : must ? (
							<X size={16} className="bad-text" aria-label="Missing" />
						) : (
							<AlertTriangle size={16} className="warn-text" aria-label="Warning" />
						)}
						<span className="grow">{text}</span>
						{!ok && (
							<Link
								href={tab === "domain" ? "/settings/domain" : `/campaigns/${c.id}/${tab}`}
								onClick={onClose}
								aria-label={`Fix: ${text}`}
							>
								Fix
							</Link>
						)}
					</li>
				))}
				<CampaignCheck campaignId={c.id} />
			</ul>
			<FormError error={activate.error} />
			<div className="buttons">
				<Ariakit.DialogDismiss>Cancel</Ariakit.DialogDismiss>
				<button type="button" className="primary" disabled={!ready || activate.isPending} onClick={go}>
					Activate
				</button>
			</div>
		</Ariakit.Dialog>
	);
}
