import { AlertTriangle } from "lucide-react";
import { useMemo, useState } from "react";
import type { StepDraft } from "../../logic/campaignDraft";
import { count } from "../../logic/format";
import { FillValue } from "./FillValue";
import { CheckDialog } from "./Findings";
import { type Lack, MOST, type People, reachable, useLacks } from "./usePeople";

/** How many of the enrolled people would be held at this step, and for which variable. */
export function Lacks({ step, people }: { step: StepDraft; people: People | undefined }) {
	const steps = useMemo(() => [step], [step]);
	const lacks = useLacks(people, steps);
	const [filling, setFilling] = useState<Lack | null>(null);
	if (lacks.length === 0 || !people) return null;
	return (
		<ul className="lacks">
			{lacks.map(({ name, people: those }) => (
				<li key={name}>
					<span>
						{people.more && "At least "}
						<b>{count(those.length)}</b>
						{people.more ? " " : ` of ${count(reachable(people.newest).length)} `}
						people {those.length === 1 ? "has" : "have"} no <code>{name}</code> and would be held.
					</span>
					<button type="button" className="link" onClick={() => setFilling({ name, people: those })}>
						Fill in
					</button>
				</li>
			))}
			{filling && <FillValue name={filling.name} people={filling.people} onClose={() => setFilling(null)} />}
		</ul>
	);
}

/**
 * Says that only a part of a large campaign is counted while steps are written, and offers the check of everyone.
 * The check reads the saved steps, so unsaved ones are saved first; null if there are none.
 */
export function OnlyNewest({ campaignId, save }: { campaignId: string; save: ((then: () => void) => void) | null }) {
	const [asking, setAsking] = useState(false);
	const check = () => setAsking(true);
	return (
		<p className="note">
			<AlertTriangle size={16} aria-hidden />
			<span>
				Missing values are counted for the newest {count(MOST)} people only.{" "}
				<button type="button" className="link" onClick={save ? () => save(check) : check}>
					{save ? "Save and check everyone" : "Check everyone"}
				</button>
			</span>
			{asking && <CheckDialog campaignId={campaignId} onClose={() => setAsking(false)} />}
		</p>
	);
}
