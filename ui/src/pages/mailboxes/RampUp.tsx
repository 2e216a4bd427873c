import { useChange } from "../../data";
import { type MailboxFieldsFragment, UpdateMailboxDocument } from "../../gql/generated";
import { FormError } from "../../parts/Field";
import { useNow } from "../../parts/Time";
import { toast } from "../../parts/Toasts";

const START = 10;
const WEEK = 7 * 86_400_000;

/** Suggests a ramp-up for a mailbox that was connected in the last week and has none. The server has the same defaults. */
export function RampUp({ mailbox: m }: { mailbox: MailboxFieldsFragment }) {
	const now = useNow();
	const save = useChange(UpdateMailboxDocument, () => toast(`${m.email} ramps up.`));
	if (m.rampUp || m.dailyLimit <= START || now - Date.parse(m.createdAt) > WEEK) return null;
	return (
		<section aria-label="Ramp-up">
			<p className="faint">
				Is this a new mailbox? Let it begin with {START} messages a day and send 5 more after each day on which it
				sends.
			</p>
			<FormError error={save.error} />
			<div className="buttons start">
				<button
					type="button"
					disabled={save.isPending}
					onClick={() => save.mutate({ id: m.id, input: { rampUp: { start: START, increase: 5 } } })}
				>
					Ramp up
				</button>
			</div>
		</section>
	);
}
