import { AlertTriangle } from "lucide-react";
import type { CampaignFieldsFragment } from "../../gql/generated";
import { type CampaignDraft, differences, draftOf } from "../../logic/campaignDraft";

interface Props {
	mine: CampaignDraft;
	campaign: CampaignFieldsFragment;
	looking: boolean;
	onLook: () => void;
	onOverwrite: () => void;
}

/** Shows that another user or tab has changed the campaign. The second editor decides which version is kept. */
export function Conflict({ mine, campaign, looking, onLook, onOverwrite }: Props) {
	const apart = differences(mine, draftOf(campaign));
	return (
		<div className="note warn conflict" role="status">
			<AlertTriangle size={16} aria-hidden />
			<div className="grow section">
				<p>
					<b>Someone else changed this campaign while you were editing.</b>{" "}
					{looking ? "This is their version. Yours is kept." : "Your changes are kept but not saved."}{" "}
					{apart.length > 0 ? `Differences: ${apart.join(", ")}.` : "Both versions are the same. Discard yours."}
				</p>
				<div className="buttons start">
					<button type="button" onClick={onLook} aria-pressed={looking}>
						{looking ? "Back to my version" : "View their version"}
					</button>
					<button type="button" onClick={onOverwrite}>
						Keep mine
					</button>
				</div>
			</div>
		</div>
	);
}
