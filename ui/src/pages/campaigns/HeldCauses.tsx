import { useState } from "react";
import { refreshWhole, useAll } from "../../data";
import { type EnrollmentFieldsFragment, EnrollmentsDocument } from "../../gql/generated";
import { capital, count, plural } from "../../logic/format";
import { VARIABLES } from "../../logic/templateVariables";
import { toast } from "../../parts/Toasts";
import { resumeAll } from "../suppressions/affected";
import { Decide } from "./Decide";
import { FillValue } from "./FillValue";
import { showMoved } from "./showMoved";
import { MOST } from "./usePeople";

type Enrollment = EnrollmentFieldsFragment;

/** The variable that a reason names, if it is about one. */
const variableIn = (reason: string) =>
	/custom_fields\.\w+/.exec(reason)?.[0] ?? VARIABLES.find((name) => new RegExp(`\\b${name}\\b`).test(reason));

/** Held people by cause, each with an action that solves it for all of them. */
export function HeldCauses({ campaignId }: { campaignId: string }) {
	// One more than is shown is read, to know whether there are more.
	const { data } = useAll(
		EnrollmentsDocument,
		(found) => found.enrollments,
		{ campaignId, status: "held" },
		{ most: MOST + 1 },
	);
	const [filling, setFilling] = useState<{ name: string; people: Enrollment[] } | null>(null);
	const [busy, setBusy] = useState(false);
	const causes = new Map<string, Enrollment[]>();
	for (const one of data?.slice(0, MOST) ?? [])
		causes.set(one.holdReason ?? "Held", [...(causes.get(one.holdReason ?? "Held") ?? []), one]);
	const resume = async (people: Enrollment[]) => {
		setBusy(true);
		const resumed = await resumeAll(people.map(({ id }) => id));
		const failed = people.length - resumed.length;
		toast(`${plural(resumed.length, "person", "people")} resumed.${failed > 0 ? ` ${count(failed)} failed.` : ""}`);
		setBusy(false);
		showMoved(people, resumed);
		refreshWhole("Enrollments");
	};
	if (causes.size === 0) return null;
	return (
		<ul className="causes">
			{[...causes].map(([reason, people]) => {
				const name = variableIn(reason);
				const undecided = people.find(({ unknownMessageId }) => unknownMessageId);
				return (
					<li key={reason}>
						<b>{count(people.length)}</b>
						<span className="grow">{capital(reason)}</span>
						{undecided ? (
							<Decide enrollment={undecided} button />
						) : name ? (
							<button type="button" onClick={() => setFilling({ name, people })}>
								Fill in {name}
							</button>
						) : (
							<button type="button" disabled={busy} onClick={() => void resume(people)}>
								Resume
							</button>
						)}
					</li>
				);
			})}
			{data && data.length > MOST && <li className="faint">Of the newest {count(MOST)} held people.</li>}
			{filling && (
				<FillValue
					name={filling.name}
					people={filling.people.flatMap(({ prospect }) => prospect ?? [])}
					onClose={() => setFilling(null)}
					onDone={() => refreshWhole("Enrollments")}
				/>
			)}
		</ul>
	);
}
