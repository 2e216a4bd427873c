import { Bot, ChevronDown, ChevronRight, Clock, Square, SquareCheck, UserRound } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import type { Rows } from "../../data";
import type { ReplyFieldsFragment } from "../../gql/generated";
import { nameOf, plural, when } from "../../logic/format";
import { Badge } from "../../parts/Badge";
import { Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { snoozeEnd, snoozeOf, untilReply } from "./useActs";

interface Props {
	people: Rows<ReplyFieldsFragment>;
	programs: Rows<ReplyFieldsFragment>;
	folded: boolean;
	fold: (folded: boolean) => void;
	open: string | undefined;
	go: (row: ReplyFieldsFragment) => void;
	empty: ReactNode;
	picked: ReadonlySet<string>;
	pick: (id: string) => void;
	/** What is done with those that are picked. */
	bulk: ReactNode;
}

/** The replies; what programs answered lies folded under one line. */
export function Conversations({ people, programs, folded, fold, open, go, empty, picked, pick, bulk }: Props) {
	if (people.loading)
		return (
			<div className="pane">
				<Skeleton lines={8} />
			</div>
		);
	if (people.error && people.rows.length === 0)
		return (
			<div className="pane">
				<Failure error={people.error} retry={people.retry} />
			</div>
		);
	return (
		<div className="conversations" onScroll={(event) => look(event.currentTarget, people)}>
			{people.rows.length === 0 && empty}
			{people.rows.length > 0 && bulk}
			<List label="Replies" rows={people.rows} open={open} go={go} picked={picked} pick={pick} />
			{people.more && (
				<button type="button" className="folded" disabled={people.fetchingMore} onClick={people.fetchMore}>
					Older replies
				</button>
			)}
			{programs.rows.length > 0 && (
				<button type="button" className="folded" aria-expanded={!folded} onClick={() => fold(!folded)}>
					{folded ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
					<Bot size={14} aria-hidden />{" "}
					{programs.more
						? `${programs.rows.length}+ automatic replies`
						: plural(programs.rows.length, "automatic reply", "automatic replies")}
				</button>
			)}
			{!folded && (
				<List label="Automatic replies" rows={programs.rows} open={open} go={go} picked={picked} pick={pick} />
			)}
			{!folded && programs.more && (
				<button type="button" className="folded" disabled={programs.fetchingMore} onClick={programs.fetchMore}>
					Older automatic replies
				</button>
			)}
		</div>
	);
}

/** Estimates which replies are on the screen. All have the same height. */
function look(
	{ scrollTop, scrollHeight, clientHeight }: Element,
	{ rows, look: tell }: Rows<ReplyFieldsFragment>,
): void {
	tell(
		Math.floor((scrollTop / scrollHeight) * rows.length),
		Math.ceil(((scrollTop + clientHeight) / scrollHeight) * rows.length),
	);
}

/** Turns a page of the thread that is read. */
function turn(way: number): void {
	const thread = document.querySelector(".thread");
	thread?.scrollBy({ top: way * thread.clientHeight * 0.8 });
}

function List({
	label,
	rows,
	open,
	go,
	picked,
	pick,
}: {
	label: string;
	rows: ReplyFieldsFragment[];
	open: string | undefined;
	go: (row: ReplyFieldsFragment) => void;
	picked: ReadonlySet<string>;
	pick: (id: string) => void;
}) {
	const box = useRef<HTMLDivElement>(null);
	const at = Math.max(
		0,
		rows.findIndex((row) => row.id === open),
	);
	const drawn = useRef(false);
	// With keys the focus follows the open reply, so that screen readers read it; a focused field keeps the focus.
	// biome-ignore lint/correctness/useExhaustiveDependencies: another reply is open
	useEffect(() => {
		const option = box.current?.querySelector<HTMLElement>('[aria-selected="true"]'),
			focused = document.activeElement;
		option?.scrollIntoView({ block: "nearest" });
		if (option && drawn.current && (focused === document.body || focused?.closest(".conversations")))
			option.focus({ preventScroll: true });
		drawn.current = true;
	}, [open]);
	if (rows.length === 0) return null;
	const focus = (to: number) =>
		box.current?.querySelectorAll<HTMLElement>('[role="option"]')[Math.max(0, Math.min(rows.length - 1, to))]?.focus();
	const onKey = (event: KeyboardEvent) => {
		const here = [...(box.current?.querySelectorAll('[role="option"]') ?? [])].indexOf(
			document.activeElement as HTMLElement,
		);
		if (event.key === "ArrowDown") focus(here + 1);
		else if (event.key === "ArrowUp") focus(here - 1);
		else if (event.key === "Enter" && rows[here]) go(rows[here]);
		else if (event.key === " ") turn(event.shiftKey ? -1 : 1);
		else return;
		event.preventDefault();
	};
	return (
		<div role="listbox" aria-label={label} ref={box} onKeyDown={onKey}>
			{rows.map((row, n) => (
				// biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys
				<div
					role="option"
					key={row.id}
					className={picked.has(row.id) ? "picked" : undefined}
					aria-selected={row.id === open}
					tabIndex={n === at ? 0 : -1}
					onClick={(event) => (event.ctrlKey || event.metaKey ? pick(row.id) : go(row))}
				>
					{/* A screen reader is told by the word, a keyboard has "x". */}
					<span
						className="pick"
						aria-hidden
						onClick={(event) => {
							event.stopPropagation();
							pick(row.id);
						}}
					>
						{picked.has(row.id) ? <SquareCheck size={16} /> : <Square size={16} />}
					</span>
					<span className={row.done ? "clip" : "clip todo"}>
						{picked.has(row.id) && <span className="offscreen">Selected </span>}
						{row.prospect ? nameOf(row.prospect) : row.from}
					</span>
					<small className="faint nowrap">
						{row.assignedTo && <UserRound size={12} role="img" aria-label="Assigned" />} <Standing row={row} />
					</small>
					<span className="over what">
						{row.interest && <Badge state={row.interest} />}
						<span className="clip">
							{row.text.slice(0, 120)} <span className="faint">{row.subject ?? "No subject"}</span>
						</span>
					</span>
				</div>
			))}
		</div>
	);
}

/** When a reply came, or until when it is snoozed. */
function Standing({ row }: { row: ReplyFieldsFragment }) {
	const end = snoozeOf(row);
	if (!end) return <Time at={row.receivedAt} />;
	return (
		<span title={`Snoozed until ${snoozeEnd(end)}`}>
			<Clock size={12} aria-hidden /> <span className="offscreen">Snoozed until </span>
			{untilReply(end) ? "next reply" : when(end, Date.now())}
		</span>
	);
}
