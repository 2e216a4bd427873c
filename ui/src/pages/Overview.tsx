import {
	AlertTriangle,
	Check,
	Circle,
	CircleDot,
	Clock,
	KeyRound,
	MailQuestion,
	ShieldAlert,
	Webhook,
} from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useOne } from "../data";
import { InterestValues } from "../gql/enums";
import {
	AttentionDocument,
	type AttentionKind,
	CapacityDocument,
	OpenRepliesDocument,
	OverviewDocument,
	type OverviewQuery,
	WaitingDocument,
} from "../gql/generated";
import { capital, change, count, plural, share } from "../logic/format";
import { Chart } from "../parts/Chart";
import { Page } from "../parts/Page";
import { Failure, Skeleton } from "../parts/states";
import { Time } from "../parts/Time";
import { usePlace } from "../parts/usePlace";
import { DAYS } from "../start";

type Data = OverviewQuery["overview"];
/** Whole weeks, so that both periods of a comparison have the same weekdays; 90 days are the most. */
const periods = [7, 28, 90];
/** How many mailboxes, and things that need attention, are shown one by one. */
const MAILBOXES = 5,
	PROBLEMS = 5;

export function Overview() {
	const { params, filter } = usePlace();
	const days = periods.find((n) => String(n) === params.get("days")) ?? DAYS;
	const { data, error, refetch } = useOne(OverviewDocument, { days }, { keep: true });
	const fresh = data && !Object.values(data.overview.setup).every(Boolean);
	return (
		<Page title="Overview">
			{!data && error && <Failure error={error} retry={() => void refetch()} />}
			{!data && !error && <Skeleton kind="block" lines={3} />}
			{data && (
				<>
					<Sending overview={data.overview} />
					{fresh && <Setup setup={data.overview.setup} />}
					<div className="split">
						<div className="stack wide-gap">
							<NeedsAttention />
							<RepliesWaiting />
						</div>
						<Capacity />
					</div>
					<section className="section" aria-labelledby="activity">
						<header>
							<h2 id="activity">Activity</h2>
							<select
								className="filter"
								aria-label="Period"
								value={days}
								onChange={(event) => filter("days", event.target.value === String(DAYS) ? "" : event.target.value)}
							>
								{periods.map((n) => (
									<option key={n} value={n}>
										Last {n} days
									</option>
								))}
							</select>
						</header>
						<Multiples overview={data.overview} />
						<Chart days={data.overview.days} />
						<OpensNote overview={data.overview} />
					</section>
				</>
			)}
		</Page>
	);
}

function Sending({ overview }: { overview: Data }) {
	const reason = overview.notSendingReason;
	return (
		<p className="standing">
			{reason ? <Clock size={14} aria-hidden /> : <CircleDot size={14} className="good-text" aria-hidden />}
			<span>
				{reason
					? `Not sending right now. ${reason}`
					: `Sending now, ${plural(overview.sentLastHour, "message")} in the last hour.`}
			</span>
		</p>
	);
}

const shown = [
	["sent", "Sent", null],
	["replied", "Replies", "sent"],
	["positive", "Positive replies", "replied"],
	["bounced", "Bounces", "sent"],
] as const;
const of = { sent: "of messages sent", replied: "of replies" } as const;

/** Against so few a change in percent says nothing. */
const FEW = 10;

/** One tile for each figure: the total, its rate, the change, and the days as bars. */
function Multiples({ overview: { totals, previous, days } }: { overview: Data }) {
	return (
		<dl className="multiples" aria-label={`Last ${days.length} days`}>
			{shown.map(([key, label, whole]) => (
				<div className="number" key={key}>
					<dt>
						<span className={`swatch ${key}`} aria-hidden />
						{label}
					</dt>
					<dd>
						{count(totals[key])}
						{whole && totals[whole] > 0 && (
							<small title={of[whole]}>
								{share(totals[key], totals[whole])} <span className="offscreen">{of[whole]}</span>
							</small>
						)}
					</dd>
					<dd>
						<small title={`${count(previous[key])} in the ${days.length} days before`}>
							{previous[key] < FEW
								? `${previous[key] === 0 ? "none" : previous[key]} in the ${days.length} days before`
								: `${change(totals[key], previous[key])} compared with the ${days.length} days before`}
						</small>
					</dd>
					<dd>
						<Bars values={days.map((day) => day[key])} className={key} />
					</dd>
				</div>
			))}
		</dl>
	);
}

/** The days as bars, for the eye only; the chart below has the figures. */
function Bars({ values, className }: { values: number[]; className: string }) {
	const most = Math.max(1, ...values);
	return (
		<svg className={`bars ${className}`} viewBox={`0 0 ${values.length * 4} 40`} preserveAspectRatio="none" aria-hidden>
			{values.map((value, day) => {
				const height = value === 0 ? 1 : Math.max(2, (value / most) * 40);
				// biome-ignore lint/suspicious/noArrayIndexKey: a day is its place
				return <rect key={day} x={day * 4} y={40 - height} width={3} height={height} />;
			})}
		</svg>
	);
}

/** How much of today's limit each mailbox has used. */
function Capacity() {
	const { data } = useOne(CapacityDocument, {}, { live: 30_000 });
	const boxes = data?.mailboxes.nodes ?? [];
	if (boxes.length === 0) return null;
	const working = boxes.filter(({ status }) => status === "connected");
	const sent = working.reduce((sum, box) => sum + box.sentToday, 0),
		limit = working.reduce((sum, box) => sum + box.limitToday, 0);
	return (
		<section className="section" aria-labelledby="capacity">
			<header>
				<h2 id="capacity">Sending capacity today</h2>
				<span className="faint">
					{count(sent)} of {count(limit)}
				</span>
			</header>
			<ul className="capacity">
				{boxes.slice(0, MAILBOXES).map((box) => (
					<li key={box.id}>
						<Link className="clip" href={`/mailboxes/${box.id}`} title={box.email}>
							{box.email}
						</Link>
						<span className={box.status === "error" ? "bad-text" : "faint"}>
							{box.status === "connected"
								? `${count(box.sentToday)} of ${count(box.limitToday)}`
								: box.status === "error"
									? "Error"
									: "Paused"}
						</span>
						<span className="measure">
							<span style={{ width: `${Math.min(100, (box.sentToday / (box.limitToday || 1)) * 100)}%` }} />
						</span>
					</li>
				))}
			</ul>
			{boxes.length > MAILBOXES && <Link href="/mailboxes">Show all {count(boxes.length)} mailboxes</Link>}
		</section>
	);
}

function OpensNote({ overview: { totals } }: { overview: Data }) {
	return (
		<p className="faint line tight">
			<span className="swatch opens dots" aria-hidden />
			<span>
				Opens: {count(totals.opens)}, <b>upper bound</b>: includes mail programs and scanners. Clicks:{" "}
				{count(totals.clicked)}. Unsubscribed: {count(totals.unsubscribed)}.
			</span>
		</p>
	);
}

const ways: Record<AttentionKind, { icon: typeof Clock; to: (id: string) => string; verb: string }> = {
	enrollment_held: { icon: Clock, to: (id) => `/campaigns/held/${id}`, verb: "Show" },
	mailbox_error: { icon: AlertTriangle, to: (id) => `/mailboxes/${id}`, verb: "Show" },
	mailbox_near_bound: { icon: ShieldAlert, to: () => "/deliverability", verb: "Show" },
	oauth_client_refused: { icon: KeyRound, to: () => "/settings/mail", verb: "Show" },
	sending_domain_failing: { icon: ShieldAlert, to: () => "/deliverability", verb: "Show" },
	endpoint_failing: { icon: Webhook, to: (id) => `/settings/webhooks/${id}`, verb: "Show" },
	message_unknown: { icon: MailQuestion, to: (id) => `/campaigns/unknown/${id}`, verb: "Decide" },
};

/** What has not failed yet. */
const soft: AttentionKind[] = ["enrollment_held", "mailbox_near_bound"];

/** What does not run until a person looks at it. */
function NeedsAttention() {
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
				<ul className="lines">
					{problems.slice(0, all ? undefined : PROBLEMS).map((item) => {
						const { icon: Icon, to, verb } = ways[item.kind];
						return (
							<li key={item.kind + item.subjectId}>
								<Icon size={16} className={soft.includes(item.kind) ? "warn-text" : "bad-text"} aria-hidden />
								<div className="grow">
									<b>{item.title}</b>
									<p className="faint">
										{capital(item.detail)} · <Time at={item.since} />
									</p>
								</div>
								<Link className="button" href={to(item.subjectId)} aria-label={`${verb}: ${item.title}`}>
									{verb}
								</Link>
							</li>
						);
					})}
				</ul>
			)}
			{problems.length > PROBLEMS && !all && (
				<p>
					<button type="button" className="link" onClick={() => setAll(true)}>
						Show all {count(problems.length)}
					</button>
				</p>
			)}
		</section>
	);
}

/** The open replies by what people want. */
function RepliesWaiting() {
	const total = useOne(WaitingDocument, {}).data?.waitingReplies;
	const { data } = useOne(OpenRepliesDocument, {}, { live: 30_000 });
	const nodes = data?.replies.nodes ?? [];
	const by = InterestValues.map(
		(interest) => [interest, nodes.filter((reply) => reply.interest === interest).length] as const,
	);
	return (
		<section className="section" aria-labelledby="replies-waiting">
			<header>
				<h2 id="replies-waiting">Replies waiting</h2>
				{total !== undefined && total > 0 && (
					<Link className="button primary" href="/inbox">
						Read
					</Link>
				)}
			</header>
			{total === 0 && (
				<p className="faint line">
					<Check size={16} aria-hidden /> No reply waits for an answer.
				</p>
			)}
			{total !== undefined && total > 0 && (
				<p className="waiting">
					<b>{total > 99 ? "100 or more replies" : plural(total, "reply", "replies")}</b>
					{by.map(
						([interest, n]) =>
							n > 0 && (
								<Link key={interest} href={`/inbox?interest=${interest}`}>
									{count(n)} {interest}
								</Link>
							),
					)}
				</p>
			)}
		</section>
	);
}

const firstFive = [
	["mailbox", "Connect a mailbox", "/mailboxes/new"],
	["prospects", "Add prospects", "/prospects/import"],
	["campaign", "Write a campaign", "/campaigns/new"],
	["trackingDomain", "Set up a tracking domain", "/settings/domain"],
	["webhook", "Add a webhook", "/settings/webhooks"],
] as const;

function Setup({ setup }: { setup: Data["setup"] }) {
	const done = firstFive.filter(([key]) => setup[key]).length;
	return (
		<section className="section setup" aria-labelledby="setup">
			<h2 id="setup">
				Getting started <span className="faint">{done} of 5</span>
			</h2>
			<progress aria-label="Getting started" value={done} max={5} />
			<ul className="lines">
				{firstFive.map(([key, label, to]) =>
					setup[key] ? (
						<li key={key} className="done">
							<Check size={16} aria-hidden />
							<s>{label}</s>
							<span className="offscreen">done</span>
						</li>
					) : (
						<li key={key}>
							<Circle size={16} aria-hidden />
							<Link href={to}>{label}</Link>
						</li>
					),
				)}
			</ul>
		</section>
	);
}
