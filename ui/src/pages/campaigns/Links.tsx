import { Link2 } from "lucide-react";
import { Link } from "wouter";
import { useOne } from "../../data";
import { TrackingDomainDocument } from "../../gql/generated";
import { bodies, type StepDraft } from "../../logic/campaignDraft";
import { plural } from "../../logic/format";
import { linksOf } from "../../logic/richBody";

interface Props {
	step: StepDraft;
	campaignId: string;
	/** Whether the campaign counts clicks. */
	counted: boolean;
}

/** How many links a step has, and whether clicks on them are counted. */
export function Links({ step, campaignId, counted }: Props) {
	const { bodyHtml, bodyText } = bodies(step);
	const links = linksOf(bodyHtml, bodyText);
	const domain = useOne(TrackingDomainDocument, {}, { enabled: links.length > 0, live: false }).data?.trackingDomain;
	if (links.length === 0) return null;
	return (
		<p className="links faint" title={links.join("\n")}>
			<Link2 size={14} aria-hidden />
			<span>
				{plural(links.length, "link")}.{" "}
				{!counted ? (
					<>
						Clicks are not counted: <Link href={`/campaigns/${campaignId}/schedule`}>click tracking is off</Link>.
					</>
				) : domain?.status === "verified" ? (
					<>
						Clicks are counted: {links.length > 1 ? "the links lead" : "the link leads"} through{" "}
						<b className="mail">{domain.host}</b>.
					</>
				) : (
					<>
						Clicks are not counted: <Link href="/settings/domain">no verified tracking domain</Link>.
					</>
				)}
			</span>
		</p>
	);
}
