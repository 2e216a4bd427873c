import { Users } from "lucide-react";
import { useState } from "react";
import { request } from "../../api";
import { refresh, useOne } from "../../data";
import {
	CampaignContinuationDocument,
	type CampaignFieldsFragment,
	ContinueFinishedDocument,
} from "../../gql/generated";
import { plural, when } from "../../logic/format";
import { Confirm } from "../../parts/Confirm";
import { toast } from "../../parts/Toasts";

/** Offers steps that were added later to those who have finished. */
export function ContinueFinished({
	campaign: c,
	onDone,
}: {
	campaign: CampaignFieldsFragment;
	onDone: (c: CampaignFieldsFragment) => void;
}) {
	const [asking, setAsking] = useState(false);
	const may = c.status === "active" || c.status === "completed";
	const { data } = useOne(CampaignContinuationDocument, { id: c.id }, { enabled: may, live: 600_000 });
	const next = data?.campaignContinuation;
	if (!may || !next?.continued) return null;
	const act = async () => {
		const { continueFinished: done } = await request(ContinueFinishedDocument, { id: c.id });
		onDone(done.campaign);
		toast(`${plural(done.continued, "person", "people")} continued.`);
		void refresh();
	};
	return (
		<p className="note">
			<Users size={16} aria-hidden />
			<span>
				{plural(next.continued, "person has", "people have")} finished and can get the steps that were added since.{" "}
				<button type="button" className="link" onClick={() => setAsking(true)}>
					Continue
				</button>
			</span>
			{asking && (
				<Confirm
					title={`Continue ${plural(next.continued, "finished person", "finished people")}?`}
					verb="Continue"
					safe
					act={act}
					onClose={() => setAsking(false)}
				>
					<ul>
						{next.steps.map(({ step, people, nextSendAt }) => (
							<li key={step}>
								{plural(people, "person", "people")} will get step {step}
								{people > 1 && ", the first"} {when(nextSendAt ?? "", Date.now())}.
							</li>
						))}
						{next.refused > 0 && (
							<li>{plural(next.refused, "person stays", "people stay")} finished: they must not be mailed.</li>
						)}
					</ul>
				</Confirm>
			)}
		</p>
	);
}
