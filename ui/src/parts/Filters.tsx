import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { words } from "../logic/format";
import { useKeys } from "./useKeys";
import { usePlace } from "./usePlace";

interface Option {
	value: string;
	label: string;
}

/** One filter as a menu; its value lives in the address. */
export function Filter({
	name,
	label,
	none = `${label}: any`,
	options,
}: {
	name: string;
	label: string;
	none?: string;
	options: readonly (string | Option)[];
}) {
	const { params, filter } = usePlace();
	const value = params.get(name) ?? "";
	const byMouse = useRef(false);
	// A focused menu takes the list's keys (j, k, n). After a choice by mouse the focus returns to the list;
	// at the keyboard Escape returns it.
	const leave = () => document.getElementById("main")?.focus();
	return (
		<select
			className={`filter ${name}${value ? " on" : ""}`}
			aria-label={label}
			value={value}
			onPointerDown={() => {
				byMouse.current = true;
			}}
			onKeyDown={({ key }) => {
				byMouse.current = false;
				if (key === "Escape") leave();
			}}
			onChange={(event) => {
				filter(name, event.target.value);
				if (byMouse.current) leave();
			}}
		>
			<option value="">{none}</option>
			{options.map((option) => {
				const { value: of, label: text } =
					typeof option === "string" ? { value: option, label: words(option) } : option;
				return (
					<option key={of} value={of}>
						{text}
					</option>
				);
			})}
			{value && !options.some((option) => (typeof option === "string" ? option : option.value) === value) && (
				<option value={value}>{label}: not listed</option>
			)}
		</select>
	);
}

/** Search as one types, asked for 250 ms after the last key; "/" goes there. */
export function SearchBox({ name = "search", label, hint }: { name?: string; label: string; hint?: string }) {
	const { params, filter } = usePlace();
	const asked = params.get(name) ?? "";
	const [text, setText] = useState(asked);
	// What this box asked for last; anything else in the address came from outside, and goes into the box.
	const own = useRef(asked);
	const input = useRef<HTMLInputElement>(null);
	useKeys({ "/": () => input.current?.focus() });
	useEffect(() => {
		if (asked !== own.current) {
			own.current = asked;
			setText(asked);
		}
	}, [asked]);
	useEffect(() => {
		const wanted = text.trim();
		if (wanted === own.current) return;
		const timer = setTimeout(() => {
			own.current = wanted;
			filter(name, wanted);
		}, 250);
		return () => clearTimeout(timer);
	}, [text, name, filter]);
	return (
		<div className={hint ? "search hinted" : "search"}>
			<Search size={14} aria-hidden />
			<input
				type="search"
				ref={input}
				aria-label={label}
				placeholder={hint ? `${label}: word beginnings` : label}
				title={hint}
				value={text}
				onChange={(event) => setText(event.target.value)}
				onKeyDown={(event) => {
					if (event.key !== "Escape") return;
					event.preventDefault(); // the browser would empty the field
					document.getElementById("main")?.focus();
				}}
			/>
		</div>
	);
}

/** How people are searched, for hints and for what is said when none is found. */
export const PEOPLE_SEARCH = "Search matches the beginnings of words.";

export function ClearFilters({ names }: { names: string[] }) {
	const { params, navigate, path } = usePlace();
	if (!names.some((name) => params.get(name))) return null;
	// The button goes with the filters; the focus stays on the page, where the list's keys are heard.
	const clear = () => {
		document.getElementById("main")?.focus();
		navigate(`/${path.join("/")}`);
	};
	return (
		<button type="button" className="link" onClick={clear}>
			<X size={14} aria-hidden /> Clear filters
		</button>
	);
}
