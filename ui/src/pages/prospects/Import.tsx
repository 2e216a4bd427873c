import { FileUp } from "lucide-react";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { Link } from "wouter";
import { count, plural } from "../../logic/format";
import type { ImportPlan, Sheet } from "../../logic/importer";
import { keepSummary, keptSummary, summaryOf } from "../../logic/importSummary";
import { Page } from "../../parts/Page";
import { Progress } from "../../parts/Progress";
import { importer } from "../../works";
import { ImportCheck } from "./ImportCheck";
import { ImportMapping, type Said } from "./ImportMapping";
import { ImportSummary } from "./ImportSummary";
import { readCSV } from "./readCSV";

/** The file and the chosen columns, kept while the user is on other pages. */
const kept: { sheet: Sheet | null; said: Said | null } = { sheet: null, said: null };
const keep = (said: Said) => {
	kept.said = said;
};

/** Imports a file: choose, map, check against existing prospects, import, summary. */
export default function Import() {
	const state = useSyncExternalStore(importer.watch, importer.read);
	const [sheet, setSheet] = useState(kept.sheet);
	useEffect(() => {
		kept.sheet = sheet;
	}, [sheet]);
	useEffect(() => {
		if (state.phase === "done") importer.see();
	}, [state.phase]);
	const finished = state.phase === "done" && !importer.dryRun;
	const summary = useMemo(() => (finished ? summaryOf(state, importer) : null), [finished, state]);
	const [before, setBefore] = useState(keptSummary);
	useEffect(() => {
		if (summary) keepSummary(summary);
	}, [summary]);
	// A reload keeps what an import did; going elsewhere is the end of it.
	useEffect(() => () => keepSummary(null), []);
	const take = (next: Sheet | null) => {
		kept.said = null;
		setSheet(next);
	};
	const again = () => {
		importer.reset();
		keepSummary(null);
		setBefore(null);
		take(null);
	};
	const columns = (plan: ImportPlan) => {
		importer.reset();
		kept.said = plan;
		setSheet(plan.sheet);
	};
	const reread = (encoding: string) => {
		if (sheet) void readCSV(sheet.file, () => undefined, encoding).then(take, () => undefined);
	};
	const { phase } = state,
		{ plan } = importer;
	const busy = phase === "running" || phase === "waiting";
	return (
		<Page
			title="Import prospects"
			action={
				<Link className="button" href="/prospects">
					{busy ? "Continue in background" : "Back to prospects"}
				</Link>
			}
		>
			{busy && <Running />}
			{phase === "done" && plan && importer.dryRun && (
				<ImportCheck state={state} plan={plan} columns={() => columns(plan)} />
			)}
			{summary && <ImportSummary summary={summary} again={again} />}
			{phase === "idle" && !sheet && before && <ImportSummary summary={before} again={again} />}
			{phase === "idle" && !sheet && !before && <Choose onSheet={take} />}
			{phase === "idle" && sheet && (
				<ImportMapping key={sheet.encoding} sheet={sheet} before={kept.said} keep={keep} back={again} reread={reread} />
			)}
		</Page>
	);
}

function Running() {
	const state = useSyncExternalStore(importer.watch, importer.read);
	const { created = 0, updated = 0, unchanged = 0 } = state.counts;
	return (
		<section className="panel" aria-label={state.title}>
			<div>
				<h2>{state.title}</h2>
				<p className="faint">
					{importer.dryRun ? "Nothing is imported yet." : "Rows already imported stay."} You can leave this page and
					come back. Closing the tab stops the import.
				</p>
			</div>
			<Progress label={state.title} unit="row" done={state.done} total={state.total} startedAt={state.startedAt} />
			{state.phase === "waiting" && (
				<p className="note warn" role="status">
					{state.note} It continues automatically.
				</p>
			)}
			<p className="faint">
				{count(created)} new, {count(updated)} changed, {count(unchanged)} already there, {count(state.refused.length)}{" "}
				left out.
			</p>
			<div className="buttons start">
				<button type="button" onClick={importer.stop} disabled={state.stopped}>
					{importer.dryRun ? "Stop the check" : "Stop the import"}
				</button>
			</div>
		</section>
	);
}

function Choose({ onSheet }: { onSheet: (sheet: Sheet) => void }) {
	const [over, setOver] = useState(false);
	const [read, setRead] = useState<number | null>(null);
	const [fault, setFault] = useState("");
	const take = async (file: File | undefined) => {
		if (!file) return;
		setFault("");
		setRead(0);
		try {
			onSheet(await readCSV(file, setRead));
		} catch (error) {
			setFault(error instanceof Error ? error.message : String(error));
		}
		setRead(null);
	};
	return (
		<div className="panel">
			<label
				className={over ? "drop over" : "drop"}
				onDragOver={(event) => {
					event.preventDefault();
					setOver(true);
				}}
				onDragLeave={() => setOver(false)}
				onDrop={(event) => {
					event.preventDefault();
					setOver(false);
					void take(event.dataTransfer.files[0]);
				}}
			>
				<FileUp size={28} aria-hidden />
				<span>Drop a CSV file here, or choose one. The first row must hold the column names.</span>
				<input
					type="file"
					accept=".csv,.tsv,.txt,text/csv"
					onChange={(event) => {
						void take(event.target.files?.[0]);
						event.target.value = "";
					}}
				/>
				<small className="faint">
					Comma, semicolon or tab separated, in any encoding, up to 100,000 rows. Nothing is imported before you
					confirm.
				</small>
			</label>
			{read !== null && <p role="status">Reading… {plural(read, "row")}</p>}
			{fault && (
				<p className="note bad" role="alert">
					{fault}
				</p>
			)}
		</div>
	);
}
