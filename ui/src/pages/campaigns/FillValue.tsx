import { useState } from "react";
import { request } from "../../api";
import { refresh, refreshWhole } from "../../data";
import { BulkProspectsDocument } from "../../gql/generated";
import { count, plural } from "../../logic/format";
import { CHUNK } from "../../logic/work";
import { Confirm } from "../../parts/Confirm";
import { toast } from "../../parts/Toasts";

interface Props {
	/** A variable as templates spell it. */
	name: string;
	people: { email: string }[];
	onClose: () => void;
	onDone?: () => void;
}

/** Gives a value to all who have none, so that their mails can be sent. */
export function FillValue({ name, people, onClose, onDone }: Props) {
	const [value, setValue] = useState("");
	const field = name.startsWith("custom_fields.")
		? null
		: name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
	const input = (email: string) =>
		field
			? { email, [field]: value.trim() }
			: { email, customFields: { [name.slice("custom_fields.".length)]: value.trim() } };
	const act = async () => {
		let failed = 0;
		for (let from = 0; from < people.length; from += CHUNK) {
			const prospects = people.slice(from, from + CHUNK).map(({ email }) => input(email));
			const { results } = (
				await request(BulkProspectsDocument, { input: { prospects, onExisting: "update" }, dryRun: false })
			).bulkProspects;
			failed += results.filter(({ outcome }) => outcome === "invalid").length;
		}
		toast(
			`${plural(people.length - failed, "person", "people")} updated.${failed > 0 ? ` ${count(failed)} failed.` : ""}`,
		);
		for (const counted of ["CampaignPeople", "CheckPeople", "CheckCampaign"]) refreshWhole(counted);
		void refresh();
		onDone?.();
	};
	return (
		<Confirm
			title={`Fill in ${name}`}
			verb={`Update ${plural(people.length, "person", "people")}`}
			idle={!value.trim()}
			safe
			act={act}
			onClose={onClose}
		>
			<p>
				{plural(people.length, "person has", "people have")} no value. Everyone gets the same value, and keeps it. For
				words that only this mail prints, click the variable in the step and set a fallback:{" "}
				<code>{`{{ ${name} | default: "…" }}`}</code>
			</p>
			<label className="field">
				<span>Value</span>
				<input value={value} onChange={(event) => setValue(event.target.value)} autoComplete="off" />
			</label>
		</Confirm>
	);
}
