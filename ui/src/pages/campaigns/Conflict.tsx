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

/** Two people, or one in two tabs, edited one campaign: says so, and leaves it to the second whose word stands. */
export function Conflict({ mine, campaign, looking, onLook, onOverwrite }: Props) {
	const apart = differences(mine, draftOf(campaign));
	return (
		<div className="note warn" role="status">
			<AlertTriangle size={16} aria-hidden />
			<div className="grow section">
				<p>
					<b>This campaign was changed elsewhere since you began to edit it.</b>{" "}
					{looking ? "This is that version; yours is kept." : "What you typed is kept, but not saved."}{" "}
					{apart.length > 0 ? `The two differ in ${apart.join(", ")}.` : "Both say the same: discard yours."}
				</p>
				<div className="buttons start">
					<button type="button" onClick={onLook} aria-pressed={looking}>
						{looking ? "Back to mine" : "Look at the other"}
					</button>
					<button type="button" onClick={onOverwrite}>
						Overwrite it with mine
					</button>
				</div>
			</div>
		</div>
	);
}
