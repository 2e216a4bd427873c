import { AlertTriangle, CheckCircle2, HelpCircle, Send } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useChange, useOne } from "../../data";
import {
	MailboxesDocument,
	MembersDocument,
	SendTestStepDocument,
	type SendTestStepMutation,
	type TestOutcome,
} from "../../gql/generated";
import { bodies, type StepDraft } from "../../logic/campaignDraft";
import { count } from "../../logic/format";
import { FormError } from "../../parts/Field";
import { useViewer } from "../../parts/viewer";

interface Props {
	step: StepDraft;
	number: number;
	threadSubject: string | null;
	prospectId: string;
	mailboxIds: string[];
	blocked: boolean;
}

/** Sends the previewed mail to a member of the team through a real mailbox. */
export function TestMail({ step, number, threadSubject, prospectId, mailboxIds, blocked }: Props) {
	const viewer = useViewer();
	const { data: boxes } = useOne(MailboxesDocument, {}, { live: false });
	const { data: team } = useOne(MembersDocument, {}, { live: false });
	const [from, setFrom] = useState("");
	const [to, setTo] = useState(viewer.email);
	const send = useChange(SendTestStepDocument);
	const all = boxes?.mailboxes.nodes ?? [];
	const chosen = all.filter(({ id }) => mailboxIds.includes(id));
	const senders = chosen.length > 0 ? chosen : all;
	const sender = senders.find(({ id }) => id === from) ?? senders[0];
	const people = [
		...new Set([viewer.email, ...(team?.members.map(({ email }) => email) ?? []), ...all.map(({ email }) => email)]),
	];
	if (boxes && !sender)
		return (
			<p className="faint">
				To send a test, <Link href="/mailboxes/new">connect a mailbox</Link>.
			</p>
		);
	const go = () => {
		if (sender)
			send.mutate({ input: { ...bodies(step), number, threadSubject, prospectId, mailboxId: sender.id, to } });
	};
	return (
		<section className="test-mail" aria-label="Test mail">
			<div className="test-line">
				<label>
					From{" "}
					<select value={sender?.id ?? ""} onChange={(event) => setFrom(event.target.value)}>
						{senders.map(({ id, email }) => (
							<option key={id} value={id}>
								{email}
							</option>
						))}
					</select>
				</label>
				<label>
					to{" "}
					<select value={to} onChange={(event) => setTo(event.target.value)}>
						{people.map((email) => (
							<option key={email} value={email}>
								{email === viewer.email ? `me (${email})` : email}
							</option>
						))}
					</select>
				</label>
				<button
					type="button"
					disabled={send.isPending || blocked || !sender}
					title={blocked ? "Fix the errors in the preview first" : undefined}
					onClick={go}
				>
					<Send size={14} aria-hidden /> {send.isPending ? "Sending…" : "Send test"}
				</button>
			</div>
			<div role="status">
				{send.isPending && (
					<p className="faint">{sender?.smtp.host} is accepting the message. This can take 30 seconds…</p>
				)}
				{send.data && !send.isPending && <Result sent={send.data.sendTestStep} />}
			</div>
			{!send.isPending && <FormError error={send.error} />}
		</section>
	);
}

const ends: Record<TestOutcome, { icon: typeof Send; tone: string; said: (to: string) => string }> = {
	accepted: { icon: CheckCircle2, tone: "good", said: (to) => `The server accepted the test mail to ${to}.` },
	refused: { icon: AlertTriangle, tone: "bad", said: (to) => `The server rejected the test mail to ${to}.` },
	deferred: { icon: AlertTriangle, tone: "warn", said: (to) => `The server deferred the test mail to ${to}.` },
	not_sent: { icon: AlertTriangle, tone: "bad", said: () => "The test mail was not sent." },
	unknown: {
		icon: HelpCircle,
		tone: "warn",
		said: () => "The connection was lost. Check whether the test mail arrived.",
	},
};

function Result({ sent }: { sent: SendTestStepMutation["sendTestStep"] }) {
	const { icon: Icon, tone, said } = ends[sent.outcome];
	const where = sent.command === "." ? "" : ` at ${sent.command}`;
	return (
		<p className={`note ${tone}`}>
			<Icon size={16} aria-hidden />
			<span>
				<b>{said(sent.recipient)}</b> <code>{sent.smtpResponse}</code>
				{where}, after {count(sent.durationMs)} ms. Test mails are not tracked.
			</span>
		</p>
	);
}
