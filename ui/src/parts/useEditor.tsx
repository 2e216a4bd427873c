import { EditorContent, useEditorState, useEditor as useTiptap } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { type ReactNode, useEffect, useRef } from "react";

interface Config {
	initial: string;
	label: string;
	onChange: (html: string) => void;
	/** Tells the word behind a slash at the caret; null where there is none. */
	onSlash: (word: string | null) => void;
	/** Returns true for a key that the editor must not see. */
	onKey: (event: KeyboardEvent) => boolean;
	/** Called once the editor has the focus; returns what was typed before. */
	onReady: () => string;
}

interface Mark {
	name: string;
	label: string;
	on: boolean;
	toggle: () => void;
}

/** A rich text editor: paragraphs, bold, italic, links, lists and quotes. What is pasted is reduced to these. */
export function useEditor({ initial, label, ...told }: Config): {
	view: ReactNode;
	marks: Mark[];
	insert: (html: string) => void;
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
		],
		content: initial,
		injectCSS: false, // the styles are in pages.css: the page allows no others
		editorProps: {
			attributes: { class: "composer-text", role: "textbox", "aria-multiline": "true", "aria-label": label },
			handleKeyDown: (_, event) => latest.current.onKey(event),
		},
	});
	useEffect(() => {
		const update = () => {
			latest.current.onChange(editor.isEmpty ? "" : editor.getHTML());
			const { $from } = editor.state.selection;
			const before = $from.parent.textBetween(0, $from.parentOffset, undefined, " ");
			latest.current.onSlash(/(?:^|\s)\/(\w*)$/.exec(before)?.[1] ?? null);
		};
		editor.on("update", update);
		return () => {
			editor.off("update", update);
		};
	}, [editor]);
	useEffect(() => {
		const begin = () => {
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
			Object.fromEntries(Object.keys(labels).map((name) => [name, now.isActive(name)])) as Record<string, boolean>,
	});
	const run: Record<string, () => void> = {
		bold: () => editor.chain().focus().toggleBold().run(),
		italic: () => editor.chain().focus().toggleItalic().run(),
		bulletList: () => editor.chain().focus().toggleBulletList().run(),
		orderedList: () => editor.chain().focus().toggleOrderedList().run(),
		blockquote: () => editor.chain().focus().toggleBlockquote().run(),
		link: () => {
			if (editor.isActive("link")) {
				editor.chain().focus().unsetLink().run();
				return;
			}
			const href = prompt("Where does the link lead?", "https://");
			if (!href) return;
			const chain = editor.chain().focus();
			if (editor.state.selection.empty)
				chain.insertContent({ type: "text", text: href, marks: [{ type: "link", attrs: { href } }] }).run();
			else chain.setLink({ href }).run();
		},
	};
	return {
		view: <EditorContent editor={editor} />,
		marks: Object.entries(labels).map(([name, text]) => ({
			name,
			label: text,
			on: on[name] ?? false,
			toggle: run[name] ?? (() => undefined),
		})),
		insert: (html) => {
			const { $from } = editor.state.selection;
			const before = $from.parent.textBetween(0, $from.parentOffset, undefined, " ");
			const typed = /\/\w*$/.exec(before)?.[0].length ?? 0;
			editor
				.chain()
				.focus()
				.deleteRange({ from: $from.pos - typed, to: $from.pos })
				.insertContent(html)
				.run();
		},
	};
}

const labels: Record<string, string> = {
	bold: "Bold",
	italic: "Italic",
	link: "Link",
	bulletList: "List",
	orderedList: "Numbered list",
	blockquote: "Quote",
};
