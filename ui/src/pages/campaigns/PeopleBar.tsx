import { Pause, Play, Square } from "lucide-react";
import { useState } from "react";
import { request } from "../../api";
import {
	type EnrollmentFieldsFragment,
	type EnrollmentStatus,
	PauseEnrollmentDocument,
	StopEnrollmentDocument,
} from "../../gql/generated";
import { count, plural } from "../../logic/format";
import { type Act, ActMenu } from "../../parts/Acts";
import { Confirm } from "../../parts/Confirm";
import { toast } from "../../parts/Toasts";
import { usePhone } from "../../parts/useMedia";
import { answersOf, resumeAll, undoStop } from "../suppressions/affected";
import { showMoved } from "./showMoved";

interface Props {
	chosen: EnrollmentFieldsFragment[];
	/** All rows that are loaded, to select them. */
	loaded: EnrollmentFieldsFragment[];
	choose: (ids: string[]) => void;
}

/** Up to so many are stopped without a word that is typed, as it can be undone. */
const FEW = 100;

/** The bar for selected people of a campaign: pauses, resumes and stops those that can be. */
export function PeopleBar({ chosen, loaded, choose }: Props) {
	const [busy, setBusy] = useState(false);
	const [stopping, setStopping] = useState(false);
	const phone = usePhone();
	if (chosen.length === 0) return null;
	const idsIn = (...statuses: EnrollmentStatus[]) =>
		chosen.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
	const pausable = idsIn("active", "held"),
		// Of one whose last message is undecided, a person decides first.
		resumable = chosen
			.filter(({ status, unknownMessageId: undecided }) =>
				status === "held" ? !undecided : status === "paused" || status === "stopped",
			)
			.map(({ id }) => id),
		stoppable = idsIn("active", "held", "paused");
	/** Says how many were changed, and how many were not. */
	const say = (now: EnrollmentFieldsFragment[], verb: string, asked: number, undo?: () => void) => {
		const failed = asked - now.length;
		toast(`${plural(now.length, "person", "people")} ${verb}.${failed > 0 ? ` ${count(failed)} failed.` : ""}`, undo);
		choose([]);
		showMoved(chosen, now);
	};
	const pause = async () => {
		setBusy(true);
		const done = await answersOf(
			pausable,
			async (id) => (await request(PauseEnrollmentDocument, { id })).pauseEnrollment,
		);
		const undo = async () => showMoved(done, await resumeAll(done.map(({ id }) => id)));
		say(done, "paused", pausable.length, () => void undo());
		setBusy(false);
	};
	const resume = async () => {
		setBusy(true);
		say(await resumeAll(resumable), "resumed", resumable.length);
		setBusy(false);
	};
	const stop = async () => {
		const done = await answersOf(
			stoppable,
			async (id) => (await request(StopEnrollmentDocument, { id })).stopEnrollment,
		);
		const ids = done.map(({ id }) => id);
		say(done, "stopped", stoppable.length, ids.length > 0 ? () => void undoStop(ids) : undefined);
	};
	const acts: Act[] = [
		{
			label: `Pause ${count(pausable.length)}`,
			icon: Pause,
			disabled: busy || pausable.length === 0,
			act: () => void pause(),
		},
		{
			label: `Resume ${count(resumable.length)}`,
			icon: Play,
			disabled: busy || resumable.length === 0,
			act: () => void resume(),
		},
		{
			label: `Stop ${count(stoppable.length)}`,
			icon: Square,
			disabled: busy || stoppable.length === 0,
			act: () => setStopping(true),
		},
	];
	return (
		<div className="bulk">
			<b>{plural(chosen.length, "person", "people")} selected</b>
			{loaded.length > chosen.length && (
				<button type="button" className="link" onClick={() => choose(loaded.map(({ id }) => id))}>
					Select all {count(loaded.length)} loaded
				</button>
			)}
			<button type="button" className="link" onClick={() => choose([])}>
				Clear<span className="not-phone"> selection</span>
			</button>
			{phone ? (
				<ActMenu label="Actions for the selected people" acts={acts} />
			) : (
				acts.map(({ label, icon: Icon, disabled, act }) => (
					<button type="button" key={label} disabled={disabled} onClick={act}>
						<Icon size={14} aria-hidden /> {label}
					</button>
				))
			)}
			{stopping && (
				<Confirm
					title={`Stop ${plural(stoppable.length, "person", "people")}?`}
					verb="Stop enrollments"
					typed={stoppable.length > FEW ? "stop" : undefined}
					act={stop}
					onClose={() => setStopping(false)}
				>
					<p>Stops {plural(stoppable.length, "enrollment")} of this campaign. Each can be resumed later.</p>
				</Confirm>
			)}
		</div>
	);
}
