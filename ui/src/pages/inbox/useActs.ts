import { request } from "../../api";
import { client, fly, patchRow, refresh } from "../../data";
import {
	AssignConversationDocument,
	type Interest,
	MarkRepliesDoneDocument,
	MarkReplyDoneDocument,
	type ReplyFieldsFragment,
	SnoozeConversationDocument,
	UpdateReplyDocument,
	WakeConversationDocument,
} from "../../gql/generated";
import { toTheMinute } from "../../logic/format";
import { nextTurn, toast, toastError } from "../../parts/Toasts";

type Part = Partial<ReplyFieldsFragment> & { id: string };

/** Puts what changed into the lists and into the reply that is read. */
function lay(part: Part): void {
	patchRow(part);
	client.setQueryData<{ reply: ReplyFieldsFragment }>(
		["one", "Reply", { id: part.id }],
		(old) => old && { reply: { ...old.reply, ...part } },
	);
}

/** A recent change of a reply takes precedence over a list that was requested before it. */
const said = new Map<string, boolean>();
const MOMENT = 5_000;
export const isDone = ({ id, done }: ReplyFieldsFragment) => said.get(id) ?? done;

const UNTIL_REPLY = "9999-12-31T00:00:00Z";

/** Says until when a reply is snoozed. */
export const snoozeEnd = (until: string) => (until.startsWith("9999") ? "the next reply" : toTheMinute(until));

export const isSnoozed = ({ snoozedUntil }: ReplyFieldsFragment) =>
	!!snoozedUntil && new Date(snoozedUntil).getTime() > Date.now();

/** Shows a change at once, and reverts it if the server refuses it. */
async function change<R>(
	next: Part,
	before: Part,
	send: () => Promise<R>,
	done: (answer: R, turn: number) => void,
): Promise<void> {
	const turn = nextTurn();
	fly(1);
	void client.cancelQueries({
		predicate: ({ queryKey: [kind, name] }) => kind !== "pages" && (name === "Replies" || name === "Reply"),
	});
	lay(next);
	try {
		done(await send(), turn);
	} catch (error) {
		lay(before);
		toastError(error);
	}
	if (fly(-1) === 0) void refresh();
}

/** What can be done with a reply, and undone. */
export function useActs(show: (reply: ReplyFieldsFragment) => void) {
	const setInterest = (reply: ReplyFieldsFragment, interest: Interest) => {
		const { id, interest: before } = reply;
		if (interest === before) return;
		void change(
			{ id, interest },
			{ id, interest: before },
			() => request(UpdateReplyDocument, { id, input: { interest } }),
			({ updateReply: { interestReason } }, turn) => {
				lay({ id, interest, interestReason });
				toast(`Marked ${interest}.`, before ? () => setInterest({ ...reply, interest }, before) : undefined, turn);
			},
		);
	};
	const setDone = (reply: ReplyFieldsFragment, done: boolean) => {
		const { id } = reply;
		const forget = () => {
			if (said.get(id) === done) said.delete(id);
		};
		said.set(id, done);
		void change(
			{ id, done },
			{ id, done: !done },
			() =>
				request(MarkReplyDoneDocument, { id, done }).catch((error: unknown) => {
					forget();
					throw error;
				}),
			(_, turn) => {
				setTimeout(forget, MOMENT);
				const undo = () => {
					setDone(reply, !done);
					show(reply);
				};
				toast(done ? "Done." : "Reopened.", undo, turn);
			},
		);
	};
	const setAutomatic = (reply: ReplyFieldsFragment, automatic: boolean) => {
		const { id } = reply;
		void change(
			{ id },
			{ id },
			() => request(UpdateReplyDocument, { id, input: { automatic } }),
			({ updateReply }) => {
				lay(updateReply);
				toast(automatic ? "Marked as automatic." : "Marked as not automatic.");
			},
		);
	};
	const assign = (reply: ReplyFieldsFragment, assignedTo: string | null, name: string) => {
		const { id, assignedTo: before = null } = reply;
		void change(
			{ id, assignedTo },
			{ id, assignedTo: before },
			() => request(AssignConversationDocument, { replyId: id, memberId: assignedTo }),
			() => toast(assignedTo ? `Assigned to ${name}.` : "Unassigned."),
		);
	};
	/** until is null for the next reply, undefined to end a snooze. */
	const snooze = (reply: ReplyFieldsFragment, until: Date | null | undefined) => {
		const { id, snoozedUntil: before = null } = reply;
		const snoozedUntil = until === undefined ? null : (until ?? new Date(UNTIL_REPLY)).toISOString();
		void change<unknown>(
			{ id, snoozedUntil },
			{ id, snoozedUntil: before },
			() =>
				until === undefined
					? request(WakeConversationDocument, { replyId: id })
					: request(SnoozeConversationDocument, { replyId: id, until: until?.toISOString() ?? null }),
			(_, turn) => {
				const undo = () => {
					snooze({ ...reply, snoozedUntil }, undefined);
					show(reply);
				};
				toast(
					until === undefined ? "No longer snoozed." : `Snoozed until ${snoozeEnd(snoozedUntil ?? "")}.`,
					undo,
					turn,
				);
			},
		);
	};
	const setAllDone = (ids: string[], done: boolean) => {
		for (const id of ids) said.set(id, done);
		for (const id of ids) lay({ id, done });
		request(MarkRepliesDoneDocument, { ids, done })
			.then(
				() => toast(`${ids.length} ${done ? "done" : "reopened"}.`, () => setAllDone(ids, !done)),
				(error: unknown) => {
					for (const id of ids) lay({ id, done: !done });
					toastError(error);
				},
			)
			.finally(() => {
				for (const id of ids) said.delete(id);
				void refresh();
			});
	};
	return { setInterest, setDone, setAutomatic, setAllDone, assign, snooze };
}
