import { useState } from "react";
import { ApiError, request } from "../../api";
import { refresh } from "../../data";
import { AnswerReplyDocument, type ReplyFieldsFragment, WithdrawAnswerDocument } from "../../gql/generated";
import { leaves } from "../../logic/format";
import { toast, toastError } from "../../parts/Toasts";
import { type Draft, splitAddresses } from "./useAnswerDraft";

/** Takes an answer back that has not left. Its text is a draft again, which reopen shows. */
export async function withdraw(id: string, reopen?: () => void): Promise<void> {
	try {
		await request(WithdrawAnswerDocument, { id });
		toast("Answer withdrawn. Its text is a draft again.");
		await refresh();
		reopen?.();
	} catch (error) {
		toastError(error);
		await refresh();
	}
}

/** Sends an answer, and says what the server refuses. reopen shows it again when it was taken back. */
export function useSend(reply: ReplyFieldsFragment, sent: () => void, reopen: () => void) {
	const [sending, setSending] = useState(false);
	const [error, setError] = useState<ApiError | null>(null);
	const refuse = (message: string) => setError(new ApiError(message, "validation_failed"));
	const send = async (draft: Draft, at: Date | null): Promise<boolean> => {
		setSending(true);
		setError(null);
		try {
			const { answerReply } = await request(AnswerReplyDocument, {
				id: reply.id,
				input: {
					bodyHtml: draft.html,
					cc: splitAddresses(draft.cc),
					subject: draft.subject,
					sendAt: at?.toISOString() ?? null,
				},
			});
			toast(`Answer ${at ? leaves(at.toISOString(), Date.now()) : "leaves in 10 s"}.`, () => {
				void withdraw(answerReply.id, reopen);
			});
			sent();
			void refresh();
			return true;
		} catch (refused) {
			setError(refused instanceof ApiError ? refused : new ApiError(String(refused), "internal"));
			return false;
		} finally {
			setSending(false);
		}
	};
	return { send, sending, error, refuse };
}
