import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Check, Clock, Minus, Reply, Search, ThumbsDown, ThumbsUp, Undo2 } from "lucide-react";
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
	ReplyWholeDocument,
	WaitingAnswersDocument,
} from "../../gql/generated";
import { exact, leaves, nameOf, toTheMinute, words } from "../../logic/format";
import { markFound } from "../../logic/foundWords";
import { markWords } from "../../logic/markWords";
import { valuesOf } from "../../logic/templateVariables";
import { threadOf } from "../../logic/thread";
import { Badge, type State } from "../../parts/Badge";
import { focusSearch } from "../../parts/Filters";
import { Empty, Failure, Skeleton } from "../../parts/states";
import { Time, useNow } from "../../parts/Time";
import { useViewer } from "../../parts/viewer";
import { PersonDetails } from "../prospects/ProspectDrawer";
import { Care, type CareActs } from "./Care";
import { Files } from "./Files";
import { Marked } from "./Marked";
import { Match } from "./Match";
import { snoozeEnd, snoozeOf } from "./useActs";
import { type Draft, findDraft } from "./useAnswerDraft";
import { withdraw } from "./useSend";

const loadComposer = () => import("./Composer");
const Composer = lazy(loadComposer);

interface Props extends CareActs {
	id: string | undefined;
	known: ReplyFieldsFragment | undefined;
	/** The words that were searched for, "" for none; they are marked. */
	search: string;
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

export function Thread({ id, known, search, back, answering, setAnswering, reopen, typed, ...acts }: Props) {
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
			<div className="pane conversation">
				<Head reply={reply} back={back} {...acts} />
				<Messages {...{ reply, search, answering, setAnswering, reopen, typed }} setAutomatic={acts.setAutomatic} />
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

/** Who writes about what, how it stands, and what can be done. It stays in view above the mails. */
function Head({
	reply,
	back,
	setInterest,
	setDone,
	assign,
	putOff,
}: { reply: ReplyFieldsFragment } & Pick<Props, "back" | "setInterest" | "setDone" | "assign" | "putOff">) {
	const end = snoozeOf(reply);
	const subject = reply.subject ?? "No subject";
	return (
		<header className="conversation-head">
			<div className="line tight">
				<button type="button" className="icon only-phone" aria-label="All replies" title="All replies" onClick={back}>
					<ArrowLeft size={16} aria-hidden />
				</button>
				<div className="grow">
					<h2 title={subject}>{subject}</h2>
					<p className="faint clip">
						{reply.prospect && (
							<>
								<Link href={`/prospects/${reply.prospectId}`}>{nameOf(reply.prospect)}</Link> ·{" "}
							</>
						)}
						{reply.campaign && (
							<>
								<Link href={`/campaigns/${reply.campaign.id}`}>{reply.campaign.name}</Link> ·{" "}
							</>
						)}
						<span title={reply.from}>{reply.from}</span>
					</p>
					{end && (
						<p className="faint">
							<Clock size={12} aria-hidden /> Snoozed until {snoozeEnd(end)}
						</p>
					)}
				</div>
				<button
					type="button"
					className="icon only-phone"
					aria-label="Search all mail"
					title="Search all mail"
					onClick={focusSearch}
				>
					<Search size={16} aria-hidden />
				</button>
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
			</fieldset>
			<div className="marks">
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
			</div>
			{!reply.prospectId && !reply.done && <Match reply={reply} />}
		</header>
	);
}

/** Why a reply has its interest. */
function Why({ reply, setAutomatic }: { reply: ReplyFieldsFragment } & Pick<Props, "setAutomatic">) {
	return (
		<p className="why">
			<b>Why: </b>
			{reply.automatic
				? "Automatic reply. It does not change the status or stop the sequence."
				: (reply.interestReason ?? "No interest detected yet.")}{" "}
			<button type="button" className="link" onClick={() => setAutomatic(reply, !reply.automatic)}>
				{reply.automatic ? "Not automatic" : "Mark as automatic"}
			</button>
		</p>
	);
}

type Answering = { reply: ReplyFieldsFragment } & Pick<Props, "answering" | "setAnswering" | "reopen" | "typed">;

/** How many of the newest mails of each kind are loaded at once. */
const NEWEST = 50;

const senderOf = (box: { displayName?: string | null; email: string } | undefined) =>
	box?.displayName || box?.email || "Your mailbox";

function Messages({
	reply,
	search,
	setAutomatic,
	answering,
	setAnswering,
	reopen,
	typed,
}: Answering & Pick<Props, "search" | "setAutomatic">) {
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
	const whole = !matched || (sent.data !== undefined && got.data !== undefined);
	const { thread, end } = useStayAtEnd(whole);
	// All at once: a mail that came before the reply would push it down.
	if (!whole && !sent.error && !got.error)
		return (
			<div className="thread">
				<Skeleton kind="text" lines={5} />
			</div>
		);
	return (
		<div className="thread" ref={thread}>
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
							<Marked pieces={search ? markFound(message.text, search) : markWords(message.text, message.reason)} />
						)}
					</div>
					{message.reply?.abridged && <Quotation id={message.id} text={message.text} />}
					{message.id === reply.id && <Why reply={reply} setAutomatic={setAutomatic} />}
					{message.reply && <Files reply={message.reply} />}
				</article>
			))}
			<div className="thread-end" ref={end}>
				{reply.prospectId && <Waiting prospectId={reply.prospectId} />}
				{reply.prospectId && <Answer {...{ reply, answering, setAnswering, reopen, typed }} />}
			</div>
			{sent.error && (
				<Failure error={sent.error} retry={() => void sent.refetch()} what="Loading the sent messages failed." />
			)}
			{got.error && (
				<Failure error={got.error} retry={() => void got.refetch()} what="Loading the other replies failed." />
			)}
		</div>
	);
}

/** How far from its end, in pixels, a thread still counts as being there. */
const NEAR = 24;

/** Shows the end of a thread once it is whole, and keeps it in view while it grows or the thread has less room. */
function useStayAtEnd(whole: boolean) {
	const thread = useRef<HTMLDivElement>(null),
		end = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const box = thread.current,
			last = end.current;
		if (!whole || !box || !last) return;
		let there = true;
		const look = () => {
			there = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
		};
		const stay = () => {
			if (there) box.scrollTop = box.scrollHeight;
		};
		last.scrollIntoView({ block: "end" }); // where the window is low, the pane scrolls in place of the thread
		stay();
		const observer = new ResizeObserver(stay);
		observer.observe(box);
		observer.observe(last);
		box.addEventListener("scroll", look);
		return () => {
			observer.disconnect();
			box.removeEventListener("scroll", look);
		};
	}, [whole]);
	return { thread, end };
}

/** What a reply has below what its author wrote, folded: the quotation and the signature. */
function Quotation({ id, text }: { id: string; text: string }) {
	const [open, setOpen] = useState(false);
	const { data, error, refetch } = useOne(ReplyWholeDocument, { id }, { enabled: open, live: false });
	const whole = data?.reply.fullText.trim() ?? "";
	return (
		<div>
			<button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
				{open ? "Hide quoted text" : "Show quoted text"}
			</button>
			{open && error && <Failure error={error} retry={() => void refetch()} />}
			{open && data && (
				<div className="message-text faint">
					{whole.startsWith(text.trim()) ? whole.slice(text.trim().length).trim() : whole}
				</div>
			)}
		</div>
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
				<span>
					<b>Your answer</b>
					{answer.sendAt && (
						<>
							{" "}
							· <Leaves at={answer.sendAt} />
						</>
					)}
				</span>
			</header>
			<p className="faint">{answer.subject}</p>
			{answer.cc.length > 0 && <p className="faint">Cc {answer.cc.join(", ")}</p>}
			<div className="message-text">{answer.text}</div>
			{answer.smtpResponse && <p className="faint">The server asked to wait: {answer.smtpResponse}</p>}
			<button type="button" className="link" onClick={() => void withdraw(answer.id)}>
				Withdraw
			</button>
		</article>
	));
}

/** When an answer leaves; in its last minute the seconds are counted. */
function Leaves({ at }: { at: string }) {
	useNow();
	const now = Date.now();
	const soon = Date.parse(at) - now < 80_000; // the clock of the page moves every 20 s
	const [, count] = useState(0);
	useEffect(() => {
		if (!soon) return;
		const timer = setInterval(() => count((n) => n + 1), 1_000);
		return () => clearInterval(timer);
	}, [soon]);
	return (
		<time dateTime={at} title={exact(at)}>
			{leaves(at, now)}
		</time>
	);
}

/** The viewer's draft below a reply. fresh waits for the one that is stored now. */
function useKeptDraft(replyId: string, { fresh }: { fresh: boolean }) {
	const { id: userId } = useViewer();
	return useQuery<Draft, ApiError>({
		queryKey: ["draft", replyId],
		queryFn: () => findDraft(userId, replyId),
		refetchOnMount: fresh ? "always" : true,
	});
}

/** The composer, once it is wanted. */
function Answer({ answering, ...props }: Answering) {
	const draft = useKeptDraft(props.reply.id, { fresh: false });
	if (answering) return <Writing {...props} />;
	return (
		<div className="answer">
			<button type="button" className="primary" onClick={() => props.setAnswering(true)}>
				<Reply size={14} aria-hidden /> {draft.data?.html ? "Continue reply" : "Reply"} <kbd aria-hidden>r</kbd>
			</button>
		</div>
	);
}

/**
 * The composer with the draft that is stored now: it may have been written on another device since the conversation
 * was opened. Variables of snippets are filled with the values of the prospect.
 */
function Writing({ reply, setAnswering, reopen, typed }: Omit<Answering, "answering">) {
	const draft = useKeptDraft(reply.id, { fresh: true });
	const person = useOne(ProspectDocument, { id: reply.prospectId ?? "" }, { enabled: !!reply.prospect });
	useEffect(() => void loadComposer(), []);
	if (!draft.data && draft.error) return <Failure error={draft.error} retry={() => void draft.refetch()} />;
	if (!draft.data || !draft.isFetchedAfterMount) return <Skeleton kind="text" lines={4} />;
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
