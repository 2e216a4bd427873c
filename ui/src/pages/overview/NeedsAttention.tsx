import {
	AlertTriangle,
	Check,
	Clock,
	KeyRound,
	type LucideIcon,
	MailQuestion,
	ShieldAlert,
	Webhook,
} from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useChange, useOne } from "../../data";
import {
	AttentionDocument,
	type AttentionKind,
	type AttentionQuery,
	CapacityDocument,
	CheckMailboxDocument,
} from "../../gql/generated";
import { capital, count } from "../../logic/format";
import { Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { toast, toastError } from "../../parts/Toasts";

type Problem = AttentionQuery["attention"][number];

/** How many problems are shown until a person asks for all. */
const SHOWN = 5;

/** Where each kind of problem is solved, and what the button says that leads there. */
const ways: Record<AttentionKind, { icon: LucideIcon; to: (id: string) => string; verb: string }> = {
	enrollment_held: { icon: Clock, to: (id) => `/campaigns/held/${id}`, verb: "Resolve" },
	mailbox_error: { icon: AlertTriangle, to: (id) => `/mailboxes/${id}`, verb: "Open" },
	mailbox_near_bound: { icon: ShieldAlert, to: () => "/deliverability", verb: "Review" },
	oauth_client_refused: { icon: KeyRound, to: () => "/settings/mail", verb: "Edit client" },
	sending_domain_failing: { icon: ShieldAlert, to: () => "/deliverability", verb: "Fix record" },
	endpoint_failing: { icon: Webhook, to: (id) => `/settings/webhooks/${id}`, verb: "Test" },
	message_unknown: { icon: MailQuestion, to: (id) => `/campaigns/unknown/${id}`, verb: "Decide" },
};

/** What has not failed yet. */
const soft: AttentionKind[] = ["enrollment_held", "mailbox_near_bound"];

/** What does not run until a person looks at it, the most urgent first. */
export function NeedsAttention() {
	const { data, error, refetch } = useOne(AttentionDocument, {});
	const [all, setAll] = useState(false);
	const problems = data?.attention ?? [];
	return (
		<section className="section" aria-labelledby="needs-attention">
			<h2 id="needs-attention">Needs attention</h2>
			{!data && error && <Failure error={error} retry={() => void refetch()} />}
			{!data && !error && <Skeleton kind="text" lines={4} />}
			{data && problems.length === 0 && (
				<p className="faint line">
					<Check size={16} aria-hidden /> Nothing needs attention.
				</p>
			)}
			{problems.length > 0 && (
				<ul className="lines attention">
					{problems.slice(0, all ? undefined : SHOWN).map((problem) => (
						<Line key={problem.kind + problem.subjectId} problem={problem} />
					))}
				</ul>
			)}
			{problems.length > SHOWN && !all && (
				<p>
					<button type="button" className="link" onClick={() => setAll(true)}>
						Show all {count(problems.length)}
					</button>
				</p>
			)}
		</section>
	);
}

/** A problem with the one action that solves it. A mailbox that cannot be reached is tested here. */
function Line({ problem: { kind, subjectId, title, detail, since } }: { problem: Problem }) {
	const boxes = useOne(CapacityDocument, {}, { live: 30_000 }).data?.mailboxes.nodes;
	const box = kind === "mailbox_error" ? boxes?.find(({ id }) => id === subjectId) : undefined;
	const { icon: Icon, to, verb } = ways[kind];
	const unreachable = box?.status === "error" && !box.authError;
	const name = box?.authError ? "Reconnect" : box?.status === "paused" ? "Resume" : verb;
	return (
		<li>
			<Icon size={16} className={soft.includes(kind) ? "warn-text" : "bad-text"} aria-hidden />
			<div className="grow">
				<b>{unreachable ? <Link href={to(subjectId)}>{title}</Link> : title}</b>
				<p className="faint">
					{capital(detail)} · <Time at={since} />
				</p>
			</div>
			{unreachable ? (
				<TestLogins id={subjectId} title={title} />
			) : (
				<Link className="button" href={to(subjectId)} aria-label={`${name}: ${title}`}>
					{name}
				</Link>
			)}
		</li>
	);
}

function TestLogins({ id, title }: { id: string; title: string }) {
	const check = useChange(CheckMailboxDocument);
	return (
		<button
			type="button"
			disabled={check.isPending}
			aria-label={`Check now: ${title}`}
			onClick={() =>
				check.mutate(
					{ id },
					{
						onSuccess: ({ checkMailbox: c }) => toast(c.lastError ? "The check failed." : "Both servers work."),
						onError: toastError,
					},
				)
			}
		>
			{check.isPending ? "Checking…" : "Check now"}
		</button>
	);
}
