import { useState } from "react";
import { Link } from "wouter";
import { request } from "../../api";
import { useChange, useRows } from "../../data";
import {
	EnrollDocument,
	type EnrollmentFieldsFragment,
	EnrollmentsDocument,
	PauseEnrollmentDocument,
	type ProspectRowFragment,
	ResumeEnrollmentDocument,
	StopEnrollmentDocument,
} from "../../gql/generated";
import { capital, exact, nameOf } from "../../logic/format";
import { Badge } from "../../parts/Badge";
import { CampaignSelect } from "../../parts/CampaignSelect";
import { Confirm } from "../../parts/Confirm";
import { FormError } from "../../parts/Field";
import { Failure } from "../../parts/states";
import { Time } from "../../parts/Time";
import { toast } from "../../parts/Toasts";
import { Decide } from "../campaigns/Decide";
import { showMoved } from "../campaigns/showMoved";
import { undoStop } from "../suppressions/affected";
import { ResumeDialog } from "./ResumeDialog";

export const useEnrollments = (prospectId: string) =>
	useRows(EnrollmentsDocument, (data) => data.enrollments, { prospectId }, { size: 20 });

interface Props {
	prospect: Pick<ProspectRowFragment, "id" | "email">;
	list: ReturnType<typeof useEnrollments>;
}

export function Enrollments({ prospect, list }: Props) {
	return (
		<section className="section" aria-labelledby="enrollments">
			<h3 id="enrollments">Campaigns</h3>
			{list.error && list.rows.length === 0 && <Failure error={list.error} retry={list.retry} />}
			{!list.error && list.rows.length === 0 && <p className="faint">Not in a campaign.</p>}
			<ul className="rows">
				{list.rows.map((enrollment) => (
					<Enrolled key={enrollment.id} enrollment={enrollment} />
				))}
			</ul>
			<EnrollForm prospectId={prospect.id} />
		</section>
	);
}

/** The state of the enrollment and its reason, in one line. */
export function where(e: EnrollmentFieldsFragment): React.ReactNode {
	if (e.status === "held")
		return (
			<span title={[e.holdReason, e.holdUntil && `continues at ${exact(e.holdUntil)}`].filter(Boolean).join("; ")}>
				{capital(e.holdReason ?? "held")}
			</span>
		);
	if (e.status === "active")
		return e.nextStep ? (
			<>
				Step {e.nextStep}{" "}
				{e.campaign.status !== "active" ? (
					`waits: the campaign is ${e.campaign.status === "draft" ? "a draft" : e.campaign.status}`
				) : !e.nextSendAt ? (
					"cannot be sent before the campaign ends"
				) : Date.parse(e.nextSendAt) > Date.now() + 15_000 ? (
					<Time at={e.nextSendAt} />
				) : (
					"is due now"
				)}
			</>
		) : (
			"No step is left"
		);
	const repeated = e.stopReason === `the prospect ${e.status}`; // the badge beside it says the same
	const waits = e.status === "paused" && e.holdReason; // what it waits for once the pause ends
	return e.stopReason && !repeated
		? capital(e.stopReason)
		: e.nextStep
			? `Before step ${e.nextStep}${waits ? `; ${waits}` : ""}`
			: e.status === "paused"
				? "No step is left"
				: "";
}

function Enrolled({ enrollment: e }: { enrollment: EnrollmentFieldsFragment }) {
	return (
		<li>
			<span className="grow">
				<Link className="clip" href={`/campaigns/${e.campaignId}`}>
					{e.campaign.name}
				</Link>
				<small className="faint">{where(e)}</small>
			</span>
			<Badge state={e.status} />
			<EnrollmentActs enrollment={e} />
		</li>
	);
}

/** The actions for an enrollment in its state. Resuming undoes a pause; the other actions ask first. */
export function EnrollmentActs({ enrollment: e }: { enrollment: EnrollmentFieldsFragment }) {
	const pause = useChange(PauseEnrollmentDocument, (data) => showMoved([e], [data.pauseEnrollment])),
		resume = useChange(ResumeEnrollmentDocument, (data) => showMoved([e], [data.resumeEnrollment]));
	const [asking, setAsking] = useState<"stop" | "resume" | "restart" | null>(null);
	const busy = pause.isPending || resume.isPending,
		error = pause.error ?? resume.error;
	const live = e.status === "active" || e.status === "held";
	return (
		<span className="line">
			{live && (
				<button type="button" className="link" disabled={busy} onClick={() => pause.mutate({ id: e.id })}>
					Pause
				</button>
			)}
			{e.status === "held" && e.unknownMessageId && <Decide enrollment={e} />}
			{(e.status === "paused" || (e.status === "held" && !e.unknownMessageId)) && (
				<button type="button" className="link" disabled={busy} onClick={() => resume.mutate({ id: e.id })}>
					Resume
				</button>
			)}
			{(live || e.status === "paused") && (
				<button type="button" className="link" onClick={() => setAsking("stop")}>
					Stop
				</button>
			)}
			{(e.status === "stopped" || e.status === "replied") && (
				<button type="button" className="link" onClick={() => setAsking("resume")}>
					Resume
				</button>
			)}
			{(e.status === "finished" || e.status === "stopped") && (
				<button type="button" className="link" onClick={() => setAsking("restart")}>
					Restart
				</button>
			)}
			{error && (
				<span className="bad-text" role="alert">
					{error.message}
				</span>
			)}
			{asking === "resume" && <ResumeDialog enrollment={e} onClose={() => setAsking(null)} />}
			{(asking === "stop" || asking === "restart") && (
				<Ask enrollment={e} stop={asking === "stop"} onClose={() => setAsking(null)} />
			)}
		</span>
	);
}

function Ask({
	enrollment: e,
	stop,
	onClose,
}: {
	enrollment: EnrollmentFieldsFragment;
	stop: boolean;
	onClose: () => void;
}) {
	const who = e.prospect ? nameOf(e.prospect) : "This prospect";
	const act = async () => {
		const now = stop
			? (await request(StopEnrollmentDocument, { id: e.id })).stopEnrollment
			: (
					await request(EnrollDocument, {
						input: { campaignId: e.campaignId, prospectId: e.prospectId, restart: true },
					})
				).enroll.enrollment;
		showMoved([e], [now]);
		if (stop) toast("1 enrollment stopped.", () => void undoStop([e.id]));
		else toast("Restarted from step 1.");
	};
	return (
		<Confirm
			title={stop ? `Stop ${e.campaign.name} for ${who}?` : `Start ${e.campaign.name} again for ${who}?`}
			verb={stop ? "Stop enrollment" : "Restart"}
			act={act}
			onClose={onClose}
		>
			{stop ? (
				<p>Stops 1 enrollment: {who} gets nothing more of this campaign, unless you resume it.</p>
			) : (
				<p>
					Restarts 1 enrollment at step 1: {who} gets every mail of this campaign again, including those already sent.
				</p>
			)}
		</Confirm>
	);
}

function EnrollForm({ prospectId }: { prospectId: string }) {
	const [campaignId, setCampaignId] = useState("");
	const enroll = useChange(EnrollDocument);
	const send = (force: boolean) =>
		enroll.mutate(
			{ input: { campaignId, prospectId, force } },
			{
				onSuccess: (data) => {
					toast(data.enroll.enrollmentCreated ? "Enrolled." : "Already in this campaign.");
					setCampaignId("");
				},
			},
		);
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				send(false);
			}}
		>
			<div className="line">
				<div className="grow">
					<CampaignSelect value={campaignId} onChange={setCampaignId} />
				</div>
				<button type="submit" disabled={!campaignId || enroll.isPending}>
					Enroll
				</button>
			</div>
			<FormError error={enroll.error} />
			{enroll.error?.code === "prospect_replied" && (
				<button type="button" onClick={() => send(true)}>
					Enroll even if they replied
				</button>
			)}
		</form>
	);
}
