import { AlertTriangle } from "lucide-react";
import { useEffect, useState } from "react";
import { useOne } from "../../data";
import { type PreviewInput, PreviewStepDocument, type ProspectFieldsFragment } from "../../gql/generated";
import { bodies, type StepDraft } from "../../logic/campaignDraft";
import { nameOf } from "../../logic/format";
import { sampleOf } from "../../logic/templateVariables";
import { MailFrame } from "../../parts/MailFrame";
import { ProspectPicker } from "../../parts/ProspectPicker";
import { Failure, Skeleton } from "../../parts/states";
import { TestMail } from "./TestMail";

interface Props {
	step: StepDraft | undefined;
	number: number;
	threadSubject: string | null;
	prospect: ProspectFieldsFragment | undefined;
	mailboxIds: string[];
	onPick: (id: string) => void;
}

const written = (step: PreviewInput | null) => !!(step?.bodyHtml || step?.bodyText || step?.subject);

/** What the step looks like for one real prospect, soon after the last key. */
export function Preview({ step, number, threadSubject, prospect, mailboxIds, onPick }: Props) {
	// Until the user chooses, the format of the step.
	const [chosen, setView] = useState<"html" | "text" | null>(null);
	const view = chosen ?? (step?.format === "text" ? "text" : "html");
	const wanted: PreviewInput | null =
		step && prospect ? { ...bodies(step), prospectId: prospect.id, mailboxId: mailboxIds[0] ?? null } : null;
	const input = useSettled(wanted, step?.key);
	const { data, error, refetch } = useOne(
		PreviewStepDocument,
		{ input: input ?? { prospectId: "" } },
		{ enabled: written(input), live: false, keep: true },
	);
	const preview = written(input) ? data?.previewStep : undefined; // not that of the step before
	return (
		<>
			<h2>
				Preview{number > 0 && ` of step ${number}`}
				<span className="faint"> for {prospect ? nameOf(prospect) : "a sample person"}</span>
			</h2>
			<ProspectPicker label="Preview for another prospect" onPick={({ id }) => onPick(id)} />
			{error && <Failure error={error} retry={() => void refetch()} what="The preview failed." />}
			<div role="status">
				{preview?.error && (
					<p className="note bad">
						<AlertTriangle size={16} aria-hidden />
						<span>
							<b>Template error.</b> {preview.error}
						</span>
					</p>
				)}
				{preview && preview.missing.length > 0 && (
					<p className="note bad">
						<AlertTriangle size={16} aria-hidden />
						<span>
							<b>Missing for this prospect:</b> {preview.missing.join(", ")}. Without a fallback the person is held and
							gets no mail.
						</span>
					</p>
				)}
			</div>
			{!prospect && step && <Sample step={step} />}
			{wanted &&
				!preview &&
				!error &&
				(written(wanted) ? (
					<Skeleton kind="block" lines={1} />
				) : (
					<p className="faint">Write something to see the preview.</p>
				))}
			{preview && !preview.error && (
				<>
					<p>
						<span className="faint">Subject </span>
						<b>{preview.subject ?? "Same thread as the previous step"}</b>
					</p>
					<fieldset className="tabs" aria-label="Form of the preview">
						{(["html", "text"] as const).map((name) => (
							<button
								type="button"
								key={name}
								className="tab"
								aria-pressed={view === name}
								aria-current={view === name ? "true" : undefined}
								onClick={() => setView(name)}
							>
								{name === "html" ? "HTML" : "Text"}
							</button>
						))}
					</fieldset>
					{view === "html" &&
						(preview.html ? (
							<MailFrame html={preview.html} title="The mail as HTML" />
						) : (
							<p className="faint">This step has no HTML version.</p>
						))}
					{view === "text" &&
						(preview.text ? <pre>{preview.text}</pre> : <p className="faint">This step has no text version.</p>)}
				</>
			)}
			{step && prospect && preview && (
				<TestMail
					key={step.key}
					step={step}
					number={number}
					threadSubject={threadSubject}
					prospectId={prospect.id}
					mailboxIds={mailboxIds}
					blocked={!!preview.error || preview.missing.length > 0}
				/>
			)}
		</>
	);
}

/** A mail filled with samples, while there is no prospect. */
function Sample({ step }: { step: StepDraft }) {
	const { subject, bodyHtml, bodyText } = bodies(step);
	if (!subject && !bodyHtml && !bodyText) return <p className="faint">Write something to see the preview.</p>;
	return (
		<>
			<p>
				<span className="faint">Subject </span>
				<b>{subject ? sampleOf(subject) : "Same thread as the previous step"}</b>
			</p>
			{bodyHtml ? (
				<MailFrame html={sampleOf(bodyHtml)} title="The mail as HTML" />
			) : (
				<pre>{sampleOf(bodyText ?? "")}</pre>
			)}
		</>
	);
}

/** How long after the last key, in milliseconds, a step is shown; longer within a variable, which is wrong until it is closed. */
const PAUSE = 300,
	WITHIN = 3_000;

/** The value of a pause ago, or that of now when the step is another. */
function useSettled(value: PreviewInput | null, step: string | undefined): PreviewInput | null {
	const [settled, setSettled] = useState({ value, step });
	const text = JSON.stringify(value);
	useEffect(() => {
		const pause = /\{\{(?![^{}]*\}\})/.test(text) ? WITHIN : PAUSE;
		const timer = setTimeout(() => setSettled({ value: JSON.parse(text) as typeof value, step }), pause);
		return () => clearTimeout(timer);
	}, [text, step]);
	return settled.step === step ? settled.value : value;
}
