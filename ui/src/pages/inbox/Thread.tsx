import { ArrowLeft, Check, Minus, Reply, ThumbsDown, ThumbsUp, Undo2 } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { Link } from "wouter";
import { useOne } from "../../data";
import {
	type Interest,
	MailboxesDocument,
	MessagesDocument,
	ProspectDocument,
	RepliesDocument,
	ReplyDocument,
	type ReplyFieldsFragment,
} from "../../gql/generated";
import { nameOf, words } from "../../logic/format";
import { mailto } from "../../logic/mailto";
import { markWords } from "../../logic/markWords";
import { Badge, type State } from "../../parts/Badge";
import { Empty, Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { Enrollments } from "../prospects/Enrollments";
import { History } from "../prospects/History";
import { MailStatus } from "../prospects/MailStatus";
import { Facts } from "../prospects/ProspectDrawer";

interface Props {
	id: string | undefined;
	known: ReplyFieldsFragment | undefined;
	back: () => void;
	setInterest: (reply: ReplyFieldsFragment, interest: Interest) => void;
	setDone: (reply: ReplyFieldsFragment, done: boolean) => void;
	setAutomatic: (reply: ReplyFieldsFragment, automatic: boolean) => void;
}

export function Thread({ id, known, back, ...acts }: Props) {
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
				<Letters reply={reply} />
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
}: { reply: ReplyFieldsFragment } & Pick<Props, "setInterest" | "setDone" | "setAutomatic">) {
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
			</fieldset>
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

const senderOf = (box: { displayName?: string | null; email: string } | undefined) =>
	box?.displayName || box?.email || "Your mailbox";

function Letters({ reply }: { reply: ReplyFieldsFragment }) {
	const sent = useOne(MessagesDocument, { first: 50, prospectId: reply.prospectId });
	const got = useOne(RepliesDocument, { first: 50, prospectId: reply.prospectId });
	const boxes = useOne(MailboxesDocument, {}, { live: 60_000 }).data?.mailboxes.nodes;
	const letters = useMemo(
		() =>
			[
				...(sent.data?.messages.nodes ?? []).map((m) => ({
					id: m.id,
					at: m.sentAt ?? "",
					ours: true,
					who: senderOf(boxes?.find(({ id }) => id === m.mailboxId)),
					subject: m.subject,
					text: m.text ?? "",
					reason: null as string | null | undefined,
					status: m.status as State | null,
				})),
				...(got.data?.replies.nodes ?? [reply]).map((r) => ({
					id: r.id,
					at: r.receivedAt,
					ours: false,
					who: r.prospect ? nameOf(r.prospect) : r.from,
					subject: r.subject ?? "",
					text: r.text,
					reason: r.interestReason,
					status: r.automatic ? null : (r.interest ?? null),
				})),
			].sort((a, b) => a.at.localeCompare(b.at)),
		[sent.data, got.data, reply, boxes],
	);
	// The newest stands last; it is what one came for.
	const end = useRef<HTMLDivElement>(null);
	const whole = sent.data !== undefined && got.data !== undefined;
	useEffect(() => {
		if (whole) end.current?.scrollIntoView({ block: "end" });
	}, [whole]);
	// All at once: a mail that came before the reply would push it down.
	if (!whole && !sent.error && !got.error) return <Skeleton kind="text" lines={5} />;
	return (
		<>
			{letters.map((letter) => (
				<article
					className={letter.ours ? "letter ours" : "letter"}
					key={letter.id}
					aria-label={`${letter.who}: ${letter.subject}`}
				>
					<header>
						<b className="clip">{letter.who}</b>
						{letter.status && letter.status !== "sent" && <Badge state={letter.status} />}
						<Time at={letter.at} />
					</header>
					<div className="letter-text">
						<Marked text={letter.text} reason={letter.reason} />
					</div>
				</article>
			))}
			<div className="answer" ref={end}>
				<a className="button primary" href={mailto(reply)} title="Opens your mail program">
					<Reply size={14} aria-hidden /> Reply <kbd aria-hidden>r</kbd>
				</a>
			</div>
			{sent.error && (
				<Failure error={sent.error} retry={() => void sent.refetch()} what="Loading the sent messages failed." />
			)}
		</>
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
	const { data } = useOne(ProspectDocument, { id }, { enabled: !gone });
	if (gone) return <p className="faint">This prospect was deleted.</p>;
	if (!data) return <Skeleton kind="text" lines={5} />;
	return (
		<>
			<h3>
				<Link href={`/prospects/${id}`}>{nameOf(data.prospect)}</Link>
			</h3>
			<MailStatus prospect={data.prospect} />
			<Facts prospect={data.prospect} />
			<Enrollments prospect={data.prospect} />
			<History prospectId={id} />
		</>
	);
}
