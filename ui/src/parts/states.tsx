import { CloudOff, Copy, RefreshCw } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { ApiError } from "../api";
import { copy } from "./Toasts";

/** Reports whether 150 ms have passed, so that fast answers show no skeleton. */
function useLate(): boolean {
	const [late, setLate] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => setLate(true), 150);
		return () => clearTimeout(timer);
	}, []);
	return late;
}

/** Grey bars in the shape of the content that loads. */
export function Skeleton({ lines = 6, kind = "row" }: { lines?: number; kind?: "row" | "block" | "text" }) {
	const late = useLate();
	return (
		<div className="skeleton" role="status" aria-label="Loading">
			{late && [...Array(lines).keys()].map((at) => <span key={at} className={`bar ${kind} w${at % 4}`} />)}
		</div>
	);
}

/** A row of a sample: its name, its state, and what is said of it. */
export type Sample = [name: string, state: string, detail: string];

/** Why there is nothing, and what to do; a first use shows with a sample how the page will look. */
export function Empty({ title, sample, children }: { title: string; sample?: Sample[]; children?: ReactNode }) {
	return (
		<div className="empty">
			{sample && (
				<div className="sample" aria-hidden>
					<p className="faint">Example</p>
					{sample.map(([name, state, detail]) => (
						<div key={name}>
							<b>{name}</b>
							<span className="badge">{state}</span>
							<span>{detail}</span>
						</div>
					))}
				</div>
			)}
			<p>{title}</p>
			{children}
		</div>
	);
}

export function RequestId({ id }: { id: string | null }) {
	if (!id) return null;
	return (
		<button type="button" className="link faint" onClick={() => copy(id, "Request id")}>
			<Copy size={12} aria-hidden /> Request {id}
		</button>
	);
}

/** An error: what happened, what to try, and the request id for support. */
export function Failure({
	error,
	retry,
	what = "Loading failed.",
}: {
	error: ApiError;
	retry?: () => void;
	what?: string;
}) {
	const missing = error.code === "not_found";
	return (
		<div className="failure" role="alert">
			<CloudOff size={20} aria-hidden />
			<div>
				<strong>{missing ? "Not found" : what}</strong>
				<p>{missing ? "It may have been deleted, or it belongs to another workspace." : error.message}</p>
				<p className="line">
					{retry && !missing && (
						<button type="button" onClick={retry}>
							<RefreshCw size={14} aria-hidden /> Try again
						</button>
					)}
					<RequestId id={error.requestId} />
				</p>
			</div>
		</div>
	);
}
