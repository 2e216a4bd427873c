import { patchRow, useChange } from "../../data";
import { SubscriptionEventValues } from "../../gql/enums";
import {
	CreateSubscriptionDocument,
	type CreateSubscriptionMutation,
	type SubscriptionEvent,
	type SubscriptionFieldsFragment,
	UpdateSubscriptionDocument,
} from "../../gql/generated";
import { Drawer } from "../../parts/Drawer";
import { Field, FormError } from "../../parts/Field";
import { FormButtons } from "../../parts/FormButtons";
import { toast } from "../../parts/Toasts";
import { useDraft } from "../../parts/useDraft";

const meanings: Record<SubscriptionEvent, string> = {
	sent: "A step was sent",
	replied: "A reply arrived",
	clicked: "A tracked link was clicked",
	bounced: "A message bounced",
	unsubscribed: "A person unsubscribed",
	positive_reply: "A reply was marked positive (once per reply, delivered as replied)",
};
interface Props {
	subscription?: SubscriptionFieldsFragment;
	onClose: () => void;
	onMade?: (made: CreateSubscriptionMutation["createSubscription"]) => void;
}

export function SubscriptionForm({ subscription: s, onClose, onMade }: Props) {
	const { values, set, clear } = useDraft(`subscription.${s?.id ?? "new"}`, {
		url: s?.url ?? "",
		events: s?.events ?? (["replied", "positive_reply"] as SubscriptionEvent[]),
		enabled: s?.enabled ?? true,
	});
	const create = useChange(CreateSubscriptionDocument, () => {
		clear();
		toast("Webhook added.");
	});
	const update = useChange(UpdateSubscriptionDocument, (data) => {
		clear();
		patchRow(data.updateSubscription);
		toast("Saved.");
	});
	const error = create.error ?? update.error;
	const send = () => {
		if (s) update.mutate({ id: s.id, input: values }, { onSuccess: onClose });
		else create.mutate({ input: values }, { onSuccess: (data) => onMade?.(data.createSubscription) });
	};
	return (
		<Drawer title={s ? "Edit webhook" : "Add a webhook"} onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					send();
				}}
			>
				<Field
					label="Address"
					at="/url"
					error={error}
					hint={s ? "Must be public https. Queued deliveries still go to the old address." : "Must be public https."}
				>
					{(wired) => (
						<input
							{...wired}
							type="url"
							required
							data-autofocus
							placeholder="https://"
							value={values.url}
							onChange={(event) => set({ url: event.target.value })}
						/>
					)}
				</Field>
				<fieldset className="field">
					<legend>Events</legend>
					{SubscriptionEventValues.map((name) => (
						<label className="check" key={name}>
							<input
								type="checkbox"
								checked={values.events.includes(name)}
								onChange={() =>
									set({
										events: values.events.includes(name)
											? values.events.filter((had) => had !== name)
											: [...values.events, name],
									})
								}
							/>
							<span>
								<code>{name}</code> <span className="faint">{meanings[name]}</span>
							</span>
						</label>
					))}
				</fieldset>
				<label className="check">
					<input type="checkbox" checked={values.enabled} onChange={() => set({ enabled: !values.enabled })} /> Enabled
				</label>
				<FormError error={error} />
				<FormButtons
					verb={s ? "Save" : "Add webhook"}
					busy={create.isPending || update.isPending}
					onCancel={() => {
						clear();
						onClose();
					}}
				/>
			</form>
		</Drawer>
	);
}
