import { request } from "../../api";
import { client, fly, patchRow, refresh, refreshWhole } from "../../data";
import {
	AssignConversationsDocument,
	type Interest,
	MarkRepliesDoneDocument,
	type ReplyFieldsFragment,
	SnoozeConversationsDocument,
	UpdateReplyDocument,
	WakeConversationsDocument,
} from "../../gql/generated";
import { count, dayAndTime } from "../../logic/format";
import { nextTurn, toast, toastError } from "../../parts/Toasts";

type Reply = ReplyFieldsFragment;
type Part = Partial<Reply> & { id: string };

/** Puts what changed into the lists and into the reply that is read. */
function lay(part: Part): void {
	patchRow(part);
	client.setQueryData<{ reply: Reply }>(
		["one", "Reply", { id: part.id }],
		(old) => old && { reply: { ...old.reply, ...part } },
	);
}

/** A recent change of a reply takes precedence over a list that was requested before it. */
const said = new Map<string, boolean>();
const MOMENT = 5_000;
export const isDone = ({ id, done }: Reply) => said.get(id) ?? done;

const UNTIL_REPLY = "9999-12-31T00:00:00.000Z";
export const untilReply = (until: string) => until.startsWith("9999");

/** Says until when a reply is snoozed. */
export const snoozeEnd = (until: string) => (untilReply(until) ? "the next reply" : dayAndTime(until, Date.now()));

/** The end of the snooze of a reply, null unless it is snoozed. */
export const snoozeOf = ({ snoozedUntil }: Reply) =>
	snoozedUntil && new Date(snoozedUntil).getTime() > Date.now() ? snoozedUntil : null;
export const isSnoozed = (reply: Reply) => snoozeOf(reply) !== null;

/** Shows changes at once, and reverts them if the server refuses them. */
async function change<R>(
	next: Part[],
	before: Part[],
	send: () => Promise<R>,
	done: (answer: R, turn: number) => void,
): Promise<void> {
	const turn = nextTurn();
	fly(1);
	void client.cancelQueries({
		predicate: ({ queryKey: [kind, name] }) => kind !== "pages" && (name === "Replies" || name === "Reply"),
	});
	next.forEach(lay);
	try {
		done(await send(), turn);
	} catch (error) {
		before.forEach(lay);
		toastError(error);
	}
	if (fly(-1) === 0) void refresh();
}

const idsOf = (replies: Reply[]) => replies.map(({ id }) => id);

/** The ids of replies, by what they have in common. */
function idsBy<K>(replies: Reply[], key: (reply: Reply) => K): [K, string[]][] {
	const groups = new Map<K, string[]>();
	for (const reply of replies) groups.set(key(reply), [...(groups.get(key(reply)) ?? []), reply.id]);
	return [...groups];
}

const assignTo = (ids: string[], memberId: string | null) => request(AssignConversationsDocument, { ids, memberId });

/** until is null to end the snooze. */
const snoozeUntil = (ids: string[], until: string | null): Promise<unknown> =>
	until === null
		? request(WakeConversationsDocument, { ids })
		: request(SnoozeConversationsDocument, { ids, until: untilReply(until) ? null : until });

/** "Assigned to Ann." for one reply, "3 assigned to Ann." for several. */
const sentence = (replies: Reply[], text: string) =>
	replies.length === 1 ? `${text}.` : `${count(replies.length)} ${text.charAt(0).toLowerCase()}${text.slice(1)}.`;

/** What is shown when an act was undone. */
const UNDONE = "Undone.";

/** What can be done with replies, and undone. A single one is shown again when something is undone. */
export function useActs(show: (reply: Reply) => void) {
	const back = (replies: Reply[]) => {
		if (replies[0] && replies.length === 1) show(replies[0]);
	};
	const setInterest = (reply: Reply, interest: Interest, undoes = false) => {
		const { id, interest: before } = reply;
		if (interest === before) return;
		void change(
			[{ id, interest }],
			[{ id, interest: before }],
			() => request(UpdateReplyDocument, { id, input: { interest } }),
			({ updateReply: { interestReason } }, turn) => {
				lay({ id, interest, interestReason });
				const undo = () => before && setInterest({ ...reply, interest }, before, true);
				if (undoes) toast(UNDONE);
				else toast(`Marked ${interest}.`, before ? undo : undefined, turn);
			},
		);
	};
	const setDone = (replies: Reply[], done: boolean, undoes = false) => {
		const ids = idsOf(replies);
		const forget = () => {
			for (const id of ids) if (said.get(id) === done) said.delete(id);
		};
		for (const id of ids) said.set(id, done);
		return change(
			ids.map((id) => ({ id, done })),
			ids.map((id) => ({ id, done: !done })),
			() =>
				request(MarkRepliesDoneDocument, { ids, done }).catch((error: unknown) => {
					forget();
					throw error;
				}),
			(_, turn) => {
				setTimeout(forget, MOMENT);
				const undo = () => {
					const snoozed = replies.filter(isSnoozed); // what is done is not snoozed any more
					void setDone(replies, !done, true).then(() => {
						if (snoozed.length > 0) void putBack(snoozed);
					});
					back(replies);
				};
				if (undoes) toast(UNDONE);
				else toast(sentence(replies, done ? "Done" : "Reopened"), undo, turn);
			},
		);
	};
	const setAutomatic = (reply: Reply, automatic: boolean, undoes = false) => {
		const { id } = reply;
		void change(
			[{ id }],
			[{ id }],
			() => request(UpdateReplyDocument, { id, input: { automatic } }),
			({ updateReply }, turn) => {
				lay(updateReply);
				refreshWhole("Enrollments");
				const text = automatic ? "Marked as automatic." : "Marked as not automatic.";
				if (undoes) toast(UNDONE);
				else toast(text, () => setAutomatic(reply, !automatic, true), turn);
			},
		);
	};
	const assign = (replies: Reply[], assignedTo: string | null, name: string) => {
		const next = replies.map(({ id }) => ({ id, assignedTo }));
		const before = replies.map(({ id, assignedTo: had = null }) => ({ id, assignedTo: had }));
		void change(
			next,
			before,
			() => assignTo(idsOf(replies), assignedTo),
			(_, turn) => {
				const undo = () => {
					const groups = idsBy(replies, ({ assignedTo: had }) => had ?? null);
					void change(
						before,
						next,
						() => Promise.all(groups.map(([member, ids]) => assignTo(ids, member))),
						() => toast(UNDONE),
					);
					back(replies);
				};
				toast(sentence(replies, assignedTo ? `Assigned to ${name}` : "Unassigned"), undo, turn);
			},
		);
	};
	/** Snoozes replies as they were before. */
	const putBack = (replies: Reply[]) =>
		change(
			replies.map(({ id, snoozedUntil }) => ({ id, snoozedUntil })),
			[],
			() => Promise.all(idsBy(replies, snoozeOf).map(([until, ids]) => snoozeUntil(ids, until))),
			() => toast(UNDONE),
		);
	/** until is null for the next reply, undefined to end a snooze. */
	const snooze = (replies: Reply[], until: Date | null | undefined) => {
		const snoozedUntil = until === undefined ? null : (until?.toISOString() ?? UNTIL_REPLY);
		void change(
			replies.map(({ id }) => ({ id, snoozedUntil })),
			replies.map(({ id, snoozedUntil: had }) => ({ id, snoozedUntil: had })),
			() => snoozeUntil(idsOf(replies), snoozedUntil),
			(_, turn) => {
				const undo = () => {
					void putBack(replies);
					back(replies);
				};
				const text = snoozedUntil === null ? "No longer snoozed" : `Snoozed until ${snoozeEnd(snoozedUntil)}`;
				toast(sentence(replies, text), undo, turn);
			},
		);
	};
	return { setInterest, setDone, setAutomatic, assign, snooze };
}
