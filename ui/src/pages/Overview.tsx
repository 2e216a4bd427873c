import { Check, Circle, CircleDot, Clock } from "lucide-react";
import { Link } from "wouter";
import { useOne } from "../data";
import { CapacityDocument, OverviewDocument, type OverviewQuery } from "../gql/generated";
import { change, count, plural, share } from "../logic/format";
import { DayColumns } from "../parts/DayColumns";
import { Page } from "../parts/Page";
import { Failure, Skeleton } from "../parts/states";
import { usePlace } from "../parts/usePlace";
import { DAYS } from "../start";
import { NeedsAttention } from "./overview/NeedsAttention";
import { RepliesWaiting } from "./overview/RepliesWaiting";

type Data = OverviewQuery["overview"];
/** Whole weeks, so that both periods of a comparison have the same weekdays; 90 days are the most. */
const periods = [7, 28, 90];
/** How many mailboxes are shown one by one. */
const MAILBOXES = 5;

export function Overview() {
	const { params, filter } = usePlace();
	const days = periods.find((n) => String(n) === params.get("days")) ?? DAYS;
	const { data, error, refetch } = useOne(OverviewDocument, { days }, { keep: true });
	const fresh = data && !Object.values(data.overview.setup).every(Boolean);
	// Drawn together: what comes later would move what is read.
	if (!data && !error)
		return (
			<Page title="Overview">
				<Skeleton kind="block" lines={3} />
			</Page>
		);
	return (
		<Page title="Overview">
			{data && <Sending overview={data.overview} />}
			{fresh && <Setup setup={data.overview.setup} />}
			<div className="desk">
				<RepliesWaiting />
				<NeedsAttention />
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
				{data && <Activity overview={data.overview} />}
				{!data && error && <Failure error={error} retry={() => void refetch()} />}
			</section>
		</Page>
	);
}

/** The figures of the period, the days, and how much more may be sent today. */
function Activity({ overview }: { overview: Data }) {
	const { days } = overview;
	return (
		<>
			<Multiples overview={overview} />
			<div className="split">
				<div className="stack">
					{days.some(({ sent, replied }) => sent + replied > 0) ? (
						<DayColumns days={days} />
					) : (
						<p className="faint">Nothing was sent and nobody replied in these {days.length} days.</p>
					)}
					<OpensNote overview={overview} />
				</div>
				<Capacity />
			</div>
		</>
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

/** One tile for each figure: the total, its rate and the change. The chart below has the days. */
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
				</div>
			))}
		</dl>
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
