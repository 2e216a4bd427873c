import * as Combobox from "@ariakit/react/combobox";
import * as Ariakit from "@ariakit/react/dialog";
import { Building2, type LucideIcon, Pause, Play, Plus, Send, Settings, User } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { request } from "../api";
import { refresh, useOne } from "../data";
import {
	ActivateCampaignDocument,
	type CampaignNamesQuery,
	CompaniesDocument,
	PauseCampaignDocument,
	ProspectsDocument,
} from "../gql/generated";
import { nameOf } from "../logic/format";
import { NO_MATCH, rank } from "../logic/rank";
import { useCampaignNames } from "./CampaignSelect";
import { places } from "./places";
import { settings } from "./settings";
import { settingsTabs } from "./settingsTabs";
import { toast, toastError } from "./Toasts";
import { usePlace } from "./usePlace";

interface Target {
	to?: string;
	/** Runs a command instead of opening a page. */
	act?: () => void;
	label: string;
	/** Other words by which it is found. */
	also?: string;
	hint: string;
	icon: LucideIcon;
}

const fixed: Target[] = [
	...places.map(({ to, label, icon }) => ({ to, label, icon, hint: "Go to" })),
	{ to: "/prospects/new", label: "Add a prospect", hint: "Action", icon: Plus },
	{ to: "/prospects/import", label: "Import prospects from CSV", hint: "Action", icon: Plus },
	{ to: "/campaigns/new", label: "New campaign", hint: "Action", icon: Plus },
	{ to: "/mailboxes/new", label: "Connect a mailbox", hint: "Action", icon: Plus },
	{ to: "/offers/new", label: "New offer", hint: "Action", icon: Plus },
	{ to: "/suppressions/new", label: "Suppress an address or domain", hint: "Action", icon: Plus },
	...settings.map((setting) => ({ ...setting, hint: "Setting", icon: Settings })),
	...Object.entries(settingsTabs).map(([tab, label]) => ({
		to: `/settings/${tab}`,
		label: `Settings: ${label}`,
		hint: "Go to",
		icon: Settings,
	})),
];

/** The commands for a campaign. */
function actsOf({ id, name, status }: CampaignNamesQuery["campaigns"]["nodes"][number]): Target[] {
	if (status === "active") {
		const resume = () => void request(ActivateCampaignDocument, { id }).then(refresh, toastError);
		const pause = () =>
			void request(PauseCampaignDocument, { id }).then(() => {
				toast(`${name} paused.`, resume);
				void refresh();
			}, toastError);
		return [{ act: pause, label: `Pause ${name}`, hint: "Action", icon: Pause }];
	}
	if (status === "archived") return [];
	return [{ to: `/campaigns/${id}/steps?activate=1`, label: `Activate ${name}`, hint: "Action", icon: Play }];
}

/** Searches pages, prospects, companies and campaigns, and runs commands. Keys typed before it was drawn are taken over. */
export default function Palette({ ahead, onClose }: { ahead: () => string; onClose: () => void }) {
	const [text, setText] = useState("");
	const search = useDeferredValue(text.trim());
	const { navigate } = usePlace();
	const prospects = useOne(
		ProspectsDocument,
		{ first: 6, search },
		{ enabled: search.length > 1, live: false, keep: true },
	);
	const campaigns = useCampaignNames();
	const companies = useOne(
		CompaniesDocument,
		{ first: 6, search },
		{ enabled: search.length > 1, live: false, keep: true },
	);
	const has = (label: string, also?: string) => rank(label, text.trim(), also) < NO_MATCH;
	const all: Target[] = [
		...fixed.filter(({ label, also }) => has(label, also)),
		...campaigns
			.filter(({ name }) => text && has(name))
			.slice(0, 6)
			.map(({ id, name }) => ({ to: `/campaigns/${id}`, label: name, hint: "Campaign", icon: Send })),
		...(text ? campaigns : [])
			.flatMap((campaign) => actsOf(campaign))
			.filter(({ label }) => has(label))
			.slice(0, 6),
		...(search.length > 1 ? (companies.data?.companies.nodes ?? []) : []).map(({ id, name }) => ({
			to: `/companies/${id}`,
			label: name,
			hint: "Company",
			icon: Building2,
		})),
		...(search.length > 1 ? (prospects.data?.prospects.nodes ?? []) : []).map((p) => ({
			to: `/prospects/${p.id}`,
			label: nameOf(p),
			hint: p.email,
			icon: User,
		})),
	];
	const rankOf = ({ label, also }: Target) => rank(label, text.trim(), also);
	const found = all.sort((a, b) => rankOf(a) - rankOf(b));
	const go = ({ to, act }: Target) => {
		onClose();
		act?.();
		if (to) navigate(to);
	};
	return (
		<Ariakit.Dialog
			open
			onClose={onClose}
			className="palette"
			aria-label="Search or run a command"
			preventBodyScroll={false}
			backdrop={<div className="backdrop" />}
		>
			<Combobox.ComboboxProvider open value={text} setValue={setText} focusLoop>
				<Combobox.Combobox
					autoSelect="always"
					onFocus={() => {
						const typed = ahead();
						if (typed) setText(typed);
					}}
					placeholder="Search or run a command"
					aria-label="Search or run a command"
					className="palette-input"
				/>
				<Combobox.ComboboxList className="palette-list" alwaysVisible aria-label="Found">
					{found.map((target) => (
						<Combobox.ComboboxItem
							key={`${target.to ?? target.hint} ${target.label}`}
							value={target.label}
							hideOnClick={false}
							setValueOnClick={false}
							className="palette-item"
							onClick={() => go(target)}
						>
							<target.icon size={16} aria-hidden />
							<span className="clip">{target.label}</span>
							<small className="faint clip">{target.hint}</small>
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
