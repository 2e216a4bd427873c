import { Archive, Copy, Pause, Play, Trash2, Undo2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { request } from "../../api";
import { client, patchRow, refresh, useChange, useOne } from "../../data";
import {
	ActivateCampaignDocument,
	ArchiveCampaignDocument,
	CampaignDocument,
	type CampaignFieldsFragment,
	CampaignStatsDocument,
	DeleteCampaignDocument,
	DuplicateCampaignDocument,
	PauseCampaignDocument,
	UpdateCampaignDocument,
} from "../../gql/generated";
import { adopt, type CampaignDraft, draftOf, inputOf, rebase } from "../../logic/campaignDraft";
import { plural, words } from "../../logic/format";
import { unknown } from "../../logic/templateVariables";
import { Acts } from "../../parts/Acts";
import { Badge } from "../../parts/Badge";
import { Confirm } from "../../parts/Confirm";
import { FormError } from "../../parts/Field";
import { Page } from "../../parts/Page";
import { Failure, Skeleton } from "../../parts/states";
import { Tabs } from "../../parts/Tabs";
import { toast, toastError } from "../../parts/Toasts";
import { useDraft } from "../../parts/useDraft";
import { usePhone } from "../../parts/useMedia";
import { usePlace } from "../../parts/usePlace";
import { ActivateDialog } from "./ActivateDialog";
import { Conflict } from "./Conflict";
import { ContinueFinished } from "./ContinueFinished";
import { Mailboxes } from "./Mailboxes";
import { People } from "./People";
import { Schedule } from "./Schedule";
import { Standing } from "./Standing";
import { Statistics } from "./Statistics";
import { Steps } from "./Steps";
import { templatesOf } from "./usePeople";

const tabs = ["steps", "schedule", "mailboxes", "people", "statistics"];

export function CampaignPage({ id, tab, open }: Omit<EditorProps, "campaign">) {
	const { data, error, refetch } = useOne(CampaignDocument, { id });
	if (!data)
		return (
			<Page
				title="Campaign"
				action={
					error && (
						<Link className="button" href="/campaigns">
							All campaigns
						</Link>
					)
				}
			>
				{error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton />}
			</Page>
		);
	return <Editor campaign={data.campaign} tab={tab} id={id} open={open} />;
}

interface EditorProps {
	campaign: CampaignFieldsFragment;
	/** Without one: the statistics of what has begun, the steps of a draft. */
	tab: string | undefined;
	id: string;
	open: string | undefined;
}

function Editor({ campaign, tab: asked, id, open }: EditorProps) {
	const tab = asked && tabs.includes(asked) ? asked : campaign.status === "draft" ? "steps" : "statistics";
	const { navigate, params } = usePlace();
	const phone = usePhone();
	// A draft is applied to the stored campaign. Without a draft the stored campaign is shown.
	const { values: draft, set, clear, stored, kept } = useDraft(`campaign.${id}`, draftOf(campaign));
	const [asking, setAsking] = useState<"activate" | "archive" | "delete" | null>(
		params.get("activate") && campaign.status !== "active" && campaign.status !== "archived" ? "activate" : null,
	);
	const sent = useRef<CampaignDraft>(null);
	const update = useChange(UpdateCampaignDocument, ({ updateCampaign: next }) => {
		if (sent.current) {
			adopt(sent.current.steps, next.steps);
			stored(sent.current, (typed) => rebase(typed, next));
		}
		known(next);
		toast("Saved.");
	});
	const pause = useChange(PauseCampaignDocument);
	const known = (next: CampaignFieldsFragment) => {
		client.setQueryData(["one", "Campaign", { id }], { campaign: next });
		patchRow(next);
	};
	const [theirs, setTheirs] = useState(false);
	// Another user has saved since this draft was started: saving it would undo their changes.
	const stale = kept && !update.isPending && draft.revision !== campaign.revision;
	const put = (over: CampaignDraft, then?: () => void) => {
		sent.current = draft;
		setTheirs(false);
		update.mutate(
			{ id, input: inputOf(over), basedOn: over.revision },
			{ onSuccess: then, onError: () => void refresh() },
		);
	};
	const save = (then?: () => void) => {
		const [wrong] = unknown(templatesOf(draft.steps));
		if (wrong) toast(`Unknown variable ${wrong.name}.${wrong.nearest ? ` Did you mean ${wrong.nearest}?` : ""}`);
		else if (stale) toast("Someone else changed this campaign. Compare the versions first.");
		else put(draft, then);
	};
	const discard = () => {
		clear();
		update.reset();
		setTheirs(false);
		toast("Changes discarded.", () => set(draft));
	};
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if ((event.ctrlKey || event.metaKey) && event.key === "s") {
				event.preventDefault();
				if (kept && !update.isPending) save();
			}
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	});
	const duplicate = useChange(DuplicateCampaignDocument);
	const copy = () =>
		duplicate.mutate(
			{ id },
			{
				onSuccess: ({ duplicateCampaign: made }) => {
					toast("Campaign duplicated.");
					navigate(`/campaigns/${made.id}/steps`);
				},
			},
		);
	const editable = campaign.status !== "archived";
	const pausable = !kept && campaign.status === "active";
	const form =
		theirs && stale
			? { draft: draftOf(campaign), set, error: null, editable: false }
			: { draft, set, error: update.error, editable };
	const stop = () =>
		pause.mutate(
			{ id },
			{
				onSuccess: (data) => {
					known(data.pauseCampaign);
					toast(
						"Campaign paused.",
						() =>
							void request(ActivateCampaignDocument, { id }).then((back) => {
								known(back.activateCampaign);
							}, toastError),
					);
				},
			},
		);
	return (
		<Page
			title={campaign.name}
			count={!phone && <Badge state={campaign.status} />}
			wide={tab === "people"}
			action={
				<>
					{kept && !phone && (
						<button type="button" onClick={discard}>
							Discard
						</button>
					)}
					{kept && (
						<button type="button" className="primary" disabled={update.isPending || stale} onClick={() => save()}>
							{update.isPending ? "Saving…" : "Save"}
						</button>
					)}
					{pausable && !phone && (
						<button type="button" onClick={stop}>
							<Pause size={14} aria-hidden /> Pause
						</button>
					)}
					{!kept && ["draft", "paused", "completed"].includes(campaign.status) && (
						<button
							type="button"
							className={draft.steps.length > 0 ? "primary" : ""}
							onClick={() => setAsking("activate")}
						>
							<Play size={14} aria-hidden /> Activate
						</button>
					)}
					<Acts
						label="More for this campaign"
						acts={[
							...(phone && kept ? [{ label: "Discard changes", icon: Undo2, act: discard }] : []),
							...(phone && pausable ? [{ label: "Pause campaign", icon: Pause, act: stop }] : []),
							{ label: "Duplicate campaign", icon: Copy, disabled: duplicate.isPending, act: copy },
							...(campaign.status === "draft"
								? [{ label: "Delete campaign", icon: Trash2, act: () => setAsking("delete") }]
								: editable
									? [{ label: "Archive campaign", icon: Archive, act: () => setAsking("archive") }]
									: []),
						]}
					/>
				</>
			}
		>
			<Standing campaign={campaign} brief={phone && tab === "people"} />
			<ContinueFinished campaign={campaign} onDone={known} />
			{stale && (
				<Conflict
					mine={draft}
					campaign={campaign}
					looking={theirs}
					onLook={() => setTheirs(!theirs)}
					onOverwrite={() => put(rebase(draft, campaign))}
				/>
			)}
			<FormError
				error={(stale && update.error?.code === "conflict" ? null : update.error) ?? pause.error ?? duplicate.error}
			/>
			<Tabs
				label="Parts of the campaign"
				at={tab}
				replace
				tabs={tabs.map((name) => ({ name, label: words(name), href: `/campaigns/${id}/${name}` }))}
			/>
			{tab === "steps" && <Steps campaign={campaign} {...form} save={kept ? save : null} />}
			{tab === "schedule" && <Schedule {...form} />}
			{tab === "mailboxes" && <Mailboxes {...form} />}
			{tab === "people" && <People campaign={campaign} open={open} />}
			{tab === "statistics" && <Statistics campaign={campaign} />}
			{asking === "activate" && (
				<ActivateDialog campaign={campaign} unsaved={kept} onClose={() => setAsking(null)} onDone={known} />
			)}
			{asking === "archive" && <ArchiveDialog campaign={campaign} onClose={() => setAsking(null)} onDone={known} />}
			{asking === "delete" && (
				<Confirm
					title={`Delete ${campaign.name}?`}
					verb="Delete draft"
					typed="delete"
					onClose={() => setAsking(null)}
					act={async () => {
						await request(DeleteCampaignDocument, { id });
						clear();
						client.removeQueries({ queryKey: ["pages", "Campaigns"] });
						toast("Draft deleted.");
						navigate("/campaigns");
						void refresh();
					}}
				>
					<p>Deletes 1 draft with {plural(campaign.steps.length, "step")}. It has not sent anything.</p>
				</Confirm>
			)}
		</Page>
	);
}

function ArchiveDialog({
	campaign,
	onClose,
	onDone,
}: {
	campaign: CampaignFieldsFragment;
	onClose: () => void;
	onDone: (c: CampaignFieldsFragment) => void;
}) {
	const { data } = useOne(CampaignStatsDocument, { id: campaign.id });
	const act = async () => {
		onDone((await request(ArchiveCampaignDocument, { id: campaign.id })).archiveCampaign);
		toast("Campaign archived.");
		void refresh();
	};
	return (
		<Confirm title={`Archive ${campaign.name}?`} verb="Archive campaign" typed="archive" act={act} onClose={onClose}>
			<p>
				Stops every running enrollment of {data ? plural(data.campaignStats.prospects, "prospect") : "all prospects"}{" "}
				enrolled. An archived campaign accepts no prospects and cannot be activated again. Its statistics stay.
			</p>
		</Confirm>
	);
}
