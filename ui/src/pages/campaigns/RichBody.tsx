import { useEffect, useRef, useState } from "react";
import { fromEditor, toEditor } from "../../logic/richBody";
import { typing } from "../../logic/variables";
import { AskLine, EditorTools, linkFault } from "../../parts/EditorTools";
import { focused, replaceTyped, setLink, useEditor } from "../../parts/useEditor";
import { VariableMenu } from "../../parts/VariableMenu";
import { Variable } from "../../parts/variableNode";

interface Props {
	/** What the field says of the text: its id, and what describes it. */
	wired: Record<string, string | true | undefined>;
	label: string;
	value: string;
	editable: boolean;
	variables: string[];
	lacks: Record<string, string>;
	/** What happens when a variable has no value and no fallback. */
	unfilled?: string;
	onChange: (html: string) => void;
}

const extensions = [Variable];
const written = /\{\{\s*[\w.]*$/;

/** The body of a step or of a snippet as rich text. Loaded only when one is edited. */
export default function RichBody({
	wired,
	label,
	value,
	editable,
	variables,
	lacks,
	unfilled = "nothing: hold the person",
	onChange,
}: Props) {
	const held = useRef(value); // what the editor shows, as it is stored
	const [asking, setAsking] = useState<"link" | number | null>(null); // a number: the place of a variable
	const [wanted, setWanted] = useState<string | null>(null); // what stands behind {{
	const [at, setAt] = useState(0);
	const offered = wanted === null ? [] : variables.filter((name) => name.includes(wanted.toLowerCase())).slice(0, 8);
	const attributes = Object.fromEntries(
		Object.entries({ "aria-label": label, ...wired }).flatMap(([key, said]) => (said ? [[key, String(said)]] : [])),
	);
	const { editor, view, marks } = useEditor({
		initial: toEditor(value),
		attributes,
		extensions,
		editable,
		onChange: (html) => {
			held.current = fromEditor(html);
			onChange(held.current);
		},
		onBefore: (text) => {
			setWanted(typing(text, text.length));
			setAt(0);
		},
		onClickOn: (position) => editable && setAsking(position),
		onLink: () => setAsking("link"),
		onKey: (event) => {
			const { selection } = editor.state;
			if (event.key === "Enter" && "node" in selection) {
				setAsking(selection.from);
				return true;
			}
			if (offered.length === 0) return false;
			const one = offered[at];
			if (event.key === "ArrowDown") setAt((at + 1) % offered.length);
			else if (event.key === "ArrowUp") setAt((at + offered.length - 1) % offered.length);
			else if ((event.key === "Enter" || event.key === "Tab") && one) put(one);
			else if (event.key === "Escape") setWanted(null);
			else return false;
			return true;
		},
	});
	// What was changed elsewhere, such as changes discarded, is shown.
	useEffect(() => {
		if (value === held.current) return;
		held.current = value;
		editor.commands.setContent(toEditor(value), { emitUpdate: false });
	}, [editor, value]);
	const put = (name: string, focus = true) => {
		replaceTyped(editor, written, `<span data-variable="${name}" data-fallback=""></span>`, focus);
		setWanted(null);
		return editor.state.selection.from - 1;
	};
	const node = typeof asking === "number" ? editor.state.doc.nodeAt(asking) : null;
	const isVariable = node?.type.name === "variable";
	const close = () => {
		setAsking(null);
		const chain = focused(editor);
		if (typeof asking === "number") chain.setTextSelection(asking + 1);
		chain.run();
	};
	return (
		<div className="rich-body">
			<EditorTools marks={marks}>
				<VariableMenu
					label={`Insert variable into the ${label.toLowerCase()}`}
					variables={variables}
					lacks={lacks}
					onPick={(name) => setAsking(put(name, false))}
				/>
			</EditorTools>
			{isVariable && typeof asking === "number" && (
				<AskLine
					key={asking}
					label={`If ${String(node.attrs.name)} is empty, print`}
					initial={String(node.attrs.fallback)}
					placeholder={unfilled}
					verb="Apply"
					check={(text) => (/[<>{}]/.test(text) ? "Must not contain < > { or }" : null)}
					onApply={(fallback) => {
						editor.view.dispatch(editor.state.tr.setNodeMarkup(asking, undefined, { ...node.attrs, fallback }));
						close();
					}}
					onCancel={close}
				/>
			)}
			{asking === "link" && (
				<AskLine
					label="Link to"
					initial={(editor.getAttributes("link").href as string | undefined) ?? "https://"}
					verb="Apply"
					check={linkFault}
					onApply={(href) => {
						setAsking(null);
						setLink(editor, href);
					}}
					onCancel={close}
					other={
						editor.isActive("link")
							? {
									label: "Remove link",
									act: () => {
										setAsking(null);
										setLink(editor, "");
									},
								}
							: undefined
					}
				/>
			)}
			<div className="anchor">
				{view}
				{offered.length > 0 && (
					<div className="options typed" role="listbox" aria-label="Variables" tabIndex={-1}>
						{offered.map((name, n) => (
							// biome-ignore lint/a11y/useKeyWithClickEvents: the editor hears the keys
							<div
								role="option"
								key={name}
								aria-selected={n === at}
								tabIndex={-1}
								onMouseDown={(event) => event.preventDefault()}
								onClick={() => put(name)}
							>
								<code>{name}</code>
							</div>
						))}
					</div>
				)}
			</div>
		</div>
	);
}
