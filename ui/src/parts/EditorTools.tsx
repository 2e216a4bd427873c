import type { LucideIcon } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { ActMenu } from "./Acts";
import { usePhone } from "./useMedia";

export interface Mark {
	name: string;
	label: string;
	icon: LucideIcon;
	on: boolean;
	toggle: () => void;
}

/** How many marks have room on a phone. */
const ON_PHONE = 3;

/** The buttons above a rich text, and room for more of them. On a phone the last marks are in a menu. */
export function EditorTools({ marks, children }: { marks: Mark[]; children?: ReactNode }) {
	const phone = usePhone();
	const rest = phone ? marks.slice(ON_PHONE) : [];
	return (
		<div className="composer-tools" role="toolbar" aria-label="Text style">
			{marks.slice(0, phone ? ON_PHONE : undefined).map(({ name, label, icon: Icon, on, toggle }) => (
				<button
					type="button"
					className={on ? "icon pressed" : "icon"}
					key={name}
					aria-label={label}
					aria-pressed={on}
					title={label}
					onClick={toggle}
				>
					<Icon size={14} aria-hidden />
				</button>
			))}
			{rest.length > 0 && (
				<ActMenu
					label="More text styles"
					acts={rest.map(({ label, icon, on, toggle }) => ({ label, icon, on, act: toggle }))}
				/>
			)}
			{children}
		</div>
	);
}

interface LineProps {
	label: string;
	initial: string;
	placeholder?: string;
	verb: string;
	/** Returns what is wrong with the value; null where nothing is. */
	check?: (value: string) => string | null;
	onApply: (value: string) => void;
	onCancel: () => void;
	/** What else can be done. */
	other?: { label: string; act: () => void };
}

/** One question under the tools of an editor: where a link leads, what an empty variable prints. */
export function AskLine({ label, initial, placeholder, verb, check, onApply, onCancel, other }: LineProps) {
	const [value, setValue] = useState(initial);
	const [fault, setFault] = useState<string | null>(null);
	const id = useId();
	const input = useRef<HTMLInputElement>(null);
	// After the element with the focus, such as a menu, has released it.
	useEffect(() => {
		const timer = setTimeout(() => {
			input.current?.focus();
			input.current?.select();
		});
		return () => clearTimeout(timer);
	}, []);
	const apply = () => {
		const wrong = check?.(value.trim()) ?? null;
		setFault(wrong);
		if (!wrong) onApply(value.trim());
	};
	return (
		<div className="ask-line">
			<label htmlFor={id}>{label}</label>
			<input
				id={id}
				value={value}
				placeholder={placeholder}
				autoComplete="off"
				aria-invalid={fault ? true : undefined}
				aria-describedby={fault ? `${id}e` : undefined}
				ref={input}
				onChange={(event) => setValue(event.target.value)}
				onKeyDown={(event) => {
					if (event.key === "Escape") onCancel();
					else if (event.key === "Enter") apply();
					else return;
					event.preventDefault();
					event.stopPropagation();
				}}
			/>
			<button type="button" onClick={apply}>
				{verb}
			</button>
			{other && (
				<button type="button" className="link" onClick={other.act}>
					{other.label}
				</button>
			)}
			<button type="button" className="link" onClick={onCancel}>
				Cancel
			</button>
			{fault && (
				<small className="wrong" id={`${id}e`} role="alert">
					{fault}
				</small>
			)}
		</div>
	);
}

/** Returns what is wrong with the address of a link. */
export const linkFault = (href: string) =>
	/^(?:https?:\/\/|mailto:|\{\{)\S/i.test(href) ? null : "Must begin with https://, http:// or mailto:";
