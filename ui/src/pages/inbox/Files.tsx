import { FileText, Paperclip } from "lucide-react";
import { useState } from "react";
import type { ReplyFieldsFragment } from "../../gql/generated";
import { size } from "../../logic/format";
import { MailFrame } from "../../parts/MailFrame";
import { toastError } from "../../parts/Toasts";

/** Asks for something of a mail that lies in its mailbox. */
async function ask(path: string): Promise<Response> {
	const response = await fetch(`/mail/replies/${path}`).catch(() => null);
	if (!response) throw new Error("The server cannot be reached.");
	if (!response.ok) {
		const told = (await response.json().catch(() => null)) as { detail?: string } | null;
		throw new Error(told?.detail ?? `The server answered ${response.status}.`);
	}
	return response;
}

type File = ReplyFieldsFragment["attachments"][number];

/** The files of a reply, saved by a click, and the mail as its author sent it. */
export function Files({ reply }: { reply: ReplyFieldsFragment }) {
	const [loading, setLoading] = useState<string | null>(null);
	const [original, setOriginal] = useState<{ html: string; remote: boolean } | null>(null);
	const [pictures, setPictures] = useState(false);
	const busy = async (what: string, run: () => Promise<void>) => {
		setLoading(what);
		await run().catch(toastError);
		setLoading(null);
	};
	const save = (file: File) =>
		busy(file.id, async () => {
			const content = await (await ask(`${reply.id}/attachments/${file.id}`)).blob();
			const link = document.createElement("a");
			link.href = URL.createObjectURL(content);
			link.download = file.filename;
			link.click();
			setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
		});
	const show = () =>
		busy("original", async () => setOriginal((await (await ask(`${reply.id}/original`)).json()) as typeof original));
	return (
		<footer className="message-files">
			{reply.attachments.map((file) => (
				<button type="button" key={file.id} disabled={loading === file.id} onClick={() => void save(file)}>
					<Paperclip size={14} aria-hidden />
					<span className="clip" title={file.filename}>
						{file.filename}
					</span>
					{file.size != null && <span className="faint">{size(file.size)}</span>}
				</button>
			))}
			<button
				type="button"
				className="link"
				aria-expanded={original !== null}
				disabled={loading === "original"}
				onClick={() => (original ? setOriginal(null) : void show())}
			>
				<FileText size={14} aria-hidden /> {original ? "Hide original" : "Show original"}
			</button>
			{original?.remote && !pictures && (
				<button type="button" className="link" onClick={() => setPictures(true)}>
					Load remote pictures
				</button>
			)}
			{original && <MailFrame html={original.html} remote={pictures} title="The original mail" />}
		</footer>
	);
}
