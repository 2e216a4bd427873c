import { useState } from "react";
import { useOne } from "../../data";
import { MembersDocument, type ReplyFieldsFragment } from "../../gql/generated";
import { localTime } from "../../logic/format";
import { isSnoozed, snoozeEnd } from "./useActs";

/** Eight in the morning, so many days from now. */
function morning(days: number): Date {
	const at = new Date();
	at.setDate(at.getDate() + days);
	at.setHours(8, 0, 0, 0);
	return at;
}

export const tomorrow = () => morning(1);

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

/** Days until the next Monday. */
const untilMonday = () => ((8 - new Date().getDay()) % 7) + (new Date().getDay() === 1 ? 7 : 0);

/** The choice that asks for a time. */
const CHOSEN = "Until a time…";

const ends: Record<string, () => Date | null | undefined> = {
	"In three hours": () => inHours(3),
	Tomorrow: tomorrow,
	"Next Monday": () => morning(untilMonday()),
	"In a month": () => morning(30),
	"Until a reply": () => null,
	"End the snooze": () => undefined,
};

interface Props {
	reply: ReplyFieldsFragment;
	assign: (reply: ReplyFieldsFragment, member: string | null, name: string) => void;
	putOff: (reply: ReplyFieldsFragment, until: Date | null | undefined) => void;
}

/** The assignee of a conversation and its snooze. */
export function Care({ reply, assign, putOff }: Props) {
	const members = useOne(MembersDocument, {}, { live: 60_000 }).data?.members ?? [];
	const snoozed = isSnoozed(reply);
	const [asking, setAsking] = useState(false);
	const [until, setUntil] = useState("");
	const nameOfMember = (id: string) => members.find((member) => member.id === id)?.email ?? "";
	return (
		<>
			<select
				aria-label="Assigned to"
				value={reply.assignedTo ?? ""}
				onChange={({ target: { value } }) => assign(reply, value || null, nameOfMember(value))}
			>
				<option value="">Unassigned</option>
				{members.map(({ id, email }) => (
					<option key={id} value={id}>
						{email}
					</option>
				))}
				{reply.assignedTo && !nameOfMember(reply.assignedTo) && <option value={reply.assignedTo}>A member</option>}
			</select>
			<select
				aria-label="Snooze"
				value=""
				onChange={({ target: { value } }) => {
					const end = ends[value];
					setAsking(value === CHOSEN);
					if (end) putOff(reply, end());
				}}
			>
				<option value="">{snoozed ? `Snoozed until ${snoozeEnd(reply.snoozedUntil ?? "")}` : "Snooze"}</option>
				{Object.keys(ends)
					.filter((label) => snoozed || label !== "End the snooze")
					.map((label) => (
						<option key={label}>{label}</option>
					))}
				<option>{CHOSEN}</option>
			</select>
			{asking && (
				<form
					className="line tight"
					onSubmit={(event) => {
						event.preventDefault();
						setAsking(false);
						putOff(reply, new Date(until));
					}}
				>
					<input
						type="datetime-local"
						aria-label="Snooze until"
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
