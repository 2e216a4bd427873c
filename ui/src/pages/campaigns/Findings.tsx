import * as Ariakit from "@ariakit/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { AlertTriangle, Check, Loader, X } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { type ApiError, request } from "../../api";
import { CheckCampaignDocument, CheckPeopleDocument } from "../../gql/generated";
import { count, plural } from "../../logic/format";
import { checkAll, type Finding, findingText, type PeopleCheck, refuses } from "../../logic/peopleCheck";
import { CHUNK } from "../../logic/work";
import { heading } from "../../parts/heading";
import { besideDialogs } from "../../parts/Toasts";
import { FillValue } from "./FillValue";

/** Checks people before they are enrolled, a thousand in a request. */
export function useCheckPeople(campaignId: string, people: { id: string }[]) {
	const ids = people.map(({ id }) => id);
	return useQuery<PeopleCheck, ApiError>({
		queryKey: ["all", "CheckPeople", { campaignId, ids }],
		queryFn: ({ signal }) =>
			checkAll(async (after, stop) => {
				const from = Number(after);
				const prospectIds = ids.slice(from, from + CHUNK);
				const { checkPeople } = await request(CheckPeopleDocument, { campaignId, prospectIds }, stop);
				return { check: checkPeople, next: from + CHUNK < ids.length ? String(from + CHUNK) : null };
			}, signal),
		enabled: campaignId !== "" && ids.length > 0,
		staleTime: 60_000,
	});
}

/** Checks the people of a campaign who wait for a step. */
function useCheckCampaign(id: string) {
	return useQuery<PeopleCheck, ApiError>({
		queryKey: ["all", "CheckCampaign", { id }],
		queryFn: ({ signal }) =>
			checkAll(async (after, stop) => {
				const { checkCampaign } = await request(CheckCampaignDocument, { id, after }, stop);
				return { check: checkCampaign.check, next: checkCampaign.nextCursor ?? null };
			}, signal),
		staleTime: 0,
	});
}

/** The check of the people of a campaign who wait for a step, as items of a list; noPeople is shown if there are none. */
export function CampaignCheck({ campaignId, noPeople }: { campaignId: string; noPeople?: string }) {
	const { data: check, error } = useCheckCampaign(campaignId);
	if (error)
		return (
			<li>
				<AlertTriangle size={16} className="warn-text" aria-label="Warning" />
				<span className="grow">The check of the people failed: {error.message}</span>
			</li>
		);
	if (!check)
		return (
			<li>
				<Loader size={16} aria-hidden />
				<span className="grow" role="status">
					Checking everyone…
				</span>
			</li>
		);
	return (
		<>
			{check.people === 0 && noPeople && <li>{noPeople}</li>}
			{check.people > 0 && check.ready === check.people && (
				<li>
					<Check size={16} className="good-text" aria-label="Done" />
					<span className="grow">Everyone has the values that the steps print</span>
				</li>
			)}
			<Findings check={check} enrolled />
		</>
	);
}

/** Shows the check of everyone in a campaign, whose steps are already saved. */
export function CheckDialog({ campaignId, onClose }: { campaignId: string; onClose: () => void }) {
	return (
		<Ariakit.Dialog
			open
			onClose={onClose}
			getPersistentElements={besideDialogs}
			className="dialog"
			preventBodyScroll={false}
			backdrop={<div className="backdrop" />}
		>
			<Ariakit.DialogHeading render={heading}>Check everyone</Ariakit.DialogHeading>
			<p className="faint">Checks the saved steps for all people who still get one.</p>
			<ul className="lines">
				<CampaignCheck campaignId={campaignId} noPeople="No one waits for a step." />
			</ul>
			<div className="buttons">
				<Ariakit.DialogDismiss className="primary">Close</Ariakit.DialogDismiss>
			</div>
		</Ariakit.Dialog>
	);
}

/** What a check has found, as items of a list, with what mends a finding for all of its people. */
export function Findings({ check, enrolled }: { check: PeopleCheck; enrolled: boolean }) {
	const [filling, setFilling] = useState<Finding | null>(null);
	return (
		<>
			{check.findings.map((finding) => (
				<li key={`${finding.cause} ${finding.variable} ${finding.detail}`}>
					{refuses(finding) ? (
						<X size={16} className={enrolled ? "warn-text" : "bad-text"} aria-label="Refused" />
					) : (
						<AlertTriangle size={16} className="warn-text" aria-label="Warning" />
					)}
					<span className="grow" title={namesOf(finding)}>
						{findingText(finding, enrolled)}
					</span>
					<Mend finding={finding} fill={() => setFilling(finding)} />
				</li>
			))}
			{filling?.variable && (
				<FillValue name={filling.variable} people={filling.people} onClose={() => setFilling(null)} />
			)}
		</>
	);
}

/** The first people of a finding. */
function namesOf({ people }: Finding): string {
	const some = people.slice(0, 10).map(({ email }) => email);
	return [...some, ...(people.length > some.length ? [`and ${count(people.length - some.length)} more`] : [])].join(
		"\n",
	);
}

function Mend({ finding: { variable }, fill }: { finding: Finding; fill: () => void }) {
	if (variable === "mailbox.display_name") return <Link href="/mailboxes">Mailboxes</Link>;
	if (!variable || variable === "email") return null;
	return (
		<button type="button" className="link" onClick={fill} aria-label={`Fill in ${variable}`}>
			Fill in
		</button>
	);
}

/** The check over chosen people before they are enrolled: how many are ready, and what is found. */
export function EnrollCheck({ campaignId, people }: { campaignId: string; people: { id: string }[] }) {
	const { data, error, isPending } = useCheckPeople(campaignId, people);
	if (error) return <p className="enroll-check bad-text">The check failed: {error.message}</p>;
	if (isPending)
		return (
			<p className="enroll-check faint" role="status">
				Checking {plural(people.length, "prospect")}…
			</p>
		);
	return (
		<div className="enroll-check">
			<p role="status">
				<Check size={16} className="good-text" aria-hidden /> {count(data.ready)} of {count(data.people)} ready
			</p>
			{data.findings.length > 0 && (
				<ul className="lines" aria-label="Found by the check">
					<Findings check={data} enrolled={false} />
				</ul>
			)}
		</div>
	);
}
