import { ArrowDown, ArrowUp, Copy, Plus, Trash2 } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import type { ApiError } from "../../api";
import { useOne } from "../../data";
import {
	type CampaignFieldsFragment,
	MailStatusDocument,
	ProspectDocument,
	ProspectsDocument,
} from "../../gql/generated";
import { bodies, type CampaignDraft, type Format, newStep, type StepDraft } from "../../logic/campaignDraft";
import { delay } from "../../logic/format";
import { isRich, paragraphs, plainText } from "../../logic/richBody";
import { unknown, VARIABLES } from "../../logic/templateVariables";
import { Acts } from "../../parts/Acts";
import { EditorSpace } from "../../parts/EditorSpace";
import { Field } from "../../parts/Field";
import { Empty, type Sample } from "../../parts/states";
import { TemplateInput } from "../../parts/TemplateInput";
import { toast } from "../../parts/Toasts";
import { BARRED } from "../prospects/mailStatuses";
import { Lacks, OnlyNewest } from "./Lacks";
import { Links } from "./Links";
import { Preview } from "./Preview";
import { Effect, useStepEffects } from "./StepEffects";
import { lacksOf, reachable, usePeople } from "./usePeople";

const RichBody = lazy(() => import("./RichBody"));

interface Props {
	campaign: CampaignFieldsFragment;
	draft: CampaignDraft;
	set: (part: Partial<CampaignDraft> | ((had: CampaignDraft) => Partial<CampaignDraft>)) => void;
	error: ApiError | null;
	editable: boolean;
	/** Saves the draft, then calls what it is given; null if nothing is unsaved. */
	save: ((then: () => void) => void) | null;
}

/** The mails of a campaign one below the other, as people get them, and beside them a preview. */
export function Steps({ campaign, draft, set, error, editable, save }: Props) {
	const campaignId = campaign.id;
	const [at, setAt] = useState(0);
	const [chosen, setChosen] = useState("");
	const people = usePeople(campaignId);
	const enrolled = people && (reachable(people.newest)[0] ?? people.newest[0]);
	// If no prospect is enrolled, the newest one is shown, unless no campaign may write to it.
	const newest = useOne(ProspectsDocument, { first: 1 }, { live: false, enabled: people?.newest.length === 0 });
	const spare = newest.data?.prospects.nodes[0]?.id ?? "";
	const status = useOne(MailStatusDocument, { prospectId: spare }, { live: false, enabled: spare !== "" }).data
		?.mailStatus;
	const prospectId = chosen || enrolled?.id || (status && !BARRED.includes(status.state) ? spare : "");
	const prospect = useOne(
		ProspectDocument,
		{ id: prospectId },
		{ enabled: prospectId !== "", live: false, keep: true },
	);
	const custom = useMemo(() => {
		const keys = [...(people?.newest ?? []), ...(prospect.data ? [prospect.data.prospect] : [])].flatMap((person) =>
			Object.keys(person.customFields),
		);
		return [...new Set(keys)].sort();
	}, [people, prospect.data]);
	const variables = useMemo(() => [...VARIABLES, ...custom.map((key) => `custom_fields.${key}`)], [custom]);
	const without = useMemo(() => lacksOf(people, variables), [people, variables]);
	const [previews, setPreviews] = useState(false);
	const { steps } = draft;
	const effects = useStepEffects(campaign, steps, save !== null);
	const change = (n: number, part: Partial<StepDraft>) =>
		set({ steps: steps.map((step, at) => (at === n ? { ...step, ...part } : step)) });
	const move = (n: number, to: number) => {
		const next = [...steps];
		next.splice(to, 0, ...next.splice(n, 1));
		set({ steps: next });
		setAt(to);
	};
	const list = useRef<HTMLOListElement>(null),
		next = useRef<string | null>(null);
	// A new step gets the focus; after one that is removed, the button that adds one.
	// biome-ignore lint/correctness/useExhaustiveDependencies: a step was added or removed
	useEffect(() => {
		if (next.current) list.current?.querySelector<HTMLElement>(next.current)?.focus();
		next.current = null;
	}, [steps.length]);
	const add = () => {
		next.current = "li:nth-last-child(2) .field input";
		set({ steps: [...steps, newStep(steps.length === 0)] });
		setAt(steps.length);
	};
	const copy = (n: number, step: StepDraft) => {
		const { key } = newStep(false);
		set({ steps: steps.toSpliced(n + 1, 0, { ...step, key, id: null, delayMinutes: step.delayMinutes || 3 * 1440 }) });
		setAt(n + 1);
	};
	const remove = (n: number) => {
		const step = steps.slice(n, n + 1);
		set({ steps: steps.toSpliced(n, 1) });
		next.current = "li:last-child button";
		toast(`Step ${n + 1} removed.`, () => set((had) => ({ steps: had.steps.toSpliced(n, 0, ...step) })));
	};
	const last = Math.min(at, steps.length - 1);
	const shown = steps[last];
	const threadSubject = shown?.subject
		? null
		: (steps.slice(0, Math.max(0, last)).findLast(({ subject }) => subject)?.subject ?? null);
	return (
		<>
			{steps.length > 0 && (
				<fieldset className="editor-switch" aria-label="Show">
					<button type="button" aria-pressed={!previews} onClick={() => setPreviews(false)}>
						Write
					</button>
					<button type="button" aria-pressed={previews} onClick={() => setPreviews(true)}>
						Preview
					</button>
				</fieldset>
			)}
			<fieldset disabled={!editable} className={previews ? "editor previews" : "editor"}>
				<ol className="step-list" ref={list}>
					{steps.map((step, n) => (
						<li key={step.key} onFocus={() => setAt(n)} className={n === last ? "on" : undefined}>
							<Wait n={n} minutes={step.delayMinutes} onChange={(delayMinutes) => change(n, { delayMinutes })} />
							<div className="sheet-of">
								<div className="step-head">
									<h2>Step {n + 1}</h2>
									<Formats step={step} n={n} onChange={(format) => change(n, turned(step, format))} />
									<Acts
										label={`More for step ${n + 1}`}
										acts={[
											{ label: `Move step ${n + 1} up`, icon: ArrowUp, disabled: n === 0, act: () => move(n, n - 1) },
											{
												label: `Move step ${n + 1} down`,
												icon: ArrowDown,
												disabled: n === steps.length - 1,
												act: () => move(n, n + 1),
											},
											{ label: `Duplicate step ${n + 1}`, icon: Copy, act: () => copy(n, step) },
											{ label: `Remove step ${n + 1}`, icon: Trash2, act: () => remove(n) },
										]}
									/>
								</div>
								{effects?.beside[n] && <Effect text={effects.beside[n]} />}
								<Field
									label="Subject"
									at={`/steps/${n}/subject`}
									error={error}
									fault={wrongIn(bodies(step).subject)}
									hint={n > 0 ? "Leave empty to reply in the same thread" : undefined}
								>
									{(wired) => (
										<TemplateInput
											{...wired}
											menu={`Insert variable into the subject of step ${n + 1}`}
											value={step.subject}
											variables={variables}
											lacks={without}
											onChange={(subject) => change(n, { subject })}
										/>
									)}
								</Field>
								{step.format === "rich" && (
									<Field
										label="Message"
										at={`/steps/${n}/body_html`}
										error={error}
										fault={wrongIn(bodies(step).bodyHtml)}
										hint="Type {{ for variables; click one to set a fallback. A plain text version is made from it."
									>
										{(wired) => (
											<Suspense fallback={<EditorSpace html={step.bodyHtml} />}>
												<RichBody
													wired={{ ...wired }}
													label={`Message of step ${n + 1}`}
													value={step.bodyHtml}
													editable={editable}
													variables={variables}
													lacks={without}
													onChange={(bodyHtml) => change(n, { bodyHtml })}
												/>
											</Suspense>
										)}
									</Field>
								)}
								{(step.format === "html" || step.format === "both") && (
									<Field label="HTML" at={`/steps/${n}/body_html`} error={error} fault={wrongIn(bodies(step).bodyHtml)}>
										{(wired) => (
											<TemplateInput
												{...wired}
												menu={`Insert variable into the HTML of step ${n + 1}`}
												rows={10}
												code
												value={step.bodyHtml}
												variables={variables}
												lacks={without}
												onChange={(bodyHtml) => change(n, { bodyHtml })}
											/>
										)}
									</Field>
								)}
								{(step.format === "text" || step.format === "both") && (
									<Field
										label="Text"
										at={`/steps/${n}/body_text`}
										error={error}
										fault={wrongIn(bodies(step).bodyText)}
										hint='Type {{ for variables. {{ first_name | default: "there" }} sets a fallback.'
									>
										{(wired) => (
											<TemplateInput
												{...wired}
												menu={`Insert variable into the text of step ${n + 1}`}
												rows={10}
												value={step.bodyText}
												variables={variables}
												lacks={without}
												onChange={(bodyText) => change(n, { bodyText })}
											/>
										)}
									</Field>
								)}
								<Links step={step} campaignId={campaignId} counted={draft.trackClicks} />
								<Lacks step={step} people={people} />
							</div>
						</li>
					))}
					<li>
						{effects?.removed.map((text) => (
							<Effect key={text} text={text} />
						))}
						{steps.length === 0 ? (
							<Empty title="Each step is a mail, sent some time after the one before." sample={sample}>
								<button type="button" className="primary" onClick={add}>
									<Plus size={14} aria-hidden /> Add first step
								</button>
							</Empty>
						) : (
							<button type="button" onClick={add}>
								<Plus size={14} aria-hidden /> Add step
							</button>
						)}
					</li>
				</ol>
				{steps.length > 0 && (
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
				)}
			</fieldset>
			{people?.more && <OnlyNewest campaignId={campaignId} save={save} />}
		</>
	);
}

const sample: Sample[] = [
	["A question about {{ company_name }}", "Step 1", "At once: Hello Anna, how do you …"],
	["Same thread", "Step 2", "After 3 days: In case my note went under …"],
];

/** The first variable of a template that no prospect can have. */
function wrongIn(template: string | null): string | null {
	const [first] = template ? unknown([template]) : [];
	if (!first) return null;
	return `Unknown variable ${first.name}.${first.nearest ? ` Did you mean ${first.nearest}?` : ""}`;
}

const formats: Record<Format, string> = {
	rich: "Rich text",
	text: "Plain text",
	html: "HTML",
	both: "HTML and text",
};

/** A step in another format keeps its words. */
function turned(step: StepDraft, format: Format): Partial<StepDraft> {
	const bodyHtml = format !== "text" && !step.bodyHtml ? paragraphs(step.bodyText) : step.bodyHtml;
	const bodyText =
		(format === "text" || format === "both") && !step.bodyText ? plainText(step.bodyHtml) : step.bodyText;
	return { format, bodyHtml, bodyText };
}

function Formats({ step, n, onChange }: { step: StepDraft; n: number; onChange: (format: Format) => void }) {
	const tooMuch = !isRich(step.bodyHtml);
	return (
		<select
			className="filter"
			aria-label={n === 0 ? "Format" : `Format of step ${n + 1}`}
			value={step.format}
			onChange={(event) => onChange(event.target.value as Format)}
		>
			{Object.entries(formats).map(([value, label]) => (
				<option key={value} value={value} disabled={value === "rich" && tooMuch}>
					{label}
					{value === "rich" && tooMuch && " (not for this HTML)"}
				</option>
			))}
		</select>
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
