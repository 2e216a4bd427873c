import { useEffect, useRef, useState } from "react";
import { request } from "../../api";
import { client } from "../../data";
import { AnswerDraftDocument, DeleteAnswerDraftDocument, SaveAnswerDraftDocument } from "../../gql/generated";
import { answerKey, dropTyped, keepTyped, readTyped } from "../../parts/typed";
import { useViewer } from "../../parts/viewer";

export interface Draft {
	html: string;
	cc: string;
	/** null: that of the reply. */
	subject: string | null;
}

/** How long after the last key a draft is stored, and how long until that is tried again. */
const PAUSE = 1_000,
	RETRY = 5_000;

export const splitAddresses = (cc: string) => cc.split(/[,;\s]+/).filter((address) => address !== "");

/** Returns what a user wrote below a reply: on this device if the server does not have it yet, else on any. */
export async function findDraft(userId: string, replyId: string): Promise<Draft> {
	const own = readTyped<Draft>(answerKey(userId, replyId));
	if (own) return own;
	const { answerDraft: kept } = await request(AnswerDraftDocument, { replyId });
	return { html: kept?.bodyHtml ?? "", cc: kept?.cc.join(", ") ?? "", subject: kept?.subject ?? null };
}

/** Stores a draft on the server. On this device it stays only if it was changed meanwhile. */
async function save(userId: string, replyId: string, draft: Draft): Promise<void> {
	await request(SaveAnswerDraftDocument, {
		replyId,
		input: { bodyHtml: draft.html || null, cc: splitAddresses(draft.cc).slice(0, 10), subject: draft.subject },
	});
	const key = answerKey(userId, replyId);
	if (JSON.stringify(readTyped(key)) === JSON.stringify(draft)) dropTyped(key);
}

/** Deletes the draft on the server. */
async function forget(replyId: string): Promise<void> {
	await request(DeleteAnswerDraftDocument, { replyId });
	client.removeQueries({ queryKey: ["draft", replyId] });
}

/** Brings back a draft that was discarded. */
export async function restoreDraft(userId: string, replyId: string, draft: Draft): Promise<void> {
	keepTyped(answerKey(userId, replyId), draft);
	await client.invalidateQueries({ queryKey: ["draft", replyId] });
}

/** The draft of an answer: kept on this device with each key, and on the server a second later. */
export function useAnswerDraft(replyId: string, first: Draft) {
	const { id: userId } = useViewer();
	const key = answerKey(userId, replyId);
	const [draft, setDraft] = useState(first);
	const [state, setState] = useState("");
	const timer = useRef<number>(undefined);
	const latest = useRef(first);
	const settled = useRef(false);
	const saving = useRef<Promise<void>>(Promise.resolve());
	const flush = () => {
		window.clearTimeout(timer.current);
		if (settled.current) return;
		saving.current = save(userId, replyId, latest.current).then(
			() => setState("Draft saved."),
			() => {
				setState("The draft is kept on this device until the server answers.");
				timer.current = window.setTimeout(flush, RETRY);
			},
		);
	};
	const flushNow = useRef(flush);
	useEffect(() => {
		flushNow.current = flush;
	});
	useEffect(
		() => () => {
			if (!settled.current && readTyped(key)) flushNow.current();
			client.removeQueries({ queryKey: ["draft", replyId] });
		},
		[key, replyId],
	);
	const change = (part: Partial<Draft>) => {
		const next = { ...latest.current, ...part };
		latest.current = next;
		setDraft(next);
		keepTyped(key, next);
		setState("");
		window.clearTimeout(timer.current);
		timer.current = window.setTimeout(() => flushNow.current(), PAUSE);
	};
	/** The answer is being sent: nothing more is stored, and what is on its way arrives before. */
	const hold = () => {
		settled.current = true;
		window.clearTimeout(timer.current);
		return saving.current;
	};
	/** It was not sent: it is a draft again. */
	const release = () => {
		settled.current = false;
		flush();
	};
	/** The answer was sent: the server has no draft any more. */
	const settle = () => {
		settled.current = true;
		window.clearTimeout(timer.current);
		dropTyped(key);
		client.removeQueries({ queryKey: ["draft", replyId] });
	};
	const drop = () => {
		settle();
		void forget(replyId).catch(() => undefined);
	};
	return { draft, change, state, drop, hold, release, settle };
}
