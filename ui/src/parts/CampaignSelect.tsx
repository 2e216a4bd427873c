import * as Combobox from "@ariakit/react/combobox";
import * as Ariakit from "@ariakit/react/dialog";
import { useDeferredValue, useState } from "react";
import { useOne } from "../data";
import { CampaignNameDocument, type CampaignNameFragment, CampaignNamesDocument } from "../gql/generated";
import { Filter } from "./Filters";
import { usePlace } from "./usePlace";

/** How many campaigns a menu lists; the others are found by a search. */
const LISTED = 100;
/** How many a search lists. */
const FOUND = 20;
/** The entry of a menu that opens the search. */
const SEARCH = { value: "search", label: "Search campaigns…" };

/** The newest campaigns, and whether there are more. */
export function useNewestCampaigns(): { newest: CampaignNameFragment[]; more: boolean; loading: boolean } {
	const { data, isPending } = useOne(CampaignNamesDocument, { first: LISTED }, { live: 60_000 });
	return { newest: data?.campaigns.nodes ?? [], more: !!data?.campaigns.nextCursor, loading: isPending };
}

/** The campaigns with a part of their name; those found before until they are known. */
export function useFoundCampaigns(search: string, enabled = true): CampaignNameFragment[] {
	const wanted = { first: FOUND, search: search || null };
	return useOne(CampaignNamesDocument, wanted, { enabled, live: false, keep: true }).data?.campaigns.nodes ?? [];
}

/** A campaign by its id, "" for none; undefined until it is known. */
export function useCampaignName(id: string): CampaignNameFragment | undefined {
	const { newest, loading } = useNewestCampaigns();
	const listed = newest.find((one) => one.id === id);
	const enabled = id !== "" && !loading && !listed;
	const { data } = useOne(CampaignNameDocument, { id }, { enabled, live: 60_000 });
	return listed ?? (enabled ? data?.campaign : undefined);
}

/** The newest campaigns with the chosen one, which may be older. */
function useListed(value: string) {
	const { newest, more } = useNewestCampaigns();
	const chosen = useCampaignName(value);
	return { listed: chosen && !newest.includes(chosen) ? [...newest, chosen] : newest, more };
}

export function CampaignFilter() {
	const { params, filter } = usePlace();
	const { listed, more } = useListed(params.get("campaign") ?? "");
	const [searching, setSearching] = useState(false);
	return (
		<>
			<Filter
				name="campaign"
				label="Campaign"
				options={listed.map(({ id, name }) => ({ value: id, label: name }))}
				last={more ? { ...SEARCH, act: () => setSearching(true) } : undefined}
			/>
			{searching && <CampaignSearch onPick={({ id }) => filter("campaign", id)} onClose={() => setSearching(false)} />}
		</>
	);
}

const accepts = ({ status }: CampaignNameFragment) => status !== "archived";
const nameWithStatus = ({ name, status }: CampaignNameFragment) => (status === "active" ? name : `${name} (${status})`);

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
	const { listed, more } = useListed(value);
	const [searching, setSearching] = useState(false);
	return (
		<>
			<select
				id={id}
				aria-label={id ? undefined : "Campaign"}
				value={value}
				onChange={({ target }) => {
					if (target.value === SEARCH.value) setSearching(true);
					else onChange(target.value);
				}}
			>
				<option value="">{id ? "No campaign" : "Enroll in…"}</option>
				{listed.filter(accepts).map((campaign) => (
					<option key={campaign.id} value={campaign.id}>
						{nameWithStatus(campaign)}
					</option>
				))}
				{more && <option value={SEARCH.value}>{SEARCH.label}</option>}
			</select>
			{searching && (
				<CampaignSearch accepts={accepts} onPick={(one) => onChange(one.id)} onClose={() => setSearching(false)} />
			)}
		</>
	);
}

/** Finds a campaign by a part of its name. */
function CampaignSearch({
	accepts = () => true,
	onPick,
	onClose,
}: {
	accepts?: (campaign: CampaignNameFragment) => boolean;
	onPick: (campaign: CampaignNameFragment) => void;
	onClose: () => void;
}) {
	const [text, setText] = useState("");
	const found = useFoundCampaigns(useDeferredValue(text.trim())).filter(accepts);
	return (
		<Ariakit.Dialog
			open
			onClose={onClose}
			className="palette"
			aria-label="Search campaigns"
			preventBodyScroll={false}
			backdrop={<div className="backdrop" />}
		>
			<Combobox.ComboboxProvider open value={text} setValue={setText} focusLoop>
				<Combobox.Combobox
					autoSelect="always"
					placeholder="Search campaigns"
					aria-label="Search campaigns"
					className="palette-input"
				/>
				<Combobox.ComboboxList className="palette-list" alwaysVisible aria-label="Campaigns">
					{found.map((campaign) => (
						<Combobox.ComboboxItem
							key={campaign.id}
							value={campaign.name}
							hideOnClick={false}
							setValueOnClick={false}
							className="palette-item"
							onClick={() => {
								onPick(campaign);
								onClose();
							}}
						>
							<span className="clip">{campaign.name}</span>
							<small className="faint clip">{campaign.status}</small>
						</Combobox.ComboboxItem>
					))}
				</Combobox.ComboboxList>
				{found.length === 0 && (
					<p className="empty" role="status">
						No results
					</p>
				)}
			</Combobox.ComboboxProvider>
		</Ariakit.Dialog>
	);
}
