import { Send, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { useAll, useOne } from "../../data";
import {
	type ReplyFieldsFragment,
	type SnippetFieldsFragment,
	SnippetsDocument,
	WritersDocument,
} from "../../gql/generated";
import { answerSubject, asHtml, fill, unsendable } from "../../logic/answer";
import { localTime } from "../../logic/format";
import { nextMonday, tomorrow } from "../../logic/mornings";
import { printable } from "../../logic/templateVariables";
import { AskLine, EditorTools, linkFault } from "../../parts/EditorTools";
import { FormError } from "../../parts/Field";
import { toast } from "../../parts/Toasts";
import { replaceTyped, setLink, useEditor } from "../../parts/useEditor";
import { chord } from "../../parts/useKeys";
import { useViewer } from "../../parts/viewer";
import { type Draft, restoreDraft, splitAddresses, useAnswerDraft } from "./useAnswerDraft";
import { useSend } from "./useSend";

interface Props {
	reply: ReplyFieldsFragment;
	/** The values that variables of snippets stand for. */
	values: Record<string, unknown>;
	draft: Draft;
	/** Called once the editor has the focus; returns what was typed before. */
	ready: () => string;
	close: () => void;
	/** Opens it again, for an answer that was taken back. */
	reopen: () => void;
}

/** What is looked for by what stands before the caret: a snippet behind a slash, a variable behind two braces. */
interface Wanted {
	kind: "snippet" | "variable";
	part: string;
}
function wantedBy(text: string): Wanted | null {
	const snippet = /(?:^|\s)\/([\p{L}\p{N}_]*)$/u.exec(text)?.[1];
	if (snippet !== undefined) return { kind: "snippet", part: snippet };
	const variable = /\{\{\s*([\p{L}\p{N}_.]*)$/u.exec(text)?.[1];
	return variable === undefined ? null : { kind: "variable", part: variable };
}

interface Offer {
	key: string;
	name: string;
	detail?: string;
	html: string;
}
/** What can be put in: a snippet with its variables filled in, or a value, since an answer is sent as it is. */
function offers({ kind, part }: Wanted, snippets: SnippetFieldsFragment[], values: Record<string, unknown>): Offer[] {
	const all: Offer[] =
		kind === "snippet"
			? snippets.map(({ id, name, bodyHtml, bodyText }) => ({
					key: id,
					name,
					html: fill(bodyHtml ?? `<p>${asHtml(bodyText ?? "").replaceAll("\n", "<br>")}</p>`, values),
				}))
			: printable(values).map(([name, value]) => ({ key: name, name, detail: value, html: asHtml(value) }));
	return all.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase())).slice(0, 8);
}

/** The answer to a reply while it is written. Loaded only when a user answers. */
export default function Composer({ reply, values, draft: kept, ready, close, reopen }: Props) {
	const viewer = useViewer();
	const { draft, change, state, drop, hold, release, settle } = useAnswerDraft(reply.id, kept);
	const [later, setLater] = useState("");
	const [asksLater, askLater] = useState(false);
	const snippets = useAll(SnippetsDocument, (data) => data.snippets, {}, { live: 60_000 }).data;
	const writers = useOne(WritersDocument, { replyId: reply.id }).data?.writers ?? [];
	const [wanted, setWanted] = useState<Wanted | null>(null);
	const offered = wanted ? offers(wanted, snippets ?? [], values) : [];
	const [at, setAt] = useState(0);
	const [linking, setLinking] = useState(false);
	const { send, sending, error, refuse } = useSend(
		reply,
		() => {
			settle(); // before the composer goes: what is left would be taken for a draft
			close();
		},
		reopen,
	);
	const refused = error?.fields.map(({ pointer }) => /^\/cc\/(\d+)$/.exec(pointer)?.[1]).find(Boolean);
	const [tried, setTried] = useState(""); // the copies that were sent last
	const wrongCopy = refused && tried === draft.cc && splitAddresses(tried)[Number(refused)];
	const box = useRef<HTMLElement>(null);
	const [left, setLeft] = useState(false);
	// A written answer stays open at the first Escape: who types on must not give commands to the inbox.
	const leave = () => {
		if (draft.html && document.activeElement !== box.current) box.current?.focus();
		else close();
	};

	const submit = () => {
		const fault = unsendable(draft.html, asksLater, later, Date.now());
		setTried(draft.cc);
		if (fault) refuse(fault);
		else
			void hold()
				.then(() => send(draft, later ? new Date(later) : null))
				.then((sent) => sent || release());
	};
	const { editor, view, marks } = useEditor({
		initial: kept.html,
		attributes: { "aria-label": `Answer to ${reply.answerTo}` },
		onReady: ready,
		onChange: (html) => change({ html }),
		onBefore: (text) => {
			setWanted(wantedBy(text));
			setAt(0);
		},
		onLink: () => setLinking(true),
		onKey: (event) => {
			if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
				submit();
				return true;
			}
			if (event.key === "Escape" && wanted === null) {
				leave();
				return true;
			}
			if (offered.length === 0) return false;
			const one = offered[at];
			if (event.key === "ArrowDown") setAt((at + 1) % offered.length);
			else if (event.key === "ArrowUp") setAt((at + offered.length - 1) % offered.length);
			else if ((event.key === "Enter" || event.key === "Tab") && one) put(one);
			else if (event.key === "Escape") setWanted(null);
			else return false;
			return true;
		},
	});
	const put = ({ html }: Offer) => {
		replaceTyped(editor, /(?:\/|\{\{\s*)[\p{L}\p{N}_.]*$/u, html);
		setWanted(null);
	};
	// Once the editor has its height, so that the button to send is visible at once.
	// biome-ignore lint/correctness/useExhaustiveDependencies: the field for the time pushes it down
	useEffect(() => {
		const frame = requestAnimationFrame(() => box.current?.scrollIntoView({ block: "end" }));
		return () => cancelAnimationFrame(frame);
	}, [asksLater]);
	return (
		<section
			className="composer"
			aria-label="Answer"
			tabIndex={-1}
			ref={box}
			onFocus={({ target }) => setLeft(target === box.current)}
			onBlur={() => setLeft(false)}
			onKeyDown={(event) => {
				if (event.key === "Escape" && !event.defaultPrevented) leave();
			}}
		>
			<div className="composer-head">
				<span className="clip">
					<span className="faint">To</span> {reply.answerTo}
				</span>
				<label>
					<span className="faint">Cc</span>
					<input
						value={draft.cc}
						placeholder="Separated by commas"
						aria-invalid={wrongCopy ? true : undefined}
						onChange={(event) => change({ cc: event.target.value })}
					/>
				</label>
				{wrongCopy && (
					<small className="wrong" role="alert">
						{wrongCopy} is not an e-mail address.
					</small>
				)}
				<label>
					<span className="faint">Subject</span>
					<input
						value={draft.subject ?? answerSubject(reply.subject)}
						maxLength={500}
						onChange={(event) => change({ subject: event.target.value })}
					/>
				</label>
			</div>
			<EditorTools marks={marks}>
				{snippets?.length === 0 && (
					<Link href="/settings/snippets/new" title="A text that you put into answers with /">
						Add a snippet
					</Link>
				)}
				{snippets && snippets.length > 0 && (
					<button
						type="button"
						className="link"
						onClick={() => setWanted(wanted ? null : { kind: "snippet", part: "" })}
					>
						Snippets <kbd aria-hidden>/</kbd>
					</button>
				)}
			</EditorTools>
			{linking && (
				<AskLine
					label="Link to"
					initial={(editor.getAttributes("link").href as string | undefined) ?? "https://"}
					verb="Apply"
					check={linkFault}
					onApply={(href) => {
						setLinking(false);
						setLink(editor, href);
					}}
					onCancel={() => {
						setLinking(false);
						editor.view.focus();
					}}
					other={
						editor.isActive("link")
							? {
									label: "Remove link",
									act: () => {
										setLinking(false);
										setLink(editor, "");
									},
								}
							: undefined
					}
				/>
			)}
			{offered.length > 0 && (
				<div
					className="composer-snippets"
					role="listbox"
					aria-label={wanted?.kind === "variable" ? "Variables" : "Snippets"}
					tabIndex={-1}
				>
					{offered.map((offer, n) => (
						// biome-ignore lint/a11y/useKeyWithClickEvents: the editor hears the keys
						<div
							role="option"
							key={offer.key}
							aria-selected={n === at}
							tabIndex={-1}
							onMouseDown={(event) => event.preventDefault()}
							onClick={() => put(offer)}
						>
							{offer.name} {offer.detail && <span className="faint">{offer.detail}</span>}
						</div>
					))}
				</div>
			)}
			{view}
			{!refused && <FormError error={error} />}
			{asksLater && (
				<div className="composer-later">
					<label>
						<span className="faint">Send at</span>
						<input
							type="datetime-local"
							min={localTime(new Date())}
							value={later}
							onChange={(event) => setLater(event.target.value)}
						/>
					</label>
					<button type="button" className="link" onClick={() => setLater(localTime(tomorrow()))}>
						Tomorrow
					</button>
					<button type="button" className="link" onClick={() => setLater(localTime(nextMonday()))}>
						Next Monday
					</button>
				</div>
			)}
			<footer className="buttons start">
				<button type="button" className="primary" disabled={sending} onClick={submit}>
					<Send size={14} aria-hidden /> {asksLater ? "Schedule" : "Send"} <kbd aria-hidden>{chord("Enter")}</kbd>
				</button>
				<button
					type="button"
					aria-pressed={asksLater}
					onClick={() => {
						askLater(!asksLater);
						setLater(asksLater ? "" : localTime(tomorrow()));
					}}
				>
					Send later
				</button>
				<button type="button" onClick={close}>
					Close
				</button>
				<button
					type="button"
					className="icon"
					aria-label="Discard the draft"
					title="Discard the draft"
					onClick={() => {
						drop();
						close();
						if (draft.html) toast("Draft discarded.", () => void restoreDraft(viewer.id, reply.id, draft).then(reopen));
					}}
				>
					<Trash2 size={14} aria-hidden />
				</button>
				<span className="faint" role="status">
					{left
						? "Esc closes the answer. The draft is kept."
						: writers.length > 0
							? `${writers.map(({ email }) => email).join(", ")} ${writers.length > 1 ? "are" : "is"} writing here too.`
							: state}
				</span>
			</footer>
		</section>
	);
}
