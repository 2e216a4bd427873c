import { Check, Undo2 } from "lucide-react";
import type { ReplyFieldsFragment } from "../../gql/generated";
import { count } from "../../logic/format";
import { Care, type CareActs } from "./Care";

interface Props extends CareActs {
	chosen: ReplyFieldsFragment[];
	/** How many replies "Select all" selects, and whether the list has more. */
	most: number;
	more: boolean;
	all: () => void;
	clear: () => void;
	settle: (replies: ReplyFieldsFragment[], done: boolean) => void;
}

/** What is done with several replies at once. "x", a click on a box or one with Ctrl selects one. */
export function Bulk({ chosen, most, more, all, clear, settle, ...acts }: Props) {
	if (chosen.length === 0)
		return (
			<div className="bulk">
				<button type="button" className="link" onClick={all}>
					{more ? `Select the first ${count(most)}` : `Select all ${count(most)}`}
				</button>
			</div>
		);
	const done = chosen.every((reply) => reply.done);
	return (
		<div className="bulk">
			<span role="status">{count(chosen.length)} selected</span>
			<button type="button" className="link" onClick={clear}>
				Clear
			</button>
			<span className="line tight">
				<button type="button" onClick={() => settle(chosen, !done)}>
					{done ? <Undo2 size={14} aria-hidden /> : <Check size={14} aria-hidden />}
					{done ? "Not done" : "Done"}
				</button>
				<Care replies={chosen} selected {...acts} />
			</span>
		</div>
	);
}
