import { Users } from "lucide-react";
import { useOne } from "../../data";
import { type CampaignFieldsFragment, CampaignReportDocument, CampaignWaitingDocument } from "../../gql/generated";
import type { StepDraft } from "../../logic/campaignDraft";
import { type Effects, firstMoved, stepEffects } from "../../logic/stepEffects";

/**
 * What saving the steps does to people who wait; undefined until it is known, and for campaigns that have no one
 * under way. Which steps were sent is asked only when one is removed or moved, because all messages are counted for it.
 */
export function useStepEffects(c: CampaignFieldsFragment, steps: StepDraft[], unsaved: boolean): Effects | undefined {
	const enabled = unsaved && (c.status === "active" || c.status === "paused");
	const moved = firstMoved(c.steps, steps) >= 0;
	const waiting = useOne(CampaignWaitingDocument, { id: c.id }, { enabled, live: 60_000 }).data?.campaignWaiting;
	const report = useOne(CampaignReportDocument, { id: c.id, days: 1 }, { enabled: enabled && moved, live: false });
	if (!enabled || !waiting || (moved && !report.data)) return undefined;
	const lastSent = moved ? Math.max(0, ...(report.data?.campaignReport.steps.map(({ step }) => step) ?? [])) : 0;
	return stepEffects(c.steps, steps, waiting, lastSent, Date.now());
}

/** What will happen when the steps are saved. */
export function Effect({ text }: { text: string }) {
	return (
		<p className="note step-effect" role="status">
			<Users size={16} aria-hidden />
			<span>{text}</span>
		</p>
	);
}
