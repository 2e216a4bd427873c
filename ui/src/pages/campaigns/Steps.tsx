import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ApiError } from "../../api";
import { useOne } from "../../data";
import { ProspectDocument, ProspectsDocument } from "../../gql/generated";
import { type CampaignDraft, newStep, type StepDraft } from "../../logic/campaignDraft";
import { delay } from "../../logic/format";
import { VARIABLES } from "../../logic/variables";
import { Field } from "../../parts/Field";
import { TemplateInput } from "../../parts/TemplateInput";
import { toast } from "../../parts/Toasts";
import { Preview } from "./Preview";

interface Props {
	draft: CampaignDraft;
	set: (part: Partial<CampaignDraft> | ((had: CampaignDraft) => Partial<CampaignDraft>)) => void;
	error: ApiError | null;
	editable: boolean;
}

/** The sequence as a timeline, and beside it what a real prospect would get. */
export function Steps({ draft, set, error, editable }: Props) {
	const [at, setAt] = useState(0);
	const [chosen, setChosen] = useState("");
	const newest = useOne(ProspectsDocument, { first: 1 }, { live: false });
	const prospectId = chosen || newest.data?.prospects.nodes[0]?.id || "";
	const prospect = useOne(
		ProspectDocument,
		{ id: prospectId },
		{ enabled: prospectId !== "", live: false, keep: true },
	);
	const variables = [
		...VARIABLES,
		...Object.keys(prospect.data?.prospect.customFields ?? {}).map((key) => `custom_fields.${key}`),
	];
	const { steps } = draft;
	const change = (n: number, part: Partial<StepDraft>) =>
		set({ steps: steps.map((step, at) => (at === n ? { ...step, ...part } : step)) });
	const move = (n: number, to: number) => {
		const next = [...steps];
		next.splice(to, 0, ...next.splice(n, 1));
		set({ steps: next });
		setAt(to);
	};
	const list = useRef<HTMLOListElement>(null),
		added = useRef(false);
	// Who adds a step goes on writing it.
	// biome-ignore lint/correctness/useExhaustiveDependencies: a step was added
	useEffect(() => {
		if (added.current) list.current?.querySelector<HTMLElement>("li:nth-last-child(2) .field input")?.focus();
		added.current = false;
	}, [steps.length]);
	const add = () => {
		added.current = true;
		set({ steps: [...steps, newStep(steps.length === 0)] });
		setAt(steps.length);
	};
	const remove = (n: number) => {
		const step = steps.slice(n, n + 1);
		set({ steps: steps.toSpliced(n, 1) });
		list.current?.querySelector<HTMLElement>("li:last-child button")?.focus();
		toast(`Step ${n + 1} removed.`, () => set((had) => ({ steps: had.steps.toSpliced(n, 0, ...step) })));
	};
	const last = Math.min(at, steps.length - 1);
	const shown = steps[last];
	const threadSubject = shown?.subject
		? null
		: (steps.slice(0, Math.max(0, last)).findLast(({ subject }) => subject)?.subject ?? null);
	return (
		<fieldset disabled={!editable} className="editor">
			<ol className="timeline" ref={list}>
				{steps.map((step, n) => (
					<li key={step.key} onFocus={() => setAt(n)}>
						<span className="knot" aria-hidden />
						<div className="step-head">
							<h2>Step {n + 1}</h2>
							<button
								type="button"
								className="icon"
								aria-label={`Move step ${n + 1} up`}
								disabled={n === 0}
								onClick={() => move(n, n - 1)}
							>
								<ArrowUp size={16} aria-hidden />
							</button>
							<button
								type="button"
								className="icon"
								aria-label={`Move step ${n + 1} down`}
								disabled={n === steps.length - 1}
								onClick={() => move(n, n + 1)}
							>
								<ArrowDown size={16} aria-hidden />
							</button>
							<button type="button" className="icon" aria-label={`Remove step ${n + 1}`} onClick={() => remove(n)}>
								<Trash2 size={16} aria-hidden />
							</button>
						</div>
						<Wait n={n} minutes={step.delayMinutes} onChange={(delayMinutes) => change(n, { delayMinutes })} />
						<Field
							label="Subject"
							at={`/steps/${n}/subject`}
							error={error}
							hint={n > 0 ? "Leave empty to reply in the same thread" : undefined}
						>
							{(wired) => (
								<TemplateInput
									{...wired}
									value={step.subject}
									variables={variables}
									onChange={(subject) => change(n, { subject })}
								/>
							)}
						</Field>
						<Field label="Format">
							{(wired) => (
								<select
									{...wired}
									value={step.format}
									onChange={(event) => change(n, { format: event.target.value as StepDraft["format"] })}
								>
									<option value="text">Text</option>
									<option value="html">HTML</option>
									<option value="both">HTML and text</option>
								</select>
							)}
						</Field>
						{step.format !== "text" && (
							<Field label="HTML" at={`/steps/${n}/body_html`} error={error}>
								{(wired) => (
									<TemplateInput
										{...wired}
										rows={8}
										code
										value={step.bodyHtml}
										variables={variables}
										onChange={(bodyHtml) => change(n, { bodyHtml })}
									/>
								)}
							</Field>
						)}
						{step.format !== "html" && (
							<Field
								label="Text"
								at={`/steps/${n}/body_text`}
								error={error}
								hint="Type {{ for variables; {{ first_name | default: &quot;there&quot; }} gives a fallback."
							>
								{(wired) => (
									<TemplateInput
										{...wired}
										rows={8}
										value={step.bodyText}
										variables={variables}
										onChange={(bodyText) => change(n, { bodyText })}
									/>
								)}
							</Field>
						)}
					</li>
				))}
				<li>
					<span className="knot off" aria-hidden />
					<button type="button" onClick={add}>
						<Plus size={14} aria-hidden /> {steps.length === 0 ? "Add first step" : "Add step"}
					</button>
				</li>
			</ol>
			<aside className="preview" aria-label="Preview">
				<Preview
					step={shown}
					number={last + 1}
					threadSubject={threadSubject}
					prospect={prospect.data?.prospect}
					mailboxIds={draft.mailboxIds}
					onPick={setChosen}
				/>
			</aside>
		</fieldset>
	);
}

const units = { 1: "minutes", 60: "hours", 1440: "days" } as const;

function Wait({ n, minutes, onChange }: { n: number; minutes: number; onChange: (minutes: number) => void }) {
	const natural = minutes % 1440 === 0 ? 1440 : minutes % 60 === 0 ? 60 : 1;
	const [unit, setUnit] = useState<number>(natural);
	return (
		<div className="wait">
			<label htmlFor={`wait${n}`}>{n === 0 ? "Wait after enrolling" : "Wait"}</label>
			<input
				id={`wait${n}`}
				type="number"
				min={0}
				value={Math.round((minutes / unit) * 100) / 100}
				onChange={(event) => onChange(Math.max(0, Math.round(Number(event.target.value) * unit)))}
			/>
			<select
				aria-label={`Unit of the wait before step ${n + 1}`}
				value={unit}
				onChange={(event) => setUnit(Number(event.target.value))}
			>
				{Object.entries(units).map(([value, label]) => (
					<option key={value} value={value}>
						{label}
					</option>
				))}
			</select>
			<span className="faint">
				{minutes === 0
					? "at once"
					: minutes % unit || minutes / unit > (unit === 1440 ? Infinity : unit === 60 ? 23 : 59)
						? `= ${delay(minutes)}`
						: ""}
			</span>
		</div>
	);
}
