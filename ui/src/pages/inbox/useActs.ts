import { request } from "../../api";
import { client, patchRow, refresh } from "../../data";
import {
	type Interest,
	MarkReplyDoneDocument,
	type ReplyFieldsFragment,
	UpdateReplyDocument,
} from "../../gql/generated";
import { toast } from "../../parts/Toasts";

type Part = Partial<ReplyFieldsFragment> & { id: string };

/** Puts what changed into the lists and into the reply that is read. */
function lay(part: Part): void {
	patchRow(part);
	client.setQueryData<{ reply: ReplyFieldsFragment }>(
		["one", "Reply", { id: part.id }],
		(old) => old && { reply: { ...old.reply, ...part } },
	);
}

/** What was said of a reply a moment ago counts more than a list that was asked for before. */
const said = new Map<string, boolean>();
const MOMENT = 5_000;
export const isDone = ({ id, done }: ReplyFieldsFragment) => said.get(id) ?? done;

/** How many changes are on their way: an answer to anything asked before the last of them would bring back what was there before. */
let flying = 0;

/** Shows a change at once, and takes it back where the server refuses it. */
async function change<R>(next: Part, before: Part, send: () => Promise<R>, done: (answer: R) => void): Promise<void> {
	flying++;
	void client.cancelQueries({
		predicate: ({ queryKey: [kind, name] }) => kind !== "pages" && (name === "Replies" || name === "Reply"),
	});
	lay(next);
	try {
		done(await send());
	} catch (error) {
		lay(before);
		toast(error instanceof Error ? error.message : String(error));
	}
	if (--flying === 0) void refresh();
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
			({ updateReply: { interestReason } }) => {
				lay({ id, interest, interestReason });
				toast(`Marked ${interest}.`, before ? () => setInterest({ ...reply, interest }, before) : undefined);
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
			() => {
				setTimeout(forget, MOMENT);
				toast(done ? "Done." : "Reopened.", () => {
					setDone(reply, !done);
					show(reply);
				});
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
	return { setInterest, setDone, setAutomatic };
}
