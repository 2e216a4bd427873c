import { AlertTriangle, Ban, Check, Clock } from "lucide-react";
import { Link } from "wouter";
import { useOne } from "../../data";
import {
	EnrollmentsDocument,
	type ProspectFieldsFragment,
	type SuppressionReason,
	SuppressionsDocument,
} from "../../gql/generated";
import { capital } from "../../logic/format";
import { Time } from "../../parts/Time";

const reasons: Record<SuppressionReason, string> = {
	manual: "by hand",
	unsubscribed: "after an unsubscribe",
	bounced: "after a bounce",
	complaint: "after a complaint",
};

/** One answer to "why is this person (not) mailed?": the first of suppressed, unsubscribed, bounced, held, waiting, done. */
export function MailStatus({ prospect: p }: { prospect: ProspectFieldsFragment }) {
	const domain = p.email.split("@").at(-1)?.toLowerCase() ?? "";
	const byEmail = useOne(SuppressionsDocument, { first: 1, email: p.email });
	const byDomain = useOne(SuppressionsDocument, { first: 1, domain });
	const { data } = useOne(EnrollmentsDocument, { first: 20, prospectId: p.id });
	const suppression = byEmail.data?.suppressions.nodes[0] ?? byDomain.data?.suppressions.nodes[0];
	const enrollments = data?.enrollments.nodes ?? [];
	const held = enrollments.find(({ status }) => status === "held");
	const active = enrollments
		.filter(({ status }) => status === "active")
		.sort((a, b) => (a.nextSendAt ?? "").localeCompare(b.nextSendAt ?? ""))[0];
	if (suppression)
		return (
			<p className="note bad">
				<Ban size={16} aria-hidden />
				<span>
					<b>Not mailed: {suppression.email ? "this address" : `everyone at ${suppression.domain}`} is suppressed</b>{" "}
					{reasons[suppression.reason]}, <Time at={suppression.createdAt} />.{" "}
					<Link
						href={`/suppressions/${suppression.id}?search=${encodeURIComponent(suppression.email ?? suppression.domain ?? "")}`}
					>
						Show suppression
					</Link>
				</span>
			</p>
		);
	if (p.status === "unsubscribed" || p.status === "bounced")
		return (
			<p className="note bad">
				<Ban size={16} aria-hidden />
				<b>{p.status === "bounced" ? "Not mailed: the address bounced." : "Not mailed: this person unsubscribed."}</b>
			</p>
		);
	if (held)
		return (
			<p className="note warn">
				<AlertTriangle size={16} aria-hidden />
				<span>
					<b>Held in {held.campaign.name}.</b> {capital(held.holdReason ?? "")}
					{held.holdUntil && (
						<>
							. Continues <Time at={held.holdUntil} />
						</>
					)}
				</span>
			</p>
		);
	if (active)
		return (
			<p className="note">
				<Clock size={16} aria-hidden />
				<span>
					<b>Waiting for step {active.nextStep}</b> of {active.campaign.name}
					{active.nextSendAt && (
						<>
							, due <Time at={active.nextSendAt} />
						</>
					)}
				</span>
			</p>
		);
	if (p.status === "new") return <p className="note">Not mailed yet: not in a running campaign.</p>;
	return (
		<p className="note">
			<Check size={16} aria-hidden />
			{p.status === "replied" ? "Replied: no more mails are sent." : "No more mails are planned."}
		</p>
	);
}
