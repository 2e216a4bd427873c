import { useChange } from "../../data";
import { AssignReplyDocument, DismissReplyDocument, type ReplyFieldsFragment } from "../../gql/generated";
import { nameOf } from "../../logic/format";
import { FormError } from "../../parts/Field";
import { ProspectPicker } from "../../parts/ProspectPicker";
import { toast } from "../../parts/Toasts";

/** Assigns unmatched mail to a prospect, or dismisses it. */
export function Match({ reply }: { reply: ReplyFieldsFragment }) {
	const assign = useChange(AssignReplyDocument);
	const dismiss = useChange(DismissReplyDocument, () => toast("Dismissed."));
	return (
		<div className="match">
			<small className="faint">
				{reply.automatic
					? "Belongs to no message of yours. Nothing follows from it."
					: "Answers no message of yours. It counts as a reply once it has a prospect."}
			</small>
			<ProspectPicker
				label="Whose reply is this?"
				onPick={(prospect) =>
					assign.mutate(
						{ id: reply.id, prospectId: prospect.id },
						{ onSuccess: () => toast(`Matched with ${nameOf(prospect)}.`) },
					)
				}
			/>
			<button type="button" onClick={() => dismiss.mutate({ id: reply.id })}>
				Dismiss
			</button>
			<FormError error={assign.error ?? dismiss.error} />
		</div>
	);
}
