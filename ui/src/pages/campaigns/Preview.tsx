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

/** What the step looks like for one real prospect, 300 ms after the last key. */
export function Preview({ step, number, threadSubject, prospect, mailboxIds, onPick }: Props) {
	// Until the user chooses, the format of the step.
	const [chosen, setView] = useState<"html" | "text" | null>(null);
	const view = chosen ?? (step?.format === "text" ? "text" : "html");
	const wanted: PreviewInput | null =
		step && prospect ? { ...bodies(step), prospectId: prospect.id, mailboxId: mailboxIds[0] ?? null } : null;
	const input = useSettled(wanted);
	const { data, error, refetch } = useOne(
		PreviewStepDocument,
		{ input: input ?? { prospectId: "" } },
		{ enabled: input !== null && !!(input.bodyHtml || input.bodyText || input.subject), live: false, keep: true },
	);
	const preview = data?.previewStep;
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
				(step?.bodyHtml || step?.bodyText ? (
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

function useSettled<T>(value: T): T {
	const [settled, setSettled] = useState(value);
	const text = JSON.stringify(value);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(JSON.parse(text) as T), 300);
		return () => clearTimeout(timer);
	}, [text]);
	return settled;
}
