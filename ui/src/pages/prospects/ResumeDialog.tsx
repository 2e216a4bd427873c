import { request } from "../../api";
import { useOne } from "../../data";
import {
	EnrollmentContinuationDocument,
	type EnrollmentFieldsFragment,
	ResumeEnrollmentDocument,
} from "../../gql/generated";
import { nameOf, when } from "../../logic/format";
import { Confirm } from "../../parts/Confirm";
import { toast } from "../../parts/Toasts";
import { showMoved } from "../campaigns/showMoved";

/** Asks before an enrollment that was stopped, or ended by a reply, goes on, and says what will happen. */
export function ResumeDialog({
	enrollment: e,
	onClose,
}: {
	enrollment: EnrollmentFieldsFragment;
	onClose: () => void;
}) {
	const { data, error } = useOne(EnrollmentContinuationDocument, { id: e.id });
	const next = data?.enrollmentContinuation;
	const who = e.prospect ? nameOf(e.prospect) : "This prospect";
	const act = async () => {
		const input = { force: next?.needsForce ?? false };
		showMoved([e], [(await request(ResumeEnrollmentDocument, { id: e.id, input })).resumeEnrollment]);
		toast("Resumed.");
	};
	return (
		<Confirm
			title={`Resume ${e.campaign.name} for ${who}?`}
			verb="Resume"
			safe
			idle={!next?.step}
			act={act}
			onClose={onClose}
		>
			{error && <p>{error.message}</p>}
			{next?.refusal && <p>{next.refusal.message}</p>}
			{next?.step && (
				<p>
					{who} will get step {next.step}{" "}
					{next.nextSendAt ? when(next.nextSendAt, Date.now()) : "when the campaign can send"}
					{next.needsForce && `, although ${e.stopReason ?? "the prospect replied"}`}. A new reply stops it again.
				</p>
			)}
		</Confirm>
	);
}
