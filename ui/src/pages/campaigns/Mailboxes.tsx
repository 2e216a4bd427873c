import { useState } from "react";
import { Link } from "wouter";
import type { ApiError } from "../../api";
import { useOne } from "../../data";
import { MailboxesDocument } from "../../gql/generated";
import type { CampaignDraft } from "../../logic/campaignDraft";
import { count } from "../../logic/format";
import { Badge } from "../../parts/Badge";
import { Empty, Failure, Skeleton } from "../../parts/states";

interface Props {
	draft: CampaignDraft;
	set: (part: Partial<CampaignDraft>) => void;
	error: ApiError | null;
	editable: boolean;
}

/** From how many mailboxes on they can be searched. */
const MANY = 12;

export function Mailboxes({ draft, set, error, editable }: Props) {
	const { data, error: failed, refetch } = useOne(MailboxesDocument, {});
	const [search, setSearch] = useState("");
	const wrong = error?.fields.find(({ pointer }) => pointer.startsWith("/mailbox_ids"))?.detail;
	if (!data) return failed ? <Failure error={failed} retry={() => void refetch()} /> : <Skeleton />;
	const boxes = data.mailboxes.nodes;
	if (boxes.length === 0)
		return (
			<Empty title="Connect a mailbox to send from.">
				<Link className="button primary" href="/mailboxes/new">
					Connect a mailbox
				</Link>
			</Empty>
		);
	const perDay = boxes.filter(({ id }) => draft.mailboxIds.includes(id)).reduce((sum, box) => sum + box.limitToday, 0);
	const part = search.trim().toLowerCase();
	const found = boxes.filter(({ email }) => email.toLowerCase().includes(part));
	const flip = (id: string) =>
		set({
			mailboxIds: draft.mailboxIds.includes(id)
				? draft.mailboxIds.filter((had) => had !== id)
				: [...draft.mailboxIds, id],
		});
	return (
		<fieldset disabled={!editable} className="panel">
			<p className="faint">
				Each prospect gets all mails from the same mailbox.{" "}
				{draft.mailboxIds.length > 0
					? `The selected mailboxes send up to ${count(perDay)} a day together.`
					: "Select at least one mailbox."}
			</p>
			{wrong && (
				<p className="note bad" role="alert">
					{wrong}
				</p>
			)}
			{boxes.length >= MANY && (
				<input
					type="search"
					aria-label="Search mailboxes"
					placeholder="Search mailboxes"
					value={search}
					onChange={(event) => setSearch(event.target.value)}
				/>
			)}
			{found.length === 0 && <p className="faint">No mailboxes match this search.</p>}
			<ul className="rows">
				{found.map((box) => (
					<li key={box.id}>
						<label className="check grow">
							<input type="checkbox" checked={draft.mailboxIds.includes(box.id)} onChange={() => flip(box.id)} />
							<span className="grow">
								<span className="clip">{box.email}</span>
								<small className="faint">
									{count(box.sentToday)} of {count(box.limitToday)} sent today
								</small>
							</span>
						</label>
						<Badge state={box.status} />
					</li>
				))}
			</ul>
		</fieldset>
	);
}
