import { useEffect, useSyncExternalStore } from "react";
import { download, toCSV } from "../logic/csv";
import { textOf } from "../logic/encoding";
import { count, plural } from "../logic/format";
import { readList } from "../logic/suppressor";
import { refusedRows } from "../logic/work";
import { Drawer } from "../parts/Drawer";
import { Field } from "../parts/Field";
import { Progress } from "../parts/Progress";
import { useDraft } from "../parts/useDraft";
import { suppressor } from "../works";

/** A list of addresses and domains; closing the drawer leaves the work running. */
export default function SuppressionImport({ onClose }: { onClose: () => void }) {
	const { values, set, clear } = useDraft("suppression.import", { text: "" });
	const state = useSyncExternalStore(suppressor.watch, suppressor.read);
	useEffect(() => {
		if (state.phase === "done") suppressor.see();
	}, [state.phase]);
	const list = state.phase === "idle" ? readList(values.text) : [];
	const busy = state.phase === "running" || state.phase === "waiting";
	const { created = 0, present = 0 } = state.counts;
	return (
		<Drawer
			title="Import suppressions"
			onClose={() => {
				if (!busy) suppressor.reset();
				onClose();
			}}
		>
			{state.phase === "idle" && (
				<form
					onSubmit={(event) => {
						event.preventDefault();
						void suppressor.suppress(list);
						clear();
					}}
				>
					<Field label="Addresses and domains" hint="One per line, or a CSV file with them in the first column.">
						{(wired) => (
							<textarea
								{...wired}
								rows={12}
								value={values.text}
								onChange={(event) => set({ text: event.target.value })}
							/>
						)}
					</Field>
					<input
						type="file"
						aria-label="Choose a file"
						accept=".csv,.txt,text/csv,text/plain"
						onChange={(event) => {
							const file = event.target.files?.[0];
							if (file) void file.arrayBuffer().then((bytes) => set({ text: textOf(bytes) }));
						}}
					/>
					<p role="status" className="faint">
						{plural(list.length, "address or domain", "addresses and domains")} found.
					</p>
					<div className="buttons">
						<button type="submit" className="primary" disabled={list.length === 0}>
							Suppress {count(list.length)}
						</button>
					</div>
				</form>
			)}
			{state.phase !== "idle" && <Progress label="Suppressing" unit="entry" {...state} />}
			{state.phase === "waiting" && (
				<p className="note warn" role="status">
					{state.note} It continues automatically.
				</p>
			)}
			{busy && (
				<div>
					<button type="button" onClick={suppressor.stop}>
						Stop
					</button>
				</div>
			)}
			{state.phase === "done" && (
				<>
					<p role="status">
						{state.stopped && "Stopped. "}
						{plural(created, "suppression")} added, {count(present)} already existed, {count(state.refused.length)}{" "}
						failed. {plural(suppressor.enrollmentsStopped, "enrollment")} stopped.
					</p>
					{state.refused.length > 0 && (
						<div>
							<button
								type="button"
								onClick={() => download("not-suppressed.csv", toCSV(refusedRows(state.refused, "entry")))}
							>
								Download errors
							</button>
						</div>
					)}
					<div className="buttons">
						<button
							type="button"
							className="primary"
							onClick={() => {
								suppressor.reset();
								onClose();
							}}
						>
							Done
						</button>
					</div>
				</>
			)}
		</Drawer>
	);
}
