import { useState } from "react";
import { useOne } from "../../data";
import { MembersDocument, type ReplyFieldsFragment } from "../../gql/generated";
import { localTime } from "../../logic/format";
import { morning, nextMonday, tomorrow } from "../../logic/mornings";
import { isSnoozed, snoozeOf, untilReply } from "./useActs";

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

/** The choice that asks for a time. */
const CHOSEN = "Until a time…";
/** The choice that ends a snooze. */
const AWAKE = "End the snooze";
const NOBODY = "nobody";

const ends: Record<string, () => Date | null | undefined> = {
	"In three hours": () => inHours(3),
	Tomorrow: () => tomorrow(),
	"Next Monday": () => nextMonday(),
	"In a month": () => morning(30),
	"Until a reply": () => null,
	[AWAKE]: () => undefined,
};

export interface CareActs {
	assign: (replies: ReplyFieldsFragment[], member: string | null, name: string) => void;
	/** Snoozes until a time, null until the next reply; undefined ends a snooze. */
	putOff: (replies: ReplyFieldsFragment[], until: Date | null | undefined) => void;
}

type Menu = "assign" | "snooze";

/** Opens the menu of the selected conversations, else of the one that is read. */
export function openMenu(menu: Menu): void {
	const select = document.querySelector<HTMLSelectElement>(`select[data-menu="${menu}"]`);
	select?.focus();
	try {
		select?.showPicker?.();
	} catch {
		// A browser may refuse it; the menu has the focus.
	}
}

/** The keys of the inbox are heard again. */
const leave = () => document.getElementById("main")?.focus();

/** The assignee of a conversation and its snooze; those of several that are selected have no value of their own. */
export function Care({
	replies,
	selected,
	assign,
	putOff,
}: { replies: ReplyFieldsFragment[]; selected?: boolean } & CareActs) {
	const members = useOne(MembersDocument, {}, { live: 60_000 }).data?.members ?? [];
	const [asking, setAsking] = useState(false);
	const [until, setUntil] = useState("");
	const one = selected ? undefined : replies[0];
	const end = one && snoozeOf(one);
	const nameOfMember = (id: string) => members.find((member) => member.id === id)?.email ?? "";
	return (
		<>
			<select
				data-menu={"assign" satisfies Menu}
				aria-label={selected ? "Assign selected" : "Assigned to"}
				value={selected ? "" : (one?.assignedTo ?? NOBODY)}
				onKeyDown={({ key }) => key === "Escape" && leave()}
				onChange={({ target: { value } }) => {
					leave();
					assign(replies, value === NOBODY ? null : value, nameOfMember(value));
				}}
			>
				{selected && <option value="">Assign</option>}
				<option value={NOBODY}>{selected ? "Nobody" : "Unassigned"}</option>
				{members.map(({ id, email }) => (
					<option key={id} value={id}>
						{email}
					</option>
				))}
				{one?.assignedTo && !nameOfMember(one.assignedTo) && <option value={one.assignedTo}>A member</option>}
			</select>
			<select
				data-menu={"snooze" satisfies Menu}
				aria-label={selected ? "Snooze selected" : "Snooze"}
				value=""
				onKeyDown={({ key }) => key === "Escape" && leave()}
				onChange={({ target: { value } }) => {
					const chosen = ends[value];
					setAsking(value === CHOSEN);
					setUntil(localTime(end && !untilReply(end) ? new Date(end) : tomorrow()));
					if (!chosen) return;
					leave();
					putOff(replies, chosen());
				}}
			>
				<option value="">{end ? "Snoozed" : "Snooze"}</option>
				{Object.keys(ends)
					.filter((label) => label !== AWAKE || replies.some(isSnoozed))
					.map((label) => (
						<option key={label}>{label}</option>
					))}
				<option>{CHOSEN}</option>
			</select>
			{asking && (
				<form
					className="line tight snooze-until"
					onKeyDown={({ key }) => {
						if (key !== "Escape") return;
						setAsking(false);
						leave();
					}}
					onSubmit={(event) => {
						event.preventDefault();
						setAsking(false);
						leave();
						putOff(replies, new Date(until));
					}}
				>
					<input
						type="datetime-local"
						aria-label="Snooze until"
						// biome-ignore lint/a11y/noAutofocus: the time was asked for
						autoFocus
						required
						min={localTime(new Date())}
						value={until}
						onChange={(event) => setUntil(event.target.value)}
					/>
					<button type="submit">Snooze</button>
				</form>
			)}
		</>
	);
}
