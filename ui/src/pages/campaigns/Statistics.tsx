import { AlertTriangle } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useOne } from "../../data";
import {
	type CampaignFieldsFragment,
	CampaignReportDocument,
	type CampaignReportQuery,
	CampaignStatsDocument,
	type CampaignStatsQuery,
} from "../../gql/generated";
import { count, plural, share } from "../../logic/format";
import { funnel } from "../../logic/funnel";
import { DayColumns } from "../../parts/DayColumns";
import { Failure, Skeleton } from "../../parts/states";
import { useMedia } from "../../parts/useMedia";
import { Funnel } from "./Funnel";

/** Four whole weeks. */
const DAYS = 28;
/** From this share of bounces on mail providers begin to distrust a sender; fewer messages say nothing. */
const ALARM = 0.03;
const ENOUGH = 20;

export function Statistics({ campaign }: { campaign: CampaignFieldsFragment }) {
	const { data: stats, error, refetch } = useOne(CampaignStatsDocument, { id: campaign.id });
	const report = useOne(CampaignReportDocument, { id: campaign.id, days: DAYS }, { live: 30_000 });
	const failed = error ?? report.error;
	if (!stats || !report.data) {
		if (!failed) return <Skeleton kind="block" lines={2} />;
		return <Failure error={failed} retry={() => void Promise.all([refetch(), report.refetch()])} />;
	}
	const s = stats.campaignStats,
		r = report.data.campaignReport;
	if (r.contacted === 0)
		return (
			<p className="faint">
				{s.prospects === 0 ? "No one is enrolled yet." : `${plural(s.prospects, "person", "people")} enrolled.`}{" "}
				Statistics begin with the first mail.
			</p>
		);
	const stages = funnel(s, r.contacted, { opens: campaign.trackOpens, clicks: campaign.trackClicks });
	return (
		<div className="stack wide-gap">
			<Alarm campaignId={campaign.id} steps={r.steps} />
			<section className="section" aria-label="Funnel">
				<Funnel stages={stages} />
				{s.opens > 0 && (
					<p className="faint">
						Opened is an <b>upper bound</b>: {plural(s.opens, "fetch", "fetches")} of the pixel, mail programs and
						scanners included
						{campaign.trackOpens ? "" : ". Open tracking is off now"}.
					</p>
				)}
			</section>
			<Figures campaign={campaign} stats={s} contacted={r.contacted} />
			<ByStep campaign={campaign} steps={r.steps} />
			<section className="section" aria-labelledby="by-day">
				<h2 id="by-day">Last {DAYS} days</h2>
				<DayColumns days={r.days} />
			</section>
		</div>
	);
}

type Steps = CampaignReportQuery["campaignReport"]["steps"];

function Alarm({ campaignId, steps }: { campaignId: string; steps: Steps }) {
	const sum = (key: "sent" | "bounced") => steps.reduce((all, step) => all + step[key], 0);
	const sent = sum("sent"),
		bounced = sum("bounced");
	if (sent < ENOUGH || bounced / sent < ALARM) return null;
	return (
		<p className="note bad" role="status">
			<AlertTriangle size={16} aria-hidden />
			<span>
				<b>
					{count(bounced)} of {plural(sent, "message")} bounced ({share(bounced, sent)}).
				</b>{" "}
				Above 3 % mail providers start to block a sender. Pause the campaign and check the addresses.{" "}
				<Link href={`/campaigns/${campaignId}/people?status=bounced`}>Show bounced people</Link>
			</span>
		</p>
	);
}

function Figures({
	campaign,
	stats: s,
	contacted,
}: {
	campaign: CampaignFieldsFragment;
	stats: CampaignStatsQuery["campaignStats"];
	contacted: number;
}) {
	const people = `/campaigns/${campaign.id}/people?status=`;
	const rate = (n: number) => (
		<>
			{share(n, contacted)} <small className="faint">{count(n)}</small>
		</>
	);
	const figures: [string, ReactNode, ReactNode][] = [
		["Bounced", rate(s.bounced), "of those written to"],
		["Unsubscribed", rate(s.unsubscribed), "of those written to"],
		[
			"In sequence",
			count(s.active + s.held),
			s.held > 0 ? (
				<Link key="held" href={`${people}held`}>
					{count(s.held)} of them held
				</Link>
			) : (
				"none of them held"
			),
		],
	];
	return (
		<dl className="numbers">
			{figures.map(([label, figure, note]) => (
				<div className="number" key={label}>
					<dt>{label}</dt>
					<dd>{figure}</dd>
					<dd>
						<small>{note}</small>
					</dd>
				</div>
			))}
		</dl>
	);
}

const parts = ["clicked", "replied", "positive", "bounced", "unsubscribed"] as const;
const heads: Record<(typeof parts)[number], string> = {
	clicked: "Clicked",
	replied: "Replied",
	positive: "Positive",
	bounced: "Bounced",
	unsubscribed: "Unsubscribed",
};

/** The outcomes of the messages of each step: a table, or where that has no room a card for each step. */
function ByStep({ campaign, steps }: { campaign: CampaignFieldsFragment; steps: Steps }) {
	const narrow = useMedia("(max-width: 1000px)");
	const most = Math.max(1, ...steps.map(({ sent }) => sent));
	const rows = campaign.steps.map(({ subject }, n) => ({
		n: n + 1,
		subject: subject ?? "Same thread",
		counts: steps.find((counts) => counts.step === n + 1),
	}));
	if (rows.length === 0) return null;
	return (
		<section className="section" aria-labelledby="by-step">
			<h2 id="by-step">By step</h2>
			{narrow ? (
				<ol className="step-cards">
					{rows.map(({ n, subject, counts }) => (
						<li key={n}>
							<h3 className="clip" title={subject}>
								{n} <span className="faint">{subject}</span>
							</h3>
							<dl>
								<dt>Sent</dt>
								<dd>
									<Sent n={counts?.sent ?? 0} most={most} />
								</dd>
								{parts.map((part) => [
									<dt key={part}>{heads[part]}</dt>,
									<dd key={`${part}n`}>
										<Part n={counts?.[part] ?? 0} sent={counts?.sent ?? 0} />
									</dd>,
								])}
							</dl>
						</li>
					))}
				</ol>
			) : (
				<table className="plain by-step">
					<thead>
						<tr>
							<th scope="col">Step</th>
							<th scope="col">Sent</th>
							{parts.map((part) => (
								<th scope="col" className="num" key={part}>
									{heads[part]}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{rows.map(({ n, subject, counts }) => (
							<tr key={n}>
								<th scope="row">
									<span className="line tight">
										<b>{n}</b>{" "}
										<span className="clip" title={subject}>
											{subject}
										</span>
									</span>
								</th>
								<td>
									<Sent n={counts?.sent ?? 0} most={most} />
								</td>
								{parts.map((part) => (
									<td className="num" key={part}>
										<Part n={counts?.[part] ?? 0} sent={counts?.sent ?? 0} />
									</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			)}
			<p className="faint">Rates are of the messages of the step.</p>
		</section>
	);
}

/** The messages of a step, beside a bar that compares them with those of the others. */
function Sent({ n, most }: { n: number; most: number }) {
	return (
		<span className="with-measure">
			<span className="measure">
				<span style={{ width: `${(n / most) * 100}%` }} />
			</span>
			{count(n)}
		</span>
	);
}

function Part({ n, sent }: { n: number; sent: number }) {
	if (n === 0) return <span className="faint">–</span>;
	return (
		<>
			{share(n, sent)} <small className="faint">{count(n)}</small>
		</>
	);
}
