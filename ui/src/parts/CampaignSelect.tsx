import { useEffect } from "react";
import { useRows } from "../data";
import { CampaignNamesDocument } from "../gql/generated";
import { Filter } from "./Filters";

/** More than a menu can show in a useful way. */
const MOST = 1_000;

/** The names of all campaigns, the newest first. */
export function useCampaignNames() {
	const { rows, more, fetchingMore, error, fetchMore } = useRows(
		CampaignNamesDocument,
		(data) => data.campaigns,
		{},
		{ live: 60_000 },
	);
	useEffect(() => {
		if (more && !fetchingMore && !error && rows.length < MOST) fetchMore();
	});
	return rows;
}

export function CampaignFilter() {
	const names = useCampaignNames();
	return (
		<Filter name="campaign" label="Campaign" options={names.map(({ id, name }) => ({ value: id, label: name }))} />
	);
}

/** A menu of the campaigns that accept prospects: all but archived ones. */
export function CampaignSelect({
	id,
	value,
	onChange,
}: {
	id?: string;
	value: string;
	onChange: (id: string) => void;
}) {
	const names = useCampaignNames().filter(({ status }) => status !== "archived");
	return (
		<select
			id={id}
			aria-label={id ? undefined : "Campaign"}
			value={value}
			onChange={(event) => onChange(event.target.value)}
		>
			<option value="">{id ? "No campaign" : "Enroll in…"}</option>
			{names.map((campaign) => (
				<option key={campaign.id} value={campaign.id}>
					{campaign.name}
					{campaign.status === "active" ? "" : ` (${campaign.status})`}
				</option>
			))}
		</select>
	);
}
