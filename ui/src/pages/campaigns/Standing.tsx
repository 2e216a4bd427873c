import { AlertTriangle, CircleDot, Clock } from "lucide-react";
import { Link } from "wouter";
import { useOne } from "../../data";
import {
	type CampaignFieldsFragment,
	CampaignStatsDocument,
	type CampaignStatus,
	EnrollmentsDocument,
	MailboxesDocument,
} from "../../gql/generated";
import { plural } from "../../logic/format";

interface Props {
	campaign: CampaignFieldsFragment;
	/** One line, however narrow the page is. */
	brief?: boolean;
}

/** The state of a campaign in one line; amber only if a user must act. */
export function Standing({ campaign: c, brief = false }: Props) {
	const { data: stats } = useOne(CampaignStatsDocument, { id: c.id });
	const { data: boxes } = useOne(MailboxesDocument, {}, { live: 60_000 });
	const { held = 0, active = 0 } = stats?.campaignStats ?? {};
	const { data: waiting } = useOne(
		EnrollmentsDocument,
		{ first: 20, campaignId: c.id, status: "held" },
		{ enabled: held > 0 && active === 0 },
	);
	if (c.status !== "active")
		return (
			<p className="standing">
				<span className={brief ? "clip" : undefined}>{words[c.status]}</span>
			</p>
		);
	if (!c.notSendingReason)
		return (
			<p className="standing">
				<CircleDot size={14} className="good-text" aria-hidden /> Sending now.
			</p>
		);
	const chosen = boxes?.mailboxes.nodes.filter(({ id }) => c.mailboxIds.includes(id));
	const dead = chosen?.every(({ status }) => status !== "connected");
	// A person who is out of office comes back without help.
	const stuck = active === 0 && waiting?.enrollments.nodes.some(({ holdUntil }) => !holdUntil);
	if (!dead && !stuck)
		return (
			<p className="standing">
				<Clock size={14} aria-hidden />
				<span className={brief ? "clip" : undefined}>Running. {c.notSendingReason}</span>
			</p>
		);
	return (
		<p className={brief ? "standing warn-text" : "note warn"}>
			<AlertTriangle size={brief ? 14 : 16} aria-hidden />
			<span className={brief ? "clip" : undefined}>
				<b>Needs attention.</b> {!brief && c.notSendingReason}{" "}
				{dead ? (
					<Link href="/mailboxes">Show mailboxes</Link>
				) : (
					<Link href={`/campaigns/${c.id}/people?status=held`}>Show {plural(held, "held person", "held people")}</Link>
				)}
			</span>
		</p>
	);
}

const words: Record<Exclude<CampaignStatus, "active">, string> = {
	draft: "Draft. Activate it to start sending.",
	paused: "Paused. Nothing is sent until you activate it again.",
	completed: "Completed. Everyone has reached the end of the sequence.",
	archived: "Archived. It cannot be activated again.",
};
