import * as Combobox from "@ariakit/react/combobox";
import * as Ariakit from "@ariakit/react/dialog";
import { Building2, Keyboard, type LucideIcon, Pause, Play, Plus, Send, Settings, Undo2, User } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { request } from "../api";
import { refresh, useOne } from "../data";
import {
	ActivateCampaignDocument,
	type CampaignNameFragment,
	CompaniesDocument,
	PauseCampaignDocument,
	ProspectsDocument,
} from "../gql/generated";
import { nameOf } from "../logic/format";
import { type Group, grouped } from "../logic/groups";
import { NO_MATCH, rank } from "../logic/rank";
import { keepRecent, type Recent, recentOf } from "../logic/recent";
import { useFoundCampaigns, useNewestCampaigns } from "./CampaignSelect";
import { places } from "./places";
import { settings } from "./settings";
import { settingsTabs } from "./settingsTabs";
import { toast, toastError, undoLast } from "./Toasts";
import { keysOn } from "./useKeys";
import { usePlace } from "./usePlace";
import { useViewer } from "./viewer";

interface Target {
	group: Group;
	to?: string;
	/** Runs a command instead of opening a page. */
	act?: () => void;
	label: string;
	/** Other words by which it is found. */
	also?: string;
	/** What tells it from others of its name. */
	detail?: string;
	/** The keys that do the same. */
	keys?: string[];
	/** How it was kept, if it was opened before. */
	kept?: Recent;
	icon: LucideIcon;
}

const action = (to: string, label: string): Target => ({ group: "Actions", to, label, icon: Plus });
const also = new Map(settings.map((setting) => [setting.label, setting.also]));

const fixed: Target[] = [
	...places.map(({ to, label, icon, after }): Target => ({ group: "Go to", to, label, icon, keys: ["g", after] })),
	{ group: "Go to", to: "/settings", label: "Settings", icon: Settings, keys: ["g", "t"] },
	action("/prospects/new", "Add a prospect"),
	action("/prospects/import", "Import prospects from CSV"),
	action("/campaigns/new", "New campaign"),
	action("/mailboxes/new", "Connect a mailbox"),
	action("/offers/new", "New offer"),
	action("/suppressions/new", "Suppress an address or domain"),
	...Object.entries(settingsTabs).map(
		([tab, label]): Target => ({
			group: "Settings",
			to: `/settings/${tab}`,
			label,
			also: `settings ${also.get(label) ?? ""}`,
			icon: Settings,
		}),
	),
	...settings
		.filter(({ label }) => !Object.values<string>(settingsTabs).includes(label))
		.map((setting): Target => ({ ...setting, group: "Settings", icon: Settings })),
];

const icons: Partial<Record<string, LucideIcon>> = { People: User, Companies: Building2, Campaigns: Send };

/** What was opened by the palette before. Pages that are always there look as they do in their group. */
const recent = (workspaceId: string): Target[] =>
	recentOf(workspaceId).map((kept) => {
		const { to, label, group, detail = group === "Go to" ? undefined : group } = kept;
		const known = fixed.find((one) => one.to === to && one.label === label);
		return { ...known, group: "Recent", to, label, detail, kept, icon: known?.icon ?? icons[group] ?? Play };
	});

/** The commands for a campaign. */
function actsOf({ id, name, status }: CampaignNameFragment): Target[] {
	if (status === "active") {
		const resume = () => void request(ActivateCampaignDocument, { id }).then(refresh, toastError);
		const pause = () =>
			void request(PauseCampaignDocument, { id }).then(() => {
				toast(`${name} paused.`, resume);
				void refresh();
			}, toastError);
		return [{ group: "Actions", act: pause, label: `Pause ${name}`, icon: Pause }];
	}
	if (status === "archived") return [];
	const to = `/campaigns/${id}/steps?activate=1`;
	return [{ group: "Actions", to, label: `Activate ${name}`, icon: Play }];
}

/** How many of one kind are found at most. */
const MOST = 6;

/** What is found in the data of the workspace. */
function useFound(typed: string, search: string) {
	const enabled = search.length > 1;
	const wanted = { first: MOST, search };
	const prospects = useOne(ProspectsDocument, wanted, { enabled, live: false, keep: true });
	const companies = useOne(CompaniesDocument, wanted, { enabled, live: false, keep: true });
	// What is typed may begin with the verb of a command. The newest campaigns answer at once.
	const named = useFoundCampaigns(search.replace(/^(pause|activate) /i, ""), enabled);
	const { newest } = useNewestCampaigns();
	const campaigns = [...new Map([...newest, ...named].map((one) => [one.id, one])).values()];
	const has = ({ label }: Target) => rank(label, typed) < NO_MATCH;
	const people = (enabled && prospects.data?.prospects.nodes) || [];
	const firms = (enabled && companies.data?.companies.nodes) || [];
	const found: Target[] = [
		...people.map(
			(p): Target => ({
				group: "People",
				to: `/prospects/${p.id}`,
				label: nameOf(p),
				detail: nameOf(p) === p.email ? (p.companyName ?? undefined) : p.email,
				icon: User,
			}),
		),
		...firms.map(
			({ id, name, domain }): Target => ({
				group: "Companies",
				to: `/companies/${id}`,
				label: name,
				detail: domain ?? undefined,
				icon: Building2,
			}),
		),
	];
	if (typed) {
		const targets = campaigns.map(
			({ id, name, status }): Target => ({
				group: "Campaigns",
				to: `/campaigns/${id}`,
				label: name,
				detail: status,
				icon: Send,
			}),
		);
		found.push(...targets.filter(has).slice(0, MOST));
		found.push(...campaigns.flatMap(actsOf).filter(has).slice(0, MOST));
	}
	return {
		found,
		busy: enabled && (prospects.isFetching || companies.isFetching),
		failed: enabled && (prospects.isError || companies.isError),
	};
}

interface Props {
	/** Returns the keys that were typed before the palette was drawn. */
	ahead: () => string;
	onKeys: () => void;
	onClose: () => void;
}

/** Searches pages, people, companies and campaigns, and runs commands. */
export default function Palette({ ahead, onKeys, onClose }: Props) {
	const [text, setText] = useState("");
	const typed = text.trim();
	const { navigate } = usePlace();
	const workspace = useViewer().workspaceId ?? "";
	const { found, busy, failed } = useFound(typed, useDeferredValue(typed));
	const commands: Target[] = [
		{ group: "Actions", act: onKeys, label: "Show keyboard shortcuts", also: "help", icon: Keyboard, keys: ["?"] },
		{ group: "Actions", act: undoLast, label: "Undo the last action", icon: Undo2, keys: ["z"] },
	];
	const here = [...fixed, ...commands].filter(({ label, also: more }) => rank(label, typed, more) < NO_MATCH);
	const groups = grouped([...(typed ? [] : recent(workspace)), ...found, ...here], typed);
	const go = ({ to, act, label, group, detail, kept = { to: to ?? "", label, group, detail } }: Target) => {
		onClose();
		act?.();
		if (!to) return;
		keepRecent(workspace, kept);
		navigate(to);
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
						const before = ahead();
						if (before) setText(before);
					}}
					placeholder="Search or run a command"
					aria-label="Search or run a command"
					className="palette-input"
				/>
				<Combobox.ComboboxList className="palette-list" alwaysVisible aria-label="Found">
					{groups.map(([group, targets]) => (
						<Combobox.ComboboxGroup key={group}>
							<Combobox.ComboboxGroupLabel className="palette-group">{group}</Combobox.ComboboxGroupLabel>
							{targets.map((target) => (
								<Item key={`${target.to ?? ""} ${target.label}`} target={target} go={go} />
							))}
						</Combobox.ComboboxGroup>
					))}
				</Combobox.ComboboxList>
				{(groups.length === 0 || failed) && (
					<p className="empty" role="status">
						{failed
							? "People and companies could not be searched."
							: busy
								? "Searching…"
								: "Nothing is found. Try a name, an address, a company or a page."}
					</p>
				)}
			</Combobox.ComboboxProvider>
		</Ariakit.Dialog>
	);
}

function Item({ target, go }: { target: Target; go: (target: Target) => void }) {
	return (
		<Combobox.ComboboxItem
			value={target.label}
			hideOnClick={false}
			setValueOnClick={false}
			className="palette-item"
			onClick={() => go(target)}
		>
			<target.icon size={16} aria-hidden />
			<span className="clip">{target.label}</span>
			{target.detail && <small className="faint clip">{target.detail}</small>}
			{target.keys && keysOn() && (
				<span className="chord">
					{target.keys.map((key) => (
						<kbd key={key}>{key}</kbd>
					))}
				</span>
			)}
		</Combobox.ComboboxItem>
	);
}
