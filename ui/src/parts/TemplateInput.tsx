import * as Combobox from "@ariakit/react/combobox";
import { type ChangeEvent, type ComponentProps, useLayoutEffect, useRef, useState } from "react";
import { variable } from "../logic/richBody";
import { insert, typing } from "../logic/variables";
import { AskLine } from "./EditorTools";
import { VariableMenu } from "./VariableMenu";

interface Props {
	value: string;
	onChange: (text: string) => void;
	variables: string[];
	rows?: number;
	code?: boolean;
	placeholder?: string;
	/** Shows a menu above that puts a variable in where the caret is, and asks for its fallback. */
	menu?: string;
	/** How many people have no value, in words, by variable. */
	lacks?: Record<string, string>;
	id?: string;
	onFocus?: () => void;
	"aria-describedby"?: string;
	"aria-invalid"?: true;
}

/** A field of several lines is not allowed to be a combobox: it is a text field that offers completions. */
function Lines({
	role: _role,
	"aria-expanded": _expanded,
	"aria-haspopup": _popup,
	...props
}: ComponentProps<"textarea">) {
	return <textarea {...props} />;
}

/** A text with variables: typing {{ offers the names, Enter puts one in. */
export function TemplateInput({ value, onChange, variables, rows, code, menu, lacks, ...rest }: Props) {
	const store = Combobox.useComboboxStore();
	const [search, setSearch] = useState("");
	const [caret, setCaret] = useState<number | null>(null);
	const [asking, setAsking] = useState<{ name: string; end: number } | null>(null);
	const input = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
	useLayoutEffect(() => {
		if (caret !== null) {
			input.current?.setSelectionRange(caret, caret);
			setCaret(null);
		}
	}, [caret]);
	const found = variables.filter((name) => name.includes(search.toLowerCase()));
	const change = (event: ChangeEvent<HTMLTextAreaElement & HTMLInputElement>) => {
		onChange(event.target.value);
		const part = typing(event.target.value, event.target.selectionStart ?? 0);
		if (part === null) store.hide();
		else {
			setSearch(part);
			store.show();
		}
	};
	const put = (name: string, focus = true) => {
		const next = insert(value, input.current?.selectionStart ?? value.length, name);
		onChange(next.text);
		setCaret(next.caret);
		store.hide();
		if (focus) input.current?.focus();
		return next.caret;
	};
	/** Writes the fallback into the variable that was just put in. */
	const setFallback = (fallback: string) => {
		if (!asking) return;
		const start = asking.end - variable(asking.name).length;
		const whole = variable(asking.name, fallback);
		if (value.slice(start, asking.end) === variable(asking.name))
			onChange(value.slice(0, start) + whole + value.slice(asking.end));
		setCaret(start + whole.length);
		setAsking(null);
		input.current?.focus();
	};
	return (
		<div className="anchor">
			{menu && (
				<VariableMenu
					className="link insert"
					label={menu}
					variables={variables}
					lacks={lacks}
					onPick={(name) => setAsking({ name, end: put(name, false) })}
				/>
			)}
			{asking && (
				<AskLine
					key={asking.end}
					label={`If ${asking.name} is empty, print`}
					initial=""
					placeholder="nothing: hold the person"
					verb="Apply"
					check={(text) => (/[<>{}]/.test(text) ? "Must not contain < > { or }" : null)}
					onApply={setFallback}
					onCancel={() => {
						setAsking(null);
						input.current?.focus();
					}}
				/>
			)}
			<Combobox.Combobox
				store={store}
				autoSelect="always"
				autoComplete="list"
				showOnClick={false}
				showOnChange={false}
				showOnKeyPress={false}
				setValueOnChange={false}
				setValueOnClick={false}
				value={value}
				ref={input}
				onChange={change}
				className={code ? "code" : undefined}
				{...rest}
				render={rows ? <Lines rows={rows} /> : <input />}
			/>
			<Combobox.ComboboxPopover
				store={store}
				portal={false}
				gutter={2}
				className="options"
				aria-label="Variables"
				unmountOnHide
			>
				{found.map((name) => (
					<Combobox.ComboboxItem key={name} value={name} setValueOnClick={false} focusOnHover onClick={() => put(name)}>
						<code>{name}</code>
					</Combobox.ComboboxItem>
				))}
				{found.length === 0 && <p className="faint">No results</p>}
			</Combobox.ComboboxPopover>
		</div>
	);
}
