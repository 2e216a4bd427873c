import * as Combobox from "@ariakit/react/combobox";
import { useDeferredValue, useState } from "react";
import { useOne } from "../data";
import { type ProspectRowFragment, ProspectsDocument } from "../gql/generated";
import { nameOf } from "../logic/format";

interface Props {
	id?: string;
	onPick: (prospect: ProspectRowFragment) => void;
	label?: string;
}

/** Finds a prospect by typing; without text it offers the newest. */
export function ProspectPicker({ id, onPick, label = "Find a prospect" }: Props) {
	const [text, setText] = useState("");
	const search = useDeferredValue(text.trim());
	const { data } = useOne(ProspectsDocument, { first: 8, search: search || null }, { live: false, keep: true });
	return (
		<div className="anchor">
			<Combobox.ComboboxProvider value={text} setValue={setText} resetValueOnHide>
				<Combobox.Combobox id={id} aria-label={id ? undefined : label} placeholder={label} autoComplete="none" />
				<Combobox.ComboboxPopover portal={false} gutter={4} className="options" aria-label="Prospects">
					{data?.prospects.nodes.map((p) => (
						<Combobox.ComboboxItem
							key={p.id}
							value={p.email}
							setValueOnClick={false}
							onClick={() => {
								onPick(p);
								setText("");
							}}
						>
							<span className="clip">{nameOf(p)}</span> <small className="faint clip">{p.email}</small>
						</Combobox.ComboboxItem>
					))}
					{data?.prospects.nodes.length === 0 && <p className="faint">No results</p>}
				</Combobox.ComboboxPopover>
			</Combobox.ComboboxProvider>
		</div>
	);
}
