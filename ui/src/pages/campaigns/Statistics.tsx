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
import { Chart } from "../../parts/Chart";
import { ScrollX } from "../../parts/ScrollX";
import { Failure, Skeleton } from "../../parts/states";

const DAYS = 30;
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
	return (
		<div className="stack">
			<Alarm campaignId={campaign.id} steps={r.steps} />
			<Figures campaign={campaign} stats={s} contacted={r.contacted} />
			<Funnel campaign={campaign} steps={r.steps} />
			<section className="section" aria-labelledby="by-day">
				<h2 id="by-day">Last {DAYS} days</h2>
				<Chart days={r.days} />
			</section>
			<p className="faint line tight">
				<span className="swatch opens dots" aria-hidden />
				<span>
					Opens: {count(s.opens)}, <b>upper bound</b>: includes mail programs and scanners
					{campaign.trackOpens ? "" : ". Open tracking is off in this campaign"}.
				</span>
			</p>
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
		["Contacted", count(contacted), `of ${plural(s.prospects, "person", "people")} enrolled`],
		["Replied", rate(s.replied), "of people contacted"],
		["Positive", rate(s.positive), "of people contacted"],
		["Clicked", rate(s.clicked), campaign.trackClicks ? "of people contacted" : "click tracking is off"],
		["Bounced", rate(s.bounced), "of people contacted"],
		["Unsubscribed", rate(s.unsubscribed), "of people contacted"],
		[
			"In sequence",
			count(s.active),
			s.held > 0 ? (
				<Link key="held" href={`${people}held`}>
					{count(s.held)} held
				</Link>
			) : (
				"none held"
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

/** The outcomes of the messages of each step. */
function Funnel({ campaign, steps }: { campaign: CampaignFieldsFragment; steps: Steps }) {
	const most = Math.max(1, ...steps.map(({ sent }) => sent));
	const rows = campaign.steps.map((step, n) => ({
		n: n + 1,
		subject: step.subject,
		counts: steps.find((counts) => counts.step === n + 1),
	}));
	if (rows.length === 0) return null;
	return (
		<section className="section" aria-labelledby="by-step">
			<h2 id="by-step">By step</h2>
			<ScrollX label="Statistics by step">
				<table className="plain funnel">
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
										<b>{n}</b> <span className="clip">{subject ?? "Same thread"}</span>
									</span>
								</th>
								<td>
									<span className="with-measure">
										<span className="measure">
											<span style={{ width: `${((counts?.sent ?? 0) / most) * 100}%` }} />
										</span>
										{count(counts?.sent ?? 0)}
									</span>
								</td>
								{parts.map((part) => (
									<td className="num" key={part}>
										{counts && counts[part] > 0 ? (
											<>
												{share(counts[part], counts.sent)} <small className="faint">{count(counts[part])}</small>
											</>
										) : (
											<span className="faint">–</span>
										)}
									</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			</ScrollX>
		</section>
	);
}
