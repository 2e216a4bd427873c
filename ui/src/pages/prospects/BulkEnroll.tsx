import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { request } from "../../api";
import { ProspectIdsDocument, type ProspectIdsQueryVariables } from "../../gql/generated";
import { download, toCSV } from "../../logic/csv";
import type { Person } from "../../logic/enroller";
import { findAll } from "../../logic/findAll";
import { count, plural } from "../../logic/format";
import { refusedRows } from "../../logic/work";
import { CampaignSelect, useCampaignName } from "../../parts/CampaignSelect";
import { Progress } from "../../parts/Progress";
import { toastError } from "../../parts/Toasts";
import { enroller } from "../../works";
import { EnrollCheck } from "../campaigns/Findings";
import { BulkActs } from "./BulkActs";

interface Props {
	people: Person[];
	/** How the choice is changed, where it can be. */
	choosing?: {
		loaded: Person[];
		more: boolean;
		filter: Omit<ProspectIdsQueryVariables, "first" | "after">;
		choose: (people: Person[]) => void;
	};
	/** After the end of an enrollment was looked at. */
	onDone?: () => void;
}

/** The bar for selected prospects: enrolls them all, shows the progress and what failed. */
export function BulkEnroll({ people, choosing, onDone }: Props) {
	const state = useSyncExternalStore(enroller.watch, enroller.read);
	const [campaign, setCampaign] = useState("");
	const chosen = useCampaignName(campaign);
	useEffect(() => {
		if (state.phase === "done") enroller.see();
	}, [state.phase]);
	if (state.phase === "running" || state.phase === "waiting") {
		return (
			<div className="bulk">
				<div className="grow">
					<Progress label={state.title} unit="prospect" {...state} />
					{state.phase === "waiting" && <p role="status">{state.note} It continues automatically.</p>}
				</div>
				<button type="button" onClick={enroller.stop}>
					Stop
				</button>
			</div>
		);
	}
	if (state.phase === "done") {
		const { enrolled = 0, restarted = 0, present = 0 } = state.counts;
		return (
			<div className="bulk">
				<span role="status" className="grow">
					{state.stopped && "Stopped. "}
					{plural(enrolled + restarted, "prospect")} enrolled, {count(present)} already in the campaign,{" "}
					{count(state.refused.length)} refused.
				</span>
				{state.refused.length > 0 && (
					<button
						type="button"
						onClick={() => download("not-enrolled.csv", toCSV(refusedRows(state.refused, "email")))}
					>
						Download errors
					</button>
				)}
				<button
					type="button"
					onClick={() => {
						enroller.reset();
						onDone?.();
					}}
				>
					Done
				</button>
			</div>
		);
	}
	if (people.length === 0) return null;
	return (
		<div className="bulk">
			<b>{plural(people.length, "prospect")} selected</b>
			{choosing && <Choosing key={JSON.stringify(choosing.filter)} chosen={people.length} {...choosing} />}
			<CampaignSelect value={campaign} onChange={setCampaign} />
			<button
				type="button"
				className="primary"
				disabled={!chosen}
				onClick={() => {
					if (chosen) void enroller.enroll(chosen, people);
				}}
			>
				Enroll {count(people.length)}
			</button>
			{choosing && <BulkActs people={people} onDone={() => choosing.choose([])} />}
			{chosen && <EnrollCheck campaignId={chosen.id} people={people} />}
		</div>
	);
}

function Choosing({ chosen, loaded, more, filter, choose }: NonNullable<Props["choosing"]> & { chosen: number }) {
	const [found, setFound] = useState<number | null>(null);
	// How many match, once they all have been chosen.
	const [whole, setWhole] = useState<number | null>(null);
	const running = useRef<AbortController | null>(null);
	useEffect(() => () => running.current?.abort(), []);
	const all = async () => {
		const stop = new AbortController();
		running.current = stop;
		setFound(0);
		try {
			const people = await findAll(
				async (after, signal) =>
					(await request(ProspectIdsDocument, { ...filter, first: 100, after }, signal)).prospects,
				setFound,
				stop.signal,
			);
			if (!stop.signal.aborted) {
				choose(people);
				setWhole(people.length);
			}
		} catch (error) {
			if (!stop.signal.aborted) toastError(error);
		}
		setFound(null);
	};
	if (found !== null)
		return (
			<span className="line">
				<span role="status">Selecting… {count(found)}</span>
				<button type="button" className="link" onClick={() => running.current?.abort()}>
					Stop
				</button>
			</span>
		);
	return (
		<>
			{more && chosen !== whole && (
				<button type="button" className="link" onClick={() => void all()}>
					Select all matching
				</button>
			)}
			{!more && loaded.length > chosen && (
				<button type="button" className="link" onClick={() => choose(loaded)}>
					Select all {count(loaded.length)}
				</button>
			)}
			<button type="button" className="link" onClick={() => choose([])}>
				Clear<span className="not-phone"> selection</span>
			</button>
		</>
	);
}
