import { UserPlus } from "lucide-react";
import { useMemo, useState } from "react";
import { Link } from "wouter";
import { useChange, useOne, useRows } from "../../data";
import {
	type CampaignFieldsFragment,
	CampaignStatsDocument,
	EnrollDocument,
	EnrollmentCountsDocument,
	type EnrollmentFieldsFragment,
	type EnrollmentStatus,
	EnrollmentsDocument,
} from "../../gql/generated";
import { nameOf } from "../../logic/format";
import { Badge } from "../../parts/Badge";
import { ExportButton } from "../../parts/ExportButton";
import { FormError } from "../../parts/Field";
import { FilterBar, PEOPLE_SEARCH, SearchBox } from "../../parts/Filters";
import { ProspectPicker } from "../../parts/ProspectPicker";
import { type Column, RowList } from "../../parts/RowList";
import { Empty } from "../../parts/states";
import { Time } from "../../parts/Time";
import { toast } from "../../parts/Toasts";
import { usePhone } from "../../parts/useMedia";
import { usePlace } from "../../parts/usePlace";
import { EnrollmentActs, where } from "../prospects/Enrollments";
import { ProspectDrawer } from "../prospects/ProspectDrawer";
import { HeldCauses } from "./HeldCauses";
import { PeopleBar } from "./PeopleBar";
import { FoundPeople, Statuses } from "./Statuses";

const columns: Column<EnrollmentFieldsFragment>[] = [
	{
		head: "Prospect",
		sort: (e) => e.prospect && nameOf(e.prospect),
		width: "minmax(120px, 2fr)",
		cell: (e) => (e.prospect ? <span title={e.prospect.email}>{nameOf(e.prospect)}</span> : "Deleted prospect"),
	},
	{ head: "Status", sort: (e) => e.status, width: "116px", cell: (e) => <Badge state={e.status} />, phone: "side" },
	{ head: "Next step", sort: (e) => e.nextStep, width: "76px", yields: 3, cell: (e) => e.nextStep ?? "–" },
	{ head: "Next", width: "minmax(100px, 3fr)", cell: (e) => where(e), phone: "sub" },
	{ head: "Enrolled", sort: (e) => e.createdAt, width: "100px", yields: 2, cell: (e) => <Time at={e.createdAt} /> },
	{ head: "Actions", width: "166px", yields: 4, cell: (e) => <EnrollmentActs enrollment={e} /> },
];

const exported: Record<string, (e: EnrollmentFieldsFragment) => unknown> = {
	email: (e) => e.prospect?.email,
	first_name: (e) => e.prospect?.firstName,
	last_name: (e) => e.prospect?.lastName,
	company_name: (e) => e.prospect?.companyName,
	status: (e) => e.status,
	reason: (e) => e.stopReason ?? e.holdReason,
	held_until: (e) => e.holdUntil,
	next_step: (e) => e.nextStep,
	next_send_at: (e) => e.nextSendAt,
	enrolled_at: (e) => e.createdAt,
};

export function People({ campaign, open }: { campaign: CampaignFieldsFragment; open: string | undefined }) {
	const { params, close } = usePlace();
	const base = `/campaigns/${campaign.id}/people`;
	const status = params.get("status") as EnrollmentStatus | null;
	const search = params.get("search");
	const filter = { campaignId: campaign.id, status, search };
	const rows = useRows(EnrollmentsDocument, (data) => data.enrollments, filter);
	const { data: counted, error: uncounted } = useOne(CampaignStatsDocument, { id: campaign.id });
	// The counts stand above the list: both come at once, so that nothing moves.
	const [whole, setWhole] = useState(false);
	if (!whole && !rows.loading && (counted || uncounted)) setWhole(true);
	const list = { ...rows, loading: rows.loading || !whole };
	const stats = whole ? counted : undefined;
	const { data: found } = useOne(
		EnrollmentCountsDocument,
		{ campaignId: campaign.id, search },
		{ enabled: !!search, keep: true },
	);
	const counts = search ? found?.enrollmentCounts : stats?.campaignStats.statuses;
	const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
	const selection = useMemo(
		() => ({
			ids,
			toggle: ({ id }: { id: string }) =>
				setIds((had) => new Set(had.has(id) ? [...had].filter((other) => other !== id) : [...had, id])),
		}),
		[ids],
	);
	const phone = usePhone();
	const [adding, setAdding] = useState(false);
	const accepts = campaign.status !== "archived";
	const enroll = useChange(EnrollDocument);
	const add = (prospectId: string) =>
		enroll.mutate(
			{ input: { campaignId: campaign.id, prospectId } },
			{ onSuccess: (data) => toast(data.enroll.enrollmentCreated ? "Enrolled." : "Already enrolled.") },
		);
	const picker = accepts && <ProspectPicker label="Enroll a prospect" onPick={({ id }) => add(id)} />;
	const statuses = stats && counts && <Statuses found={counts} all={stats.campaignStats.statuses} />;
	return (
		<>
			<FilterBar
				search={<SearchBox label="Search people" hint={PEOPLE_SEARCH} />}
				names={["status"]}
				beside={
					phone &&
					accepts && (
						<button
							type="button"
							aria-label="Enroll a prospect"
							title="Enroll a prospect"
							aria-expanded={adding}
							onClick={() => setAdding(!adding)}
						>
							<UserPlus size={16} aria-hidden />
						</button>
					)
				}
				more={
					<>
						{!phone && picker}
						<ExportButton
							inBar
							list="people"
							document={EnrollmentsDocument}
							pick={(data) => data.enrollments}
							variables={filter}
							columns={exported}
						/>
					</>
				}
			>
				{phone && <>{statuses}</>}
			</FilterBar>
			{phone && adding && picker}
			{!phone && statuses}
			{stats && counts && <FoundPeople found={counts} all={stats.campaignStats.statuses} />}
			{status === "held" && <HeldCauses campaignId={campaign.id} />}
			<FormError error={enroll.error} />
			<PeopleBar
				chosen={list.rows.filter(({ id }) => ids.has(id))}
				loaded={list.rows}
				choose={(some) => setIds(new Set(some))}
			/>
			<RowList
				label="People"
				list={list}
				columns={columns}
				href={(e) => `${base}/${e.prospectId}`}
				selection={selection}
				empty={
					search ? (
						<Empty
							title={`No ${status ? `${status} ` : ""}people in this campaign match “${search}”. ${PEOPLE_SEARCH}`}
						/>
					) : status ? (
						<Empty title={`No one is ${status} in this campaign.`} />
					) : (
						<Empty title="No one is enrolled yet. Select prospects in the list and enroll them, or add one above.">
							<Link className="button" href="/prospects">
								Select prospects
							</Link>
						</Empty>
					)
				}
			/>
			{open && <ProspectDrawer key={open} id={open} onClose={() => close(base)} />}
		</>
	);
}
