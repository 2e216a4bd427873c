import type { AnyExtension, Editor } from "@tiptap/core";
import { EditorContent, useEditorState, useEditor as useTiptap } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { Bold, Italic, Link as LinkIcon, List, ListOrdered, type LucideIcon, Quote } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { cleanPaste, withoutEnd } from "../logic/richBody";
import type { Mark } from "./EditorTools";

interface Config {
	initial: string;
	/** The attributes of the text: its name for screen readers, and what describes it. */
	attributes: Record<string, string>;
	extensions?: AnyExtension[];
	editable?: boolean;
	onChange: (html: string) => void;
	/** Tells the text of the paragraph before the caret. */
	onBefore: (text: string) => void;
	/** Returns true for a key that the editor must not see. */
	onKey: (event: KeyboardEvent) => boolean;
	/** Called once the editor is there; an editor that takes the focus returns what was typed before. */
	onReady?: () => string;
	/** Called when something that is one sign, such as a variable, is clicked. */
	onClickOn?: (position: number) => void;
	/** Asks where a link leads. Without it links cannot be written. */
	onLink: () => void;
}

const none: AnyExtension[] = [];

/** A rich text editor: paragraphs, bold, italic, links, lists and quotes. What is pasted is reduced to these. */
export function useEditor({ initial, attributes, extensions = none, editable = true, ...told }: Config): {
	editor: Editor;
	view: ReactNode;
	marks: Mark[];
} {
	const latest = useRef(told);
	useEffect(() => {
		latest.current = told;
	});
	const editor = useTiptap({
		extensions: [
			StarterKit.configure({
				heading: false,
				codeBlock: false,
				code: false,
				horizontalRule: false,
				strike: false,
				underline: false,
				link: {
					openOnClick: false,
					protocols: ["https", "http", "mailto"],
					HTMLAttributes: { rel: null, target: null },
				},
			}),
			...extensions,
		],
		content: initial,
		editable,
		injectCSS: false, // the styles are in pages.css: the page allows no others
		editorProps: {
			transformPastedHTML: cleanPaste,
			attributes: { class: "composer-text", role: "textbox", "aria-multiline": "true", ...attributes },
			handleKeyDown: (view, event) => {
				if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k" && !view.state.selection.empty) {
					event.stopPropagation(); // with words selected it is a link, not the palette
					latest.current.onLink();
					return true;
				}
				return latest.current.onKey(event);
			},
			handleClickOn: (_view, _at, node, position) => {
				if (!node.isAtom || !node.isInline) return false;
				latest.current.onClickOn?.(position);
				return false;
			},
		},
	});
	useEffect(() => {
		if (editor.isEditable !== editable) editor.setEditable(editable, false);
	}, [editor, editable]);
	useEffect(() => {
		const update = () => {
			latest.current.onChange(editor.isEmpty ? "" : withoutEnd(editor.getHTML()));
			latest.current.onBefore(before(editor));
		};
		editor.on("update", update);
		return () => {
			editor.off("update", update);
		};
	}, [editor]);
	useEffect(() => {
		const begin = () => {
			if (!latest.current.onReady) return;
			editor.view.focus();
			const typed = latest.current.onReady();
			const chain = editor.chain().setTextSelection(editor.state.doc.content.size);
			for (const [n, line] of typed.split("\n").entries()) {
				if (n > 0) chain.splitBlock();
				if (line) chain.insertContent({ type: "text", text: line });
			}
			chain.run();
		};
		if (editor.isInitialized) begin();
		else editor.on("create", begin);
		return () => {
			editor.off("create", begin);
		};
	}, [editor]);
	const on = useEditorState({
		editor,
		selector: ({ editor: now }) =>
			Object.fromEntries(Object.keys(kinds).map((name) => [name, now.isActive(name)])) as Record<string, boolean>,
	});
	const run: Record<string, () => void> = {
		bold: () => focused(editor).toggleBold().run(),
		italic: () => focused(editor).toggleItalic().run(),
		bulletList: () => focused(editor).toggleBulletList().run(),
		orderedList: () => focused(editor).toggleOrderedList().run(),
		blockquote: () => focused(editor).toggleBlockquote().run(),
		link: () => latest.current.onLink(),
	};
	return {
		editor,
		view: <EditorContent editor={editor} />,
		marks: Object.entries(kinds).map(([name, [label, icon]]) => ({
			name,
			label,
			icon,
			on: on[name] ?? false,
			toggle: run[name] ?? (() => undefined),
		})),
	};
}

/** Begins commands in an editor that has the focus at once, so that the next key goes into the text. */
export function focused(editor: Editor) {
	editor.view.focus();
	return editor.chain();
}

/** The text of the paragraph before the caret. */
function before(editor: Editor): string {
	const { $from } = editor.state.selection;
	return $from.parent.textBetween(0, $from.parentOffset, undefined, " ");
}

/** Puts HTML in at the caret, in place of what was typed to find it. */
export function replaceTyped(editor: Editor, typed: RegExp, html: string, focus = true): void {
	const { $from } = editor.state.selection;
	const length = typed.exec(before(editor))?.[0].length ?? 0;
	const chain = focus ? focused(editor) : editor.chain();
	chain
		.deleteRange({ from: $from.pos - length, to: $from.pos })
		.insertContent(html)
		.run();
}

/** Sets, changes or (with "") removes the link at the selection. */
export function setLink(editor: Editor, href: string): void {
	const chain = focused(editor).extendMarkRange("link");
	if (!href) chain.unsetLink().run();
	else if (editor.state.selection.empty && !editor.isActive("link"))
		chain.insertContent({ type: "text", text: href, marks: [{ type: "link", attrs: { href } }] }).run();
	else chain.setLink({ href }).run();
}

const kinds: Record<string, [label: string, icon: LucideIcon]> = {
	bold: ["Bold", Bold],
	italic: ["Italic", Italic],
	link: ["Link", LinkIcon],
	bulletList: ["List", List],
	orderedList: ["Numbered list", ListOrdered],
	blockquote: ["Quote", Quote],
};
