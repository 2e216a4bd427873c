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
	/** The pointer of this value in errors of the server, such as "/first_name". */
	at?: string;
	error?: ApiError | null;
	/** An error found in the browser. */
	fault?: string | null;
	hint?: ReactNode;
	children: (wired: Wired) => ReactNode;
}

/** A label, an input, a hint and an error, connected for screen readers. */
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

/** Shows the error of the server above the buttons, unless its field shows it, and focuses the first wrong field. */
export function FormError({ error, atField = false }: { error: ApiError | null | undefined; atField?: boolean }) {
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (!error) return;
		box.current?.scrollIntoView({ block: "nearest" });
		box.current?.closest("form")?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
	}, [error]);
	if (!error) return null;
	if (atField && error.fields.length === 1) return <div hidden ref={box} />;
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
