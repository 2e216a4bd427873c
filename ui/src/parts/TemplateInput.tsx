import * as Combobox from "@ariakit/react/combobox";
import { type ChangeEvent, type ComponentProps, useLayoutEffect, useRef, useState } from "react";
import { insert, typing } from "../logic/variables";

interface Props {
	value: string;
	onChange: (text: string) => void;
	variables: string[];
	rows?: number;
	code?: boolean;
	placeholder?: string;
	/** Shows a menu above that puts a variable in where the caret is. */
	menu?: string;
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
export function TemplateInput({ value, onChange, variables, rows, code, menu, ...rest }: Props) {
	const store = Combobox.useComboboxStore();
	const [search, setSearch] = useState("");
	const [caret, setCaret] = useState<number | null>(null);
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
	const put = (name: string) => {
		const next = insert(value, input.current?.selectionStart ?? value.length, name);
		onChange(next.text);
		setCaret(next.caret);
		store.hide();
		input.current?.focus();
	};
	return (
		<div className="anchor">
			{menu && (
				<select className="insert" aria-label={menu} value="" onChange={(event) => put(event.target.value)}>
					<option value="">{"{ } Variable"}</option>
					{variables.map((name) => (
						<option key={name} value={name}>
							{name}
						</option>
					))}
				</select>
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
