import type { Verdict } from "../logic/deliverability";
import { Badge, type State } from "./Badge";

const marks: Record<Verdict, [state: State, label: string]> = {
	fail: ["fail", "Fail"],
	warn: ["unknown", "Warn"],
	idle: ["paused", "Paused"],
	pass: ["pass", "Pass"],
};

/** A verdict as a word with an icon. */
export function VerdictMark({ verdict }: { verdict: Verdict }) {
	const [state, label] = marks[verdict];
	return <Badge state={state} label={label} />;
}
