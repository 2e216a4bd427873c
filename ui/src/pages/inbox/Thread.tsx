import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Check, Minus, Reply, ThumbsDown, ThumbsUp, Undo2 } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import type { ApiError } from "../../api";
import { useAll, useOne } from "../../data";
import {
	type Interest,
	MailboxesDocument,
	MailKeptDocument,
	MessagesDocument,
	ProspectDocument,
	RepliesDocument,
	ReplyDocument,
	type ReplyFieldsFragment,
	WaitingAnswersDocument,
} from "../../gql/generated";
import { nameOf, toTheMinute, words } from "../../logic/format";
import { markWords } from "../../logic/markWords";
import { valuesOf } from "../../logic/templateVariables";
import { threadOf } from "../../logic/thread";
import { Badge, type State } from "../../parts/Badge";
import { Empty, Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { PersonDetails } from "../prospects/ProspectDrawer";
import { Care, type CareActs } from "./Care";
import { Files } from "./Files";
import { Match } from "./Match";
import { type Draft, findDraft } from "./useAnswerDraft";
import { withdraw } from "./useSend";

const Composer = lazy(() => import("./Composer"));

interface Props extends CareActs {
	id: string | undefined;
	known: ReplyFieldsFragment | undefined;
	back: () => void;
	setInterest: (reply: ReplyFieldsFragment, interest: Interest) => void;
	setDone: (reply: ReplyFieldsFragment, done: boolean) => void;
	setAutomatic: (reply: ReplyFieldsFragment, automatic: boolean) => void;
	answering: boolean;
	setAnswering: (answering: boolean) => void;
	/** Shows a reply with the answer below it that is a draft again. */
	reopen: (replyId: string) => void;
	/** Returns what was typed since the answer was wanted. */
	typed: () => string;
}

export function Thread({ id, known, back, answering, setAnswering, reopen, typed, ...acts }: Props) {
	const { data, error, refetch } = useOne(ReplyDocument, { id: id ?? "" }, { enabled: id !== undefined });
	const reply = data?.reply ?? known;
	if (!id)
		return (
			<>
				<div className="pane">
					<Empty title="Select a reply to read it." />
				</div>
				<aside className="pane" aria-label="Prospect" />
			</>
		);
	if (!reply)
		return (
			<>
				<div className="pane">
					{error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />}
				</div>
				<aside className="pane" aria-label="Prospect" />
			</>
		);
	return (
		<>
			<div className="pane thread">
				<button type="button" className="only-phone" onClick={back}>
					<ArrowLeft size={16} aria-hidden /> All replies
				</button>
				<Head reply={reply} {...acts} />
				<Messages {...{ reply, answering, setAnswering, reopen, typed }} />
			</div>
			<aside className="pane stack" aria-label="Prospect">
				{reply.prospectId && <Person id={reply.prospectId} gone={!reply.prospect} />}
			</aside>
		</>
	);
}

const marks = [
	["positive", ThumbsUp, "p"],
	["neutral", Minus, "u"],
	["negative", ThumbsDown, "n"],
] as const;

function Head({
	reply,
	setInterest,
	setDone,
	setAutomatic,
	assign,
	putOff,
}: { reply: ReplyFieldsFragment } & Pick<Props, "setInterest" | "setDone" | "setAutomatic" | "assign" | "putOff">) {
	return (
		<header className="stack">
			<div>
				<h2>{reply.subject ?? "No subject"}</h2>
				<p className="faint">
					{reply.prospect && (
						<span className="no-aside">
							<Link href={`/prospects/${reply.prospectId}`}>{nameOf(reply.prospect)}</Link> ·{" "}
						</span>
					)}
					{reply.from}
					{reply.campaign && (
						<>
							{" "}
							· <Link href={`/campaigns/${reply.campaign.id}`}>{reply.campaign.name}</Link>
						</>
					)}
				</p>
			</div>
			<fieldset className="marks" aria-label="Interest">
				{marks.map(([interest, Icon, key]) => (
					<button
						type="button"
						key={interest}
						aria-pressed={reply.interest === interest}
						className={reply.interest === interest ? "pressed" : ""}
						onClick={() => setInterest(reply, interest)}
					>
						<Icon size={14} aria-hidden /> {words(interest)} <kbd aria-hidden>{key}</kbd>
					</button>
				))}
				<button type="button" onClick={() => setDone(reply, !reply.done)}>
					{reply.done ? (
						<>
							<Undo2 size={14} aria-hidden /> Not done
						</>
					) : (
						<>
							<Check size={14} aria-hidden /> Done
						</>
					)}{" "}
					<kbd aria-hidden>e</kbd>
				</button>
				<Care replies={[reply]} assign={assign} putOff={putOff} />
			</fieldset>
			{!reply.prospectId && !reply.done && <Match reply={reply} />}
			<p className="why">
				<b>Why: </b>
				{reply.automatic
					? "Automatic reply. It does not change the status or stop the sequence."
					: (reply.interestReason ?? "No interest detected yet.")}{" "}
				<button type="button" className="link" onClick={() => setAutomatic(reply, !reply.automatic)}>
					{reply.automatic ? "Not automatic" : "Mark as automatic"}
				</button>
			</p>
		</header>
	);
}

type Answering = { reply: ReplyFieldsFragment } & Pick<Props, "answering" | "setAnswering" | "reopen" | "typed">;

/** How many of the newest mails of each kind are loaded at once. */
const NEWEST = 50;

const senderOf = (box: { displayName?: string | null; email: string } | undefined) =>
	box?.displayName || box?.email || "Your mailbox";

function Messages({ reply, answering, setAnswering, reopen, typed }: Answering) {
	const matched = reply.prospectId !== null; // else it stands alone
	const of = { prospectId: reply.prospectId };
	const sent = useOne(MessagesDocument, { first: NEWEST, ...of }, { enabled: matched });
	const got = useOne(RepliesDocument, { first: NEWEST, ...of }, { enabled: matched });
	const [asksAll, askAll] = useState(false);
	const allSent = useAll(MessagesDocument, (data) => data.messages, of, { enabled: asksAll });
	const allGot = useAll(RepliesDocument, (data) => data.replies, of, { enabled: asksAll });
	const older = !!(sent.data?.messages.nextCursor || got.data?.replies.nextCursor) && !(allSent.data && allGot.data);
	const failed = allSent.error ?? allGot.error;
	const boxes = useOne(MailboxesDocument, {}, { live: 60_000 }).data?.mailboxes.nodes;
	const messages = useMemo(
		() =>
			threadOf([
				{
					more: older && !!sent.data?.messages.nextCursor,
					mails: [...(allSent.data ?? []), ...(sent.data?.messages.nodes ?? [])].map((m) => ({
						id: m.id,
						at: m.sentAt ?? "",
						ours: true,
						who: senderOf(boxes?.find(({ id }) => id === m.mailboxId)),
						subject: m.subject,
						text: m.text ?? "",
						reason: null as string | null | undefined,
						status: m.status as State | null,
						external: m.external,
						reply: null as ReplyFieldsFragment | null,
					})),
				},
				{
					more: older && !!got.data?.replies.nextCursor,
					mails: [...(allGot.data ?? []), ...(got.data?.replies.nodes ?? [reply])].map((r) => ({
						id: r.id,
						at: r.receivedAt,
						ours: false,
						who: r.prospect ? nameOf(r.prospect) : r.from,
						subject: r.subject ?? "",
						text: r.text,
						reason: r.interestReason,
						status: r.automatic ? null : (r.interest ?? null),
						external: false,
						reply: r,
					})),
				},
			]),
		[sent.data, got.data, allSent.data, allGot.data, older, reply, boxes],
	);
	// The newest stands last; it is what one came for.
	const end = useRef<HTMLDivElement>(null);
	const whole = !matched || (sent.data !== undefined && got.data !== undefined);
	useEffect(() => {
		if (whole) end.current?.scrollIntoView({ block: "end" });
	}, [whole]);
	// All at once: a mail that came before the reply would push it down.
	if (!whole && !sent.error && !got.error) return <Skeleton kind="text" lines={5} />;
	return (
		<>
			{older && !failed && (
				<button type="button" className="link" disabled={asksAll} onClick={() => askAll(true)}>
					{asksAll ? "Loading…" : "Show earlier messages"}
				</button>
			)}
			{failed && (
				<Failure
					error={failed}
					retry={() => void Promise.all([allSent.refetch(), allGot.refetch()])}
					what="Loading the earlier messages failed."
				/>
			)}
			{messages.map((message) => (
				<article
					className={message.ours ? "message ours" : "message"}
					key={message.id}
					aria-label={`${message.who}: ${message.subject}`}
				>
					<header>
						<b className="clip">{message.who}</b>
						{message.status && message.status !== "sent" && <Badge state={message.status} />}
						<Time at={message.at} />
					</header>
					{message.external && <p className="faint">Written in another program</p>}
					<div className="message-text">
						{message.text.trim() === "" ? (
							<NoText at={message.at} />
						) : (
							<Marked text={message.text} reason={message.reason} />
						)}
					</div>
					{message.reply && <Files reply={message.reply} />}
				</article>
			))}
			<div ref={end}>
				{reply.prospectId && <Waiting prospectId={reply.prospectId} />}
				{reply.prospectId && <Answer {...{ reply, answering, setAnswering, reopen, typed }} />}
			</div>
			{sent.error && (
				<Failure error={sent.error} retry={() => void sent.refetch()} what="Loading the sent messages failed." />
			)}
			{got.error && (
				<Failure error={got.error} retry={() => void got.refetch()} what="Loading the other replies failed." />
			)}
		</>
	);
}

/** What stands in place of a text: old texts are deleted where the installation keeps them for a time only. */
export function NoText({ at }: { at: string }) {
	const from = useOne(MailKeptDocument, {}, { live: false }).data?.me.mailKeptFrom;
	return (
		<p className="faint">
			{from && at < from
				? `The text was deleted. Texts of mail from before ${toTheMinute(from)} are not kept.`
				: "This mail has no text."}
		</p>
	);
}

/** The answers that have not left yet. */
function Waiting({ prospectId }: { prospectId: string }) {
	const waiting = useOne(WaitingAnswersDocument, { prospectId }).data?.waitingAnswers.nodes ?? [];
	return waiting.map((answer) => (
		<article className="message ours" key={answer.id} aria-label={`Scheduled: ${answer.subject}`}>
			<header>
				<b className="clip">{answer.subject}</b>
				<Badge state="scheduled" />
				{answer.sendAt && <Time at={answer.sendAt} />}
			</header>
			<div className="message-text">{answer.text}</div>
			{answer.smtpResponse && <p className="faint">The server asked to wait: {answer.smtpResponse}</p>}
			<button type="button" className="link" onClick={() => void withdraw(answer.id)}>
				Withdraw
			</button>
		</article>
	));
}

/** The composer, once it is wanted. Variables of snippets are filled with the values of the prospect. */
function Answer({ reply, answering, setAnswering, reopen, typed }: Answering) {
	const draft = useQuery<Draft, ApiError>({
		queryKey: ["draft", reply.id],
		queryFn: () => findDraft(reply.id),
		staleTime: Infinity,
	});
	const person = useOne(ProspectDocument, { id: reply.prospectId ?? "" }, { enabled: answering && !!reply.prospect });
	if (!answering)
		return (
			<div className="answer">
				<button type="button" className="primary" onClick={() => setAnswering(true)}>
					<Reply size={14} aria-hidden /> {draft.data?.html ? "Continue reply" : "Reply"} <kbd aria-hidden>r</kbd>
				</button>
			</div>
		);
	if (draft.error) return <Failure error={draft.error} retry={() => void draft.refetch()} />;
	if (!draft.data) return <Skeleton kind="text" lines={4} />;
	const values = person.data ? valuesOf(person.data.prospect) : {};
	return (
		<Suspense fallback={<Skeleton kind="text" lines={4} />}>
			<Composer
				reply={reply}
				values={values}
				draft={draft.data}
				ready={typed}
				close={() => setAnswering(false)}
				reopen={() => reopen(reply.id)}
			/>
		</Suspense>
	);
}

/** A text with the words marked that its interest was read from. */
function Marked({ text, reason }: { text: string; reason: string | null | undefined }) {
	let from = 0;
	return markWords(text, reason).map(({ text: piece, marked }) => {
		const key = from;
		from += piece.length;
		return marked ? <mark key={key}>{piece}</mark> : <span key={key}>{piece}</span>;
	});
}

function Person({ id, gone }: { id: string; gone: boolean }) {
	const { data, error, refetch } = useOne(ProspectDocument, { id }, { enabled: !gone });
	if (gone) return <p className="faint">This prospect was deleted.</p>;
	if (!data) return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" lines={5} />;
	return (
		<>
			<h3>
				<Link href={`/prospects/${id}`}>{nameOf(data.prospect)}</Link>
			</h3>
			<PersonDetails prospect={data.prospect} />
		</>
	);
}
