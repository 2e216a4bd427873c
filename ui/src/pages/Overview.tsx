import { AlertTriangle, Check, Circle, CircleDot, Clock, Inbox, MailQuestion, Webhook } from "lucide-react";
import { Link } from "wouter";
import { useOne } from "../data";
import {
	AttentionDocument,
	type AttentionKind,
	OverviewDocument,
	type OverviewQuery,
	WaitingDocument,
} from "../gql/generated";
import { capital, change, count, plural } from "../logic/format";
import { Chart } from "../parts/Chart";
import { Page } from "../parts/Page";
import { Failure, Skeleton } from "../parts/states";
import { Time } from "../parts/Time";
import { usePlace } from "../parts/usePlace";
import { DAYS } from "../start";

type Data = OverviewQuery["overview"];
const periods = [7, 30, 90];

export function Overview() {
	const { params, filter } = usePlace();
	const days = periods.find((n) => String(n) === params.get("days")) ?? DAYS;
	const { data, error, refetch } = useOne(OverviewDocument, { days }, { keep: true });
	const fresh = data && !Object.values(data.overview.setup).every(Boolean);
	return (
		<Page
			title="Overview"
			action={
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
			}
		>
			{!data && error && <Failure error={error} retry={() => void refetch()} />}
			{!data && !error && <Skeleton kind="block" lines={3} />}
			{data && (
				<>
					<Sending overview={data.overview} />
					{fresh && <Setup setup={data.overview.setup} />}
					<div className="split">
						<section className="section" aria-labelledby="what-happened">
							<h2 id="what-happened">Activity</h2>
							<Numbers overview={data.overview} />
							<Chart days={data.overview.days} />
							<OpensNote overview={data.overview} />
						</section>
						<NeedsYou />
					</div>
				</>
			)}
		</Page>
	);
}

function Sending({ overview }: { overview: Data }) {
	const reason = overview.notSendingReason;
	if (reason)
		return (
			<p className="note warn">
				<Clock size={16} aria-hidden />
				<span>
					<b>Not sending.</b> {reason}
				</span>
			</p>
		);
	return (
		<p className="note good">
			<CircleDot size={16} aria-hidden />
			<span>
				<b>Sending now.</b> {plural(overview.sentLastHour, "message")} in the last hour.
			</span>
		</p>
	);
}

const shown = [
	["sent", "Sent"],
	["replied", "Replies"],
	["positive", "Positive replies"],
	["bounced", "Bounces"],
] as const;

function Numbers({ overview: { totals, previous, days } }: { overview: Data }) {
	return (
		<dl className="numbers">
			{shown.map(([key, label]) => (
				<div className="number" key={key}>
					<dt>
						<span className={`swatch ${key}`} aria-hidden />
						{label}
					</dt>
					<dd>{count(totals[key])}</dd>
					<dd>
						<small title={`${count(previous[key])} in the ${days.length} days before`}>
							{previous[key] === 0
								? `none in the ${days.length} days before`
								: `${change(totals[key], previous[key])} against the ${days.length} days before`}
						</small>
					</dd>
				</div>
			))}
		</dl>
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
	endpoint_failing: { icon: Webhook, to: (id) => `/settings/webhooks/${id}`, verb: "Show" },
	message_unknown: { icon: MailQuestion, to: (id) => `/campaigns/unknown/${id}`, verb: "Decide" },
};

function NeedsYou() {
	const { data, error, refetch } = useOne(AttentionDocument, {});
	const replies = useOne(WaitingDocument, {}).data?.waitingReplies ?? 0;
	return (
		<section className="section" aria-labelledby="needs-you">
			<h2 id="needs-you">Needs attention</h2>
			{!data && error && <Failure error={error} retry={() => void refetch()} />}
			{!data && !error && <Skeleton kind="text" lines={4} />}
			{data?.attention.length === 0 && replies === 0 && (
				<p className="faint line">
					<Check size={16} aria-hidden /> Nothing needs attention.
				</p>
			)}
			<ul className="lines">
				{replies > 0 && (
					<li>
						<Inbox size={16} aria-hidden />
						<div className="grow">
							<b>
								{replies > 99
									? "100 replies or more wait"
									: replies === 1
										? "1 reply waits"
										: `${replies} replies wait`}
							</b>
							<p className="faint">Nobody has dealt with {replies === 1 ? "it" : "them"} yet.</p>
						</div>
						<Link className="button" href="/inbox">
							Read
						</Link>
					</li>
				)}
				{data?.attention.map((item) => {
					const { icon: Icon, to, verb } = ways[item.kind];
					return (
						<li key={item.kind + item.subjectId}>
							<Icon size={16} aria-hidden />
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
		<section className="section" aria-labelledby="setup">
			<h2 id="setup">
				Getting started <span className="faint">{done} of 5</span>
			</h2>
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
