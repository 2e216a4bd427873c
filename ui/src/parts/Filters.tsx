import { Search, SlidersHorizontal, X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { words } from "../logic/format";
import { useKeys } from "./useKeys";
import { usePhone } from "./useMedia";
import { usePlace } from "./usePlace";

interface Option {
	value: string;
	label: string;
}

interface Bar {
	search?: ReactNode;
	/** The parameters of the filters in the address. */
	names: string[];
	/** The filters; nothing while they have no effect. */
	children?: ReactNode;
	/** Stays in sight on a phone. */
	beside?: ReactNode;
	/** What belongs to the filters: saved views, an export. */
	more?: ReactNode;
}

/**
 * The search and the filters of a list. On a phone the filters are behind a button with the number of those in use.
 * A single filter without a search stays in sight.
 */
export function FilterBar({ search, names, children, beside, more }: Bar) {
	const { params } = usePlace();
	const phone = usePhone();
	const [open, setOpen] = useState(false);
	const id = useId();
	const folds = phone && !!children && (search !== undefined || names.length > 1);
	const on = names.filter((name) => params.get(name)).length;
	return (
		<div className="filters">
			{search}
			{folds && (
				<button
					type="button"
					className={on > 0 ? "pressed" : undefined}
					aria-expanded={open}
					aria-controls={open ? id : undefined}
					onClick={() => setOpen(!open)}
				>
					<SlidersHorizontal size={16} aria-hidden /> Filters{on > 0 && ` (${on})`}
				</button>
			)}
			{beside}
			{(!folds || open) && (
				<div className={folds ? "filter-panel folds" : "filter-panel"} id={id}>
					{children}
					<ClearFilters names={search ? ["search", ...names] : names} />
					{more}
				</div>
			)}
		</div>
	);
}

/** One filter as a menu; its value lives in the address. */
export function Filter({
	name,
	label,
	none = `${label}: any`,
	options,
	last,
}: {
	name: string;
	label: string;
	none?: string;
	options: readonly (string | Option)[];
	/** The last entry, which does something else than to filter. */
	last?: Option & { act: () => void };
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
				if (last && event.target.value === last.value) {
					last.act();
					return;
				}
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
			{last && <option value={last.value}>{last.label}</option>}
		</select>
	);
}

/** Search as one types, asked for 250 ms after the last key; "/" goes there. */
export function SearchBox({ name = "search", label, hint }: { name?: string; label: string; hint?: string }) {
	const { params, filter } = usePlace();
	const phone = usePhone();
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
				placeholder={hint && !phone ? `${label}: word beginnings` : label}
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

/** Puts the focus into the search of the page. */
export const focusSearch = () => document.querySelector<HTMLElement>(".filters .search input")?.focus();

/** How people are searched, for hints and for what is said when none is found. */
export const PEOPLE_SEARCH = "Search matches the beginnings of words.";

function ClearFilters({ names }: { names: string[] }) {
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
