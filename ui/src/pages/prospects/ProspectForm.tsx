import { Plus, X } from "lucide-react";
import { patchRow, useChange } from "../../data";
import {
	CreateProspectDocument,
	type ProspectFieldsFragment,
	type ProspectInput,
	UpdateProspectDocument,
} from "../../gql/generated";
import { timezones } from "../../logic/timezones";
import { Drawer } from "../../parts/Drawer";
import { Field, FormError } from "../../parts/Field";
import { FormButtons } from "../../parts/FormButtons";
import { toast } from "../../parts/Toasts";
import { useDraft } from "../../parts/useDraft";

const texts = [
	["firstName", "First name", "/first_name", "given-name"],
	["lastName", "Last name", "/last_name", "family-name"],
	["companyName", "Company", "/company_name", "organization"],
	["jobTitle", "Job title", "/job_title", "organization-title"],
	["phone", "Phone", "/phone", "tel"],
	["website", "Website", "/website", "url"],
	["linkedinUrl", "LinkedIn", "/linkedin_url", "off"],
] as const;
type TextKey = (typeof texts)[number][0];
type Values = Record<TextKey | "email" | "timezone", string> & { custom: [string, string][] };

const start = (p?: ProspectFieldsFragment): Values => ({
	email: p?.email ?? "",
	firstName: p?.firstName ?? "",
	lastName: p?.lastName ?? "",
	companyName: p?.companyName ?? "",
	jobTitle: p?.jobTitle ?? "",
	phone: p?.phone ?? "",
	website: p?.website ?? "",
	linkedinUrl: p?.linkedinUrl ?? "",
	timezone: p?.timezone ?? "",
	custom: Object.entries(p?.customFields ?? {}).map(([key, value]) => [key, String(value)]),
});

/** Only numbers and booleans that were such before stay such; everything typed is text. */
function toInput({ custom, ...values }: Values, before?: ProspectFieldsFragment): ProspectInput {
	const kept = (key: string, text: string) => {
		const had = before?.customFields[key];
		return had !== undefined && String(had) === text ? had : text;
	};
	const plain = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value.trim() || null]));
	return {
		...plain,
		customFields: Object.fromEntries(
			custom.filter(([key]) => key.trim()).map(([key, text]) => [key.trim(), kept(key.trim(), text)]),
		),
	};
}

interface Props {
	prospect?: ProspectFieldsFragment;
	onClose: () => void;
	onSaved: (id: string) => void;
}

export function ProspectForm({ prospect, onClose, onSaved }: Props) {
	const { values, set, clear } = useDraft<Values>(`prospect.${prospect?.id ?? "new"}`, start(prospect));
	const saved = (p: ProspectFieldsFragment) => {
		clear();
		patchRow(p);
		toast(`${p.email} saved.`);
	};
	const create = useChange(CreateProspectDocument, (data) => saved(data.createProspect)),
		update = useChange(UpdateProspectDocument, (data) => saved(data.updateProspect));
	const error = create.error ?? update.error;
	const busy = create.isPending || update.isPending;
	const send = () => {
		const input = toInput(values, prospect);
		if (prospect) update.mutate({ id: prospect.id, input }, { onSuccess: () => onSaved(prospect.id) });
		else create.mutate({ input }, { onSuccess: (data) => onSaved(data.createProspect.id) });
	};
	const setCustom = (at: number, pair: [string, string] | null) =>
		set({ custom: pair ? values.custom.with(at, pair) : values.custom.toSpliced(at, 1) });
	return (
		<Drawer title={prospect ? "Edit prospect" : "Add a prospect"} onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					send();
				}}
			>
				<Field label="E-mail" at="/email" error={error}>
					{(wired) => (
						<input
							{...wired}
							type="email"
							required
							data-autofocus
							autoComplete="off"
							value={values.email}
							onChange={(event) => set({ email: event.target.value })}
						/>
					)}
				</Field>
				<div className="two">
					{texts.map(([key, label, at, kind]) => (
						<Field key={key} label={label} at={at} error={error}>
							{(wired) => (
								<input
									{...wired}
									autoComplete="off"
									inputMode={kind === "tel" ? "tel" : kind === "url" ? "url" : undefined}
									value={values[key]}
									onChange={(event) => set({ [key]: event.target.value })}
								/>
							)}
						</Field>
					))}
					<Field label="Time zone" at="/timezone" error={error}>
						{(wired) => (
							<select {...wired} value={values.timezone} onChange={(event) => set({ timezone: event.target.value })}>
								<option value="">Not known</option>
								{timezones().map((zone) => (
									<option key={zone}>{zone}</option>
								))}
							</select>
						)}
					</Field>
				</div>
				<fieldset>
					<legend>Custom fields</legend>
					{values.custom.map(([key, text], at) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a field has only its place while its name is typed
						<div className="line" key={at}>
							<input
								className="grow"
								aria-label={`Name of custom field ${at + 1}`}
								value={key}
								onChange={(event) => setCustom(at, [event.target.value, text])}
							/>
							<input
								className="grow"
								aria-label={`Value of ${key || `custom field ${at + 1}`}`}
								value={text}
								onChange={(event) => setCustom(at, [key, event.target.value])}
							/>
							<button
								type="button"
								className="icon"
								aria-label={`Remove ${key || `custom field ${at + 1}`}`}
								onClick={() => setCustom(at, null)}
							>
								<X size={16} aria-hidden />
							</button>
						</div>
					))}
					<button type="button" className="link" onClick={() => set({ custom: [...values.custom, ["", ""]] })}>
						<Plus size={14} aria-hidden /> Add a field
					</button>
				</fieldset>
				<FormError error={error} />
				<FormButtons
					verb={busy ? "Saving…" : "Save"}
					busy={busy}
					onCancel={() => {
						clear();
						onClose();
					}}
				/>
			</form>
		</Drawer>
	);
}
