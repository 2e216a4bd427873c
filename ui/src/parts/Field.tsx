import { AlertTriangle } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import type { ApiError } from "../api";
import { RequestId } from "./states";

interface Wired {
	id: string;
	"aria-describedby"?: string;
	"aria-invalid"?: true;
}
interface Props {
	label: string;
	/** Where the server says this value stands, such as "/first_name". */
	at?: string;
	error?: ApiError | null;
	/** A fault found on this side. */
	fault?: string | null;
	hint?: ReactNode;
	children: (wired: Wired) => ReactNode;
}

/** A label, an input, a hint, and what is wrong with it, all tied together. */
export function Field({ label, at, error, fault, hint, children }: Props) {
	const id = useId();
	const wrong = fault ?? error?.fields.find(({ pointer }) => pointer === at)?.detail;
	const described = [hint && `${id}h`, wrong && `${id}e`].filter(Boolean).join(" ") || undefined;
	return (
		<div className="field">
			<label htmlFor={id}>{label}</label>
			{children({ id, "aria-describedby": described, ...(wrong ? { "aria-invalid": true } : {}) })}
			{hint && (
				<small id={`${id}h`} className="faint">
					{hint}
				</small>
			)}
			{wrong && (
				<small id={`${id}e`} className="wrong">
					<AlertTriangle size={12} aria-hidden /> {wrong}
				</small>
			)}
		</div>
	);
}

/** What the server refused, above the buttons; the fields keep what was typed, and the first at fault takes the focus. */
export function FormError({ error }: { error: ApiError | null | undefined }) {
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (!error) return;
		box.current?.scrollIntoView({ block: "nearest" });
		box.current?.closest("form")?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
	}, [error]);
	if (!error) return null;
	return (
		<div className="form-error" role="alert" ref={box}>
			<AlertTriangle size={16} aria-hidden />
			<div>
				<p>
					{error.fields.length > 1 && error.fields.some(({ detail }) => detail === error.message)
						? `${error.fields.length} problems:`
						: error.message}
				</p>
				{error.fields.length > 1 && (
					<ul>
						{error.fields.map((fault) => (
							<li key={fault.pointer + fault.detail}>{fault.detail}</li>
						))}
					</ul>
				)}
				<RequestId id={error.requestId} />
			</div>
		</div>
	);
}
