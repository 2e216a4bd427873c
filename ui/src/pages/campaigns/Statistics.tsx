import type { ReactNode } from "react";
import { Link } from "wouter";
import { useOne } from "../../data";
import { type CampaignFieldsFragment, CampaignStatsDocument } from "../../gql/generated";
import { count, share } from "../../logic/format";
import { Failure, Skeleton } from "../../parts/states";

export function Statistics({ campaign }: { campaign: CampaignFieldsFragment }) {
	const { data, error, refetch } = useOne(CampaignStatsDocument, { id: campaign.id });
	const s = data?.campaignStats;
	if (!s) return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="block" lines={2} />;
	const numbers: [string, number, ReactNode][] = [
		["People", s.prospects, "enrolled"],
		["Active", s.active, "in the sequence"],
		[
			"Held",
			s.held,
			s.held > 0 ? (
				<Link key="held" href={`/campaigns/${campaign.id}/people?status=held`}>
					see who waits
				</Link>
			) : (
				"nobody waits"
			),
		],
		["Sent", s.sent, "messages"],
		["Replies", s.replied, `${share(s.replied, s.prospects)} of people`],
		["Positive", s.positive, `${share(s.positive, s.prospects)} of people`],
		[
			"Clicks",
			s.clicked,
			campaign.trackClicks ? `${share(s.clicked, s.sent)} of messages` : "not counted in this campaign",
		],
		["Bounces", s.bounced, `${share(s.bounced, s.sent)} of messages`],
		["Unsubscribed", s.unsubscribed, `${share(s.unsubscribed, s.prospects)} of people`],
	];
	return (
		<div className="stack">
			<dl className="numbers">
				{numbers.map(([label, n, note]) => (
					<div className="number" key={label}>
						<dt>{label}</dt>
						<dd>{count(n)}</dd>
						<dd>
							<small>{note}</small>
						</dd>
					</div>
				))}
			</dl>
			<p className="faint line tight">
				<span className="swatch opens dots" aria-hidden />
				<span>
					Opens: {count(s.opens)}, <b>upper bound</b>: includes mail programs and scanners
					{campaign.trackOpens ? "" : "; counting is off in this campaign"}.
				</span>
			</p>
		</div>
	);
}
