import { AlertTriangle, Ban, Check, Clock } from "lucide-react";
import { Link } from "wouter";
import { useOne } from "../../data";
import { type MailState, MailStatusDocument, type ProspectFieldsFragment } from "../../gql/generated";
import { exact, when } from "../../logic/format";
import { Time } from "../../parts/Time";
import { BARRED, useMailStatus } from "./mailStatuses";

const looks: Record<MailState, [look: string, icon: typeof Ban]> = {
	suppressed: ["note bad", Ban],
	unsubscribed: ["note bad", Ban],
	bounced: ["note bad", Ban],
	held: ["note warn", AlertTriangle],
	paused: ["note warn", AlertTriangle],
	waiting: ["note", Clock],
	replied: ["note", Check],
	none: ["note", Check],
};

/** The same in a list, whose useMailStatuses fetches it. */
export function MailReason({ prospectId }: { prospectId: string }) {
	const status = useMailStatus(prospectId);
	if (!status) return null;
	return (
		<span className={`small-lines ${BARRED.includes(status.state) ? "bad-text" : "faint"}`} title={status.reason}>
			{status.reason}
		</span>
	);
}

/** The server's one answer to "why is this person (not) mailed?". */
export function MailStatus({ prospect: p }: { prospect: ProspectFieldsFragment }) {
	const { data } = useOne(MailStatusDocument, { prospectId: p.id });
	if (!data) return null;
	const { state, reason, at, suppression } = data.mailStatus;
	const [look, Icon] = looks[state];
	return (
		<p className={look}>
			<Icon size={16} aria-hidden />
			<span>
				{reason}
				{at && <When at={at} held={state === "held"} />}{" "}
				{suppression && (
					<>
						Added <Time at={suppression.createdAt} />.{" "}
						<Link
							href={`/suppressions/${suppression.id}?search=${encodeURIComponent(suppression.email ?? suppression.domain ?? "")}`}
						>
							Show suppression
						</Link>
					</>
				)}
			</span>
		</p>
	);
}

/** When a hold ends, or before when nothing is sent; nothing if that is now. */
function When({ at, held }: { at: string; held: boolean }) {
	const now = Date.now();
	const said = when(at, now);
	if (said === "now") return null;
	return (
		<time dateTime={at} title={exact(at)}>
			{held ? ` Continues ${said}.` : ` Sent ${said} at the earliest.`}
		</time>
	);
}
