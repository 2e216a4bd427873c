import { patchRow, useChange, useOne } from "../../data";
import {
	CreateOfferDocument,
	type OfferFieldsFragment,
	ProspectDocument,
	UpdateOfferDocument,
} from "../../gql/generated";
import { nameOf } from "../../logic/format";
import { CampaignSelect } from "../../parts/CampaignSelect";
import { Drawer } from "../../parts/Drawer";
import { Field, FormError } from "../../parts/Field";
import { FormButtons } from "../../parts/FormButtons";
import { ProspectPicker } from "../../parts/ProspectPicker";
import { toast } from "../../parts/Toasts";
import { useDraft } from "../../parts/useDraft";

interface Values {
	title: string;
	kind: "link" | "page";
	targetUrl: string;
	bodyHtml: string;
	prospectId: string;
	campaignId: string;
}
interface Props {
	offer?: OfferFieldsFragment;
	onClose: () => void;
	onSaved: (id: string) => void;
}

export function OfferForm({ offer, onClose, onSaved }: Props) {
	const { values, set, clear } = useDraft<Values>(`offer.${offer?.id ?? "new"}`, {
		title: offer?.title ?? "",
		kind: offer?.bodyHtml ? "page" : "link",
		targetUrl: offer?.targetUrl ?? "",
		bodyHtml: offer?.bodyHtml ?? "",
		prospectId: offer?.prospectId ?? "",
		campaignId: offer?.campaignId ?? "",
	});
	const saved = (o: OfferFieldsFragment) => {
		clear();
		patchRow(o);
		toast(`${o.title} saved.`);
	};
	const create = useChange(CreateOfferDocument, (data) => saved(data.createOffer)),
		update = useChange(UpdateOfferDocument, (data) => saved(data.updateOffer));
	const error = create.error ?? update.error;
	const send = () => {
		const page = values.kind === "page";
		const input = {
			title: values.title,
			targetUrl: page ? null : values.targetUrl,
			bodyHtml: page ? values.bodyHtml : null,
			prospectId: values.prospectId || null,
			campaignId: values.campaignId || null,
		};
		if (offer) update.mutate({ id: offer.id, input }, { onSuccess: () => onSaved(offer.id) });
		else create.mutate({ input }, { onSuccess: (data) => onSaved(data.createOffer.id) });
	};
	return (
		<Drawer title={offer ? "Edit offer" : "New offer"} onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					send();
				}}
			>
				<Field label="Title" at="/title" error={error}>
					{(wired) => (
						<input
							{...wired}
							required
							data-autofocus
							value={values.title}
							onChange={(event) => set({ title: event.target.value })}
						/>
					)}
				</Field>
				<fieldset className="field">
					<legend>What people see</legend>
					<label className="check">
						<input type="radio" name="kind" checked={values.kind === "link"} onChange={() => set({ kind: "link" })} /> A
						link to another site
					</label>
					<label className="check">
						<input type="radio" name="kind" checked={values.kind === "page"} onChange={() => set({ kind: "page" })} /> A
						page written here
					</label>
				</fieldset>
				{values.kind === "link" ? (
					<Field label="Address" at="/target_url" error={error}>
						{(wired) => (
							<input
								{...wired}
								type="url"
								required
								placeholder="https://"
								value={values.targetUrl}
								onChange={(event) => set({ targetUrl: event.target.value })}
							/>
						)}
					</Field>
				) : (
					<Field label="Page (HTML)" at="/body_html" error={error} hint="Scripts and unsafe code are removed.">
						{(wired) => (
							<textarea
								{...wired}
								className="code"
								required
								rows={10}
								value={values.bodyHtml}
								onChange={(event) => set({ bodyHtml: event.target.value })}
							/>
						)}
					</Field>
				)}
				<Field
					label="Prospect"
					at="/prospect_id"
					error={error}
					hint={<Chosen id={values.prospectId} clear={() => set({ prospectId: "" })} />}
				>
					{(wired) => <ProspectPicker {...wired} onPick={({ id }) => set({ prospectId: id })} />}
				</Field>
				<Field label="Campaign" at="/campaign_id" error={error}>
					{({ id }) => (
						<CampaignSelect id={id} value={values.campaignId} onChange={(campaignId) => set({ campaignId })} />
					)}
				</Field>
				<FormError error={error} />
				<FormButtons
					verb="Save"
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

function Chosen({ id, clear }: { id: string; clear: () => void }) {
	const { data } = useOne(ProspectDocument, { id }, { enabled: id !== "", live: false });
	if (!id) return <>No prospect</>;
	return (
		<>
			{data ? nameOf(data.prospect) : "…"}{" "}
			<button type="button" className="link" onClick={clear}>
				Remove
			</button>
		</>
	);
}
