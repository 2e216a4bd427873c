import * as Ariakit from "@ariakit/react/dialog";
import { AlertTriangle, Check, X } from "lucide-react";
import { useMemo, useState } from "react";
import { Link } from "wouter";
import { useChange, useOne } from "../../data";
import {
	ActivateCampaignDocument,
	type CampaignFieldsFragment,
	CampaignStatsDocument,
	MailboxesDocument,
	TrackingDomainDocument,
} from "../../gql/generated";
import { checklist, draftOf } from "../../logic/campaignDraft";
import { plural } from "../../logic/format";
import { sentence } from "../../logic/schedule";
import { FormError } from "../../parts/Field";
import { heading } from "../../parts/heading";
import { besideDialogs, toast } from "../../parts/Toasts";

import { FillValue } from "./FillValue";
import { type Lack, useLacks, usePeople } from "./usePeople";

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
	const people = usePeople(c.id).data;
	const steps = useMemo(() => draftOf(c).steps, [c]);
	const lacks = useLacks(people, steps);
	const held = new Set(lacks.flatMap(({ people: those }) => those.map(({ id }) => id))).size;
	const [filling, setFilling] = useState<Lack | null>(null);
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
				{people && people.length > 0 && held === 0 && (
					<li>
						<Check size={16} className="good-text" aria-label="Done" />
						<span className="grow">Everyone has the values that the steps print</span>
					</li>
				)}
				{lacks.map((lack) => (
					<li key={lack.name}>
						<AlertTriangle size={16} className="warn-text" aria-label="Warning" />
						<span className="grow">
							{plural(lack.people.length, "person has", "people have")} no <code>{lack.name}</code> and would be held
						</span>
						<button type="button" className="link" onClick={() => setFilling(lack)} aria-label={`Fill in ${lack.name}`}>
							Fill in
						</button>
					</li>
				))}
			</ul>
			{filling && <FillValue name={filling.name} people={filling.people} onClose={() => setFilling(null)} />}
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
