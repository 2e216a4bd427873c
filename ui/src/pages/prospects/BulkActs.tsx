import { Ban, Pause, Square, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { request } from "../../api";
import { refresh } from "../../data";
import {
	BulkSuppressionsDocument,
	type EnrollmentFieldsFragment,
	PauseEnrollmentDocument,
	StopEnrollmentDocument,
} from "../../gql/generated";
import type { Person } from "../../logic/enroller";
import { count, plural } from "../../logic/format";
import type { Made } from "../../logic/undoChunks";
import { CHUNK } from "../../logic/work";
import { ActMenu } from "../../parts/Acts";
import { Confirm } from "../../parts/Confirm";
import { useDelete } from "../../parts/deletions";
import { toast, toastError } from "../../parts/Toasts";
import { usePhone } from "../../parts/useMedia";
import { doneOf, resumeAll, runningOf, undoStop, undoSuppressions } from "../suppressions/affected";

type Act = "pause" | "stop" | "suppress" | "delete";
const acts: [Act, string, typeof Pause][] = [
	["pause", "Pause", Pause],
	["stop", "Stop", Square],
	["suppress", "Suppress", Ban],
	["delete", "Delete", Trash2],
];

/** What can be done with selected prospects besides enrolling; each says first in numbers what it does. */
export function BulkActs({ people, onDone }: { people: Person[]; onDone: () => void }) {
	const [asking, setAsking] = useState<Act | null>(null);
	const close = () => setAsking(null);
	const done = () => {
		void refresh();
		onDone();
	};
	const phone = usePhone();
	return (
		<span className="line">
			{phone ? (
				<ActMenu
					label="More for the selected prospects"
					acts={acts.map(([act, label, icon]) => ({ label, icon, act: () => setAsking(act) }))}
				/>
			) : (
				acts.map(([act, label, Icon]) => (
					<button type="button" key={act} onClick={() => setAsking(act)}>
						<Icon size={14} aria-hidden /> {label}
					</button>
				))
			)}
			{(asking === "pause" || asking === "stop") && (
				<OfEnrollments act={asking} people={people} onClose={close} onDone={done} />
			)}
			{asking === "suppress" && <Suppress people={people} onClose={close} onDone={done} />}
			{asking === "delete" && <Delete people={people} onClose={close} onDone={done} />}
		</span>
	);
}

interface Props {
	people: Person[];
	onClose: () => void;
	onDone: () => void;
}

/** The enrollments of the people that still run; undefined while they are counted. */
function useRunning(people: Person[]): EnrollmentFieldsFragment[] | undefined {
	const [ids] = useState(() => people.map(({ id }) => id)); // as they were when it was asked
	const [running, setRunning] = useState<EnrollmentFieldsFragment[]>();
	useEffect(() => {
		let gone = false;
		void runningOf(ids).then(
			(enrollments) => {
				if (!gone) setRunning(enrollments);
			},
			() => undefined,
		);
		return () => {
			gone = true;
		};
	}, [ids]);
	return running;
}

const failures = (n: number) => (n > 0 ? ` ${count(n)} failed.` : "");

function OfEnrollments({ act, people, onClose, onDone }: Props & { act: "pause" | "stop" }) {
	const running = useRunning(people);
	const pause = act === "pause";
	const run = async () => {
		const ids = (running ?? []).map(({ id }) => id);
		const changed = await doneOf(
			ids,
			(id) =>
				(pause
					? request(PauseEnrollmentDocument, { id })
					: request(StopEnrollmentDocument, { id })) as Promise<unknown>,
		);
		toast(
			`${plural(changed.length, "enrollment")} ${pause ? "paused" : "stopped"}.${failures(ids.length - changed.length)}`,
			changed.length > 0 ? () => void (pause ? resumeAll(changed).then(refresh) : undoStop(changed)) : undefined,
		);
		onDone();
	};
	return (
		<Ask
			title={`${pause ? "Pause" : "Stop"} ${plural(people.length, "prospect")}?`}
			verb={pause ? "Pause enrollments" : "Stop enrollments"}
			typed={pause ? undefined : "stop"}
			safe={pause}
			idle={!running?.length}
			act={run}
			onClose={onClose}
		>
			{running === undefined
				? "Counting…"
				: pause
					? `Pauses ${plural(running.length, "running enrollment")} until you resume them.`
					: `Stops ${plural(running.length, "running enrollment")}. Each can be resumed later.`}
		</Ask>
	);
}

function Suppress({ people, onClose, onDone }: Props) {
	const running = useRunning(people);
	const run = async () => {
		const made: Made[] = [];
		const runningBy = new Map<string, string[]>();
		for (const { id, prospectId } of running ?? [])
			runningBy.set(prospectId, [...(runningBy.get(prospectId) ?? []), id]);
		let failed = 0,
			stopped = 0;
		for (let from = 0; from < people.length; from += CHUNK) {
			const suppressions = people.slice(from, from + CHUNK).map(({ email }) => ({ email }));
			const answer = (await request(BulkSuppressionsDocument, { input: { suppressions } })).bulkSuppressions;
			stopped += answer.stopped;
			for (const { index, outcome, suppressionId } of answer.results) {
				if (outcome === "refused") failed++;
				if (outcome !== "created" || !suppressionId) continue;
				made.push({ id: suppressionId, stopped: runningBy.get(people[from + index]?.id ?? "") ?? [] });
			}
		}
		toast(
			`${plural(made.length, "address", "addresses")} suppressed.` +
				`${stopped > 0 ? ` ${plural(stopped, "enrollment")} stopped.` : ""}${failures(failed)}`,
			() => void undo(made).then(refresh, toastError),
		);
		onDone();
	};
	return (
		<Ask
			title={`Suppress ${plural(people.length, "prospect")}?`}
			verb="Suppress"
			typed="suppress"
			act={run}
			onClose={onClose}
		>
			{running === undefined
				? "Counting…"
				: `No campaign writes to ${people.length === 1 ? "this address" : `these ${count(people.length)} addresses`} ` +
					`any more. Stops ${plural(running.length, "running enrollment")}.`}
		</Ask>
	);
}

/** Removes suppressions and restores the enrollments that they stopped. */
async function undo(made: Made[]): Promise<void> {
	const left = await undoSuppressions(made);
	toast(left > 0 ? `Suppressions removed. ${plural(left, "enrollment")} stayed stopped.` : "Suppressions removed.");
}

/** Up to so many are deleted without a word that is typed, as it can be undone. */
const FEW = 100;

function Delete({ people, onClose, onDone }: Props) {
	const running = useRunning(people);
	const remove = useDelete();
	const run = () => {
		remove(people.map(({ id }) => id));
		onDone();
		return Promise.resolve();
	};
	return (
		<Ask
			title={`Delete ${plural(people.length, "prospect")}?`}
			verb="Delete prospects"
			typed={people.length > FEW ? "delete" : undefined}
			act={run}
			onClose={onClose}
		>
			{running === undefined
				? "Counting…"
				: `Deletes ${plural(people.length, "prospect")} and stops ${plural(running.length, "running enrollment")}, ` +
					"in 10 seconds, unless you undo it."}
		</Ask>
	);
}

function Ask({ children, ...props }: Omit<Parameters<typeof Confirm>[0], "children"> & { children: ReactNode }) {
	return (
		<Confirm {...props}>
			<p role="status">{children}</p>
		</Confirm>
	);
}
