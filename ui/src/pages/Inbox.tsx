import { useEffect, useRef, useState } from "react";
import { type Rows, useOne, useRows } from "../data";
import { InterestValues } from "../gql/enums";
import {
	type Interest,
	MailboxesDocument,
	RepliesDocument,
	ReplyDocument,
	type ReplyFieldsFragment,
} from "../gql/generated";
import { tomorrow } from "../logic/mornings";
import { CampaignFilter } from "../parts/CampaignSelect";
import { Filter, FilterBar, SearchBox } from "../parts/Filters";
import { Page } from "../parts/Page";
import { Empty, type Sample } from "../parts/states";
import { typeAhead } from "../parts/typeAhead";
import { useKeys } from "../parts/useKeys";
import { usePhone } from "../parts/useMedia";
import { usePlace } from "../parts/usePlace";
import { useViewer } from "../parts/viewer";
import { Bulk } from "./inbox/Bulk";
import { openMenu } from "./inbox/Care";
import { Conversations } from "./inbox/Conversations";
import { Found, useFound } from "./inbox/Found";
import { Thread } from "./inbox/Thread";
import { isDone, isSnoozed, useActs } from "./inbox/useActs";

/** The most replies that one call changes. */
const AT_ONCE = 100;

/** How long what is typed waits for the editor to load, in milliseconds. */
const LOADING = 10_000;

const filters = ["show", "interest", "campaign", "mailbox"];

const sample: Sample[] = [
	["Anna Keller", "Positive", "Yes, could you send more details?"],
	["Ben Okafor", "Neutral", "Please ask me again in March."],
	["Chloé Martin", "Negative", "Thanks, but not for us."],
];

const openAssign = () => openMenu("assign");
const openSnooze = () => openMenu("snooze");

/** Those that the list is about: what was just dealt with leaves it before the server says so. */
const only = (list: Rows<ReplyFieldsFragment>, { done = null, snoozed = null }: Shown) => ({
	...list,
	rows: list.rows.filter(
		(row) => (done === null || isDone(row) === done) && (snoozed === null || isSnoozed(row) === snoozed),
	),
});

interface Shown {
	done?: boolean | null;
	snoozed?: boolean | null;
	assignedTo?: string;
	unassigned?: boolean;
	unmatched?: boolean;
}

/** What each choice of the menu "Show" asks for. */
const shownBy = (choice: string | null, viewer: string): Shown => {
	const open = { done: false, snoozed: false };
	switch (choice) {
		case "done":
			return { done: true };
		case "all":
			return {};
		case "mine":
			return { ...open, assignedTo: viewer };
		case "unassigned":
			return { ...open, unassigned: true };
		case "snoozed":
			return { done: false, snoozed: true };
		case "unmatched":
			return { unmatched: true, done: false };
		default:
			return open;
	}
};

const nothing: Record<string, string> = {
	mine: "No open replies are assigned to you.",
	unassigned: "All open replies are assigned.",
	snoozed: "No replies are snoozed.",
	unmatched: "No mail waits to be matched with a prospect.",
};

/** Replies of all mailboxes: the list, what was written back and forth, who it is. */
export default function Inbox() {
	const {
		path: [, id],
		params,
		navigate,
		tail,
		close,
		filter,
	} = usePlace();
	const phone = usePhone();
	const [folded, setFolded] = useState(true);
	const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
	const [answering, setAnswering] = useState<string | null>(null); // the reply that is being answered
	const typed = useRef<() => string>(() => "");
	const answer = (reply: string) => {
		if (reply !== answering) typed.current = typeAhead(LOADING);
		setAnswering(reply);
	};
	const shared = { campaignId: params.get("campaign"), mailboxId: params.get("mailbox") };
	const viewer = useViewer();
	const choice = params.get("show");
	const shown = shownBy(choice, viewer.id);
	const done = shown.done ?? null;
	const people = only(
		useRows(
			RepliesDocument,
			(data) => data.replies,
			{ ...shared, interest: params.get("interest") as Interest | null, automatic: false, ...shown },
			{ size: 50 },
		),
		shown,
	);
	const programs = only(
		useRows(RepliesDocument, (data) => data.replies, { ...shared, automatic: true, ...shown }, { size: 50 }),
		shown,
	);
	const search = params.get("search") ?? "";
	const found = useFound(search);
	const listed = folded ? people.rows : [...people.rows, ...programs.rows];
	const rows: { id: string }[] = search
		? found.rows.flatMap(({ replyId }, n, all) =>
				replyId && all.findIndex((row) => row.replyId === replyId) === n ? [{ id: replyId }] : [],
			)
		: listed;
	const at = rows.findIndex((row) => row.id === id);
	// Where one was, for when the reply that is read has left the list.
	const last = useRef(0);
	useEffect(() => {
		if (at >= 0) last.current = at;
	}, [at]);
	const show = (row: { id: string } | undefined) =>
		navigate(row ? `/inbox/${row.id}${tail}` : `/inbox${tail}`, {
			replace: id !== undefined,
			state: id === undefined ? { over: true } : (history.state as unknown),
		});
	const go = (to: number) => {
		const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
		if (row) show(row);
	};
	const [first] = rows;
	useEffect(() => {
		if (!phone && !id && first) navigate(`/inbox/${first.id}${tail}`, { replace: true });
	}, [phone, id, first, navigate, tail]);

	// After a change of filters or search the reply that is read stays open if the new list has it. Else the first of the
	// list is opened, on a phone the list itself. Until that is known, keys act on nothing. A reply that leaves the list
	// while it is read, as it was just judged, stays open; so does one that a link led to.
	const [openedFor, setOpenedFor] = useState({ id, tail });
	if (openedFor.id !== id) setOpenedFor({ id, tail });
	const unsettled = openedFor.id === id && openedFor.tail !== tail;
	const { loading, error } = search ? found : people;
	const unknown = loading || (error !== null && rows.length === 0);
	useEffect(() => {
		if (!unsettled || unknown) return;
		setPicked(new Set());
		if (id === undefined || (at >= 0 && !phone)) setOpenedFor({ id, tail });
		else navigate(first && !phone ? `/inbox/${first.id}${tail}` : `/inbox${tail}`, { replace: true });
	}, [unsettled, unknown, id, tail, at, phone, first, navigate]);

	const opened = useOne(ReplyDocument, { id: id ?? "" }, { enabled: id !== undefined });
	const known = listed.find((row) => row.id === id);
	/** The reply that keys act on. */
	const current = unsettled ? undefined : (opened.data?.reply ?? known);
	const { setDone, snooze, ...acts } = useActs(show);
	const pick = (one: string) =>
		setPicked((had) =>
			had.has(one) ? new Set([...had].filter((other) => other !== one)) : new Set([...had, one].slice(-AT_ONCE)),
		);
	const pickAll = () => setPicked(new Set(listed.slice(0, AT_ONCE).map((row) => row.id)));
	const clear = () => setPicked(new Set());
	const chosen = search || unsettled ? [] : listed.filter((row) => picked.has(row.id));
	/** What a key acts on: the selected replies, else the one that is read. */
	const targets = chosen.length > 0 ? chosen : current ? [current] : [];
	/** The reply that is read has left the list, or is dealt with: the next one is read, else the one before. */
	const moveOn = (gone: ReplyFieldsFragment[]) => {
		const stays = (row: { id: string }) => !gone.some((one) => one.id === row.id);
		if (at >= 0 && gone.some((one) => one.id === id))
			show(rows.slice(at + 1).find(stays) ?? rows.slice(0, at).findLast(stays));
	};
	const settle = (replies: ReplyFieldsFragment[], value: boolean) => {
		void setDone(replies, value);
		if (value || (done !== null && !search)) moveOn(replies);
		clear();
	};
	const putOff = (replies: ReplyFieldsFragment[], until: Date | null | undefined) => {
		snooze(replies, until);
		const stays = search !== "" || shown.snoozed === undefined || shown.snoozed === (until !== undefined);
		if (!stays) moveOn(replies);
		clear();
	};
	const assign = (replies: ReplyFieldsFragment[], member: string | null, name: string) => {
		acts.assign(replies, member, name);
		clear();
	};
	useKeys({
		j: () => go(at < 0 ? last.current : at + 1),
		k: () => go((at < 0 ? last.current : at) - 1),
		p: () => {
			if (current) acts.setInterest(current, "positive");
		},
		n: () => {
			if (current) acts.setInterest(current, "negative");
		},
		u: () => {
			if (current) acts.setInterest(current, "neutral");
		},
		e: () => {
			if (targets.length > 0) settle(targets, !targets.every((reply) => reply.done));
		},
		a: () => {
			const mine = targets.every(({ assignedTo }) => assignedTo === viewer.id);
			if (targets.length > 0) assign(targets, mine ? null : viewer.id, viewer.email);
		},
		A: openAssign,
		s: () => {
			if (targets.length > 0) putOff(targets, targets.every(isSnoozed) ? undefined : tomorrow());
		},
		S: openSnooze,
		x: () => {
			if (known && !unsettled) pick(known.id);
		},
		X: pickAll,
		...(chosen.length > 0 && { Escape: clear }),
		r: () => {
			if (current?.prospectId) answer(current.id);
		},
	});
	const mailboxes = useOne(MailboxesDocument, {}, { live: 60_000 });
	const filtered = [...filters.slice(1), "search"].some((name) => params.get(name));
	return (
		<Page
			title="Inbox"
			wide
			filters={
				<FilterBar search={<SearchBox label="Search all mail" />} names={filters}>
					{!search && (
						<>
							<Filter
								name="show"
								label="Show"
								none="Open"
								options={["mine", "unassigned", "snoozed", "unmatched", "done", "all"]}
							/>
							<Filter name="interest" label="Interest" options={InterestValues} />
							<CampaignFilter />
							<Filter
								name="mailbox"
								label="Mailbox"
								options={(mailboxes.data?.mailboxes.nodes ?? []).map((box) => ({ value: box.id, label: box.email }))}
							/>
						</>
					)}
				</FilterBar>
			}
		>
			<div className={id ? "inbox reading" : "inbox"} aria-busy={unsettled || undefined}>
				{search ? (
					<Found search={search} found={found} open={id} go={(replyId) => show({ id: replyId })} />
				) : (
					<Conversations
						people={people}
						programs={programs}
						folded={folded}
						fold={setFolded}
						open={id}
						go={show}
						picked={picked}
						pick={pick}
						bulk={
							<Bulk
								chosen={chosen}
								most={Math.min(listed.length, AT_ONCE)}
								more={people.more || listed.length > AT_ONCE}
								all={pickAll}
								clear={clear}
								settle={settle}
								assign={assign}
								putOff={putOff}
							/>
						}
						empty={
							filtered ? (
								<Empty title="No replies match these filters." />
							) : choice && nothing[choice] ? (
								<Empty title={nothing[choice]} />
							) : done ? (
								<Empty title="No replies are done yet." />
							) : done === null ? (
								<Empty title="Replies from all mailboxes appear here." sample={sample} />
							) : (
								<Empty title="All replies are done. New replies appear here automatically.">
									<button type="button" onClick={() => filter("show", "all")}>
										Show all replies
									</button>
								</Empty>
							)
						}
					/>
				)}
				<Thread
					key={id ?? ""}
					id={id}
					known={known}
					search={search}
					back={() => close("/inbox")}
					setDone={(reply, value) => settle([reply], value)}
					setInterest={acts.setInterest}
					setAutomatic={acts.setAutomatic}
					assign={assign}
					putOff={putOff}
					answering={id !== undefined && answering === id}
					reopen={(replyId) => {
						show({ id: replyId });
						answer(replyId);
					}}
					setAnswering={(on) => (on && id ? answer(id) : setAnswering(null))}
					typed={() => typed.current()}
				/>
			</div>
		</Page>
	);
}
