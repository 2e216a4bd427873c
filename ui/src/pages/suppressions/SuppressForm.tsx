import { useState } from "react";
import { type ApiError, request } from "../../api";
import { addRow, dropRow, refresh, useChange } from "../../data";
import {
	CreateSuppressionDocument,
	type CreateSuppressionMutation,
	SuppressionEffectDocument,
	type SuppressionEffectQuery,
	type SuppressionsQueryVariables,
} from "../../gql/generated";
import { plural } from "../../logic/format";
import { fits, suppressedText } from "../../logic/suppressed";
import { Confirm } from "../../parts/Confirm";
import { Drawer } from "../../parts/Drawer";
import { Field, FormError } from "../../parts/Field";
import { FormButtons } from "../../parts/FormButtons";
import { toast, toastError } from "../../parts/Toasts";
import { useDraft } from "../../parts/useDraft";
import { undoSuppressions } from "./affected";

/** Suppresses an address or a domain; a domain only after its numbers were seen. */
export function SuppressForm({ onClose }: { onClose: () => void }) {
	const { values, set, clear } = useDraft("suppression.new", { text: "", note: "" });
	const [asking, setAsking] = useState<SuppressionEffectQuery["suppressionEffect"] | null>(null);
	const [counting, setCounting] = useState(false);
	const [uncounted, setUncounted] = useState<ApiError | null>(null); // why the numbers are not known
	const create = useChange(CreateSuppressionDocument);
	const text = values.text.trim().replace(/^@/, "");
	const isDomain = !text.includes("@");
	const input = { ...(isDomain ? { domain: text } : { email: text }), note: values.note.trim() || null };
	const done = (
		{ createSuppression: { created, suppression, stopped } }: CreateSuppressionMutation,
		people: number | null,
	) => {
		clear();
		onClose();
		addRow<SuppressionsQueryVariables>("Suppressions", suppression, (filters) => fits(suppression, filters));
		toast(
			suppressedText(suppression, { created, people, enrollments: stopped.length }),
			created ? () => void undo(suppression.id, stopped) : undefined,
		);
		void refresh();
	};
	const send = async () => {
		setUncounted(null);
		setCounting(true);
		try {
			const effect = isDomain ? (await request(SuppressionEffectDocument, { domain: text })).suppressionEffect : null;
			if (effect && effect.enrollments > 0) setAsking(effect);
			else create.mutate({ input }, { onSuccess: (data) => done(data, null) });
		} catch (error) {
			setUncounted(error as ApiError);
		}
		setCounting(false);
	};
	const pointed = (uncounted ?? create.error)?.fields.find(
		({ pointer }) => pointer === "/email" || pointer === "/domain",
	)?.detail;
	return (
		<Drawer title="Suppress an address or domain" onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void send();
				}}
			>
				<Field
					label="Address or domain"
					fault={pointed}
					hint="For example ann@example.com, or example.com for everyone there."
				>
					{(wired) => (
						<input
							{...wired}
							required
							data-autofocus
							autoComplete="off"
							value={values.text}
							onChange={(event) => set({ text: event.target.value })}
						/>
					)}
				</Field>
				<Field label="Note" at="/note" error={create.error}>
					{(wired) => (
						<textarea {...wired} value={values.note} onChange={(event) => set({ note: event.target.value })} />
					)}
				</Field>
				<FormError error={uncounted ?? create.error} atField={pointed !== undefined} />
				<FormButtons
					verb="Suppress"
					busy={create.isPending || counting}
					onCancel={() => {
						clear();
						onClose();
					}}
				/>
			</form>
			{asking && (
				<Confirm
					title={`Suppress everyone at ${text}?`}
					verb="Suppress domain"
					typed="suppress"
					onClose={() => setAsking(null)}
					act={async () => done(await request(CreateSuppressionDocument, { input }), asking.people)}
				>
					<p>
						Stops {plural(asking.enrollments, "running enrollment")} of {plural(asking.people, "prospect")} at {text}.
						No campaign writes to this domain any more.
					</p>
				</Confirm>
			)}
		</Drawer>
	);
}

/** Removes the suppression and restores the enrollments that it stopped. */
async function undo(id: string, stopped: string[]): Promise<void> {
	try {
		const left = await undoSuppressions([{ id, stopped }]);
		dropRow("Suppressions", id);
		toast(
			left === 0
				? "Suppression removed."
				: `Suppression removed. ${plural(left, "enrollment")} stayed stopped: resume them in their campaigns.`,
		);
	} catch (error) {
		toastError(error);
	}
	void refresh();
}
