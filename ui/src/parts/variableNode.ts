import { InputRule, mergeAttributes, Node, PasteRule } from "@tiptap/core";
import { variable, variablePattern } from "../logic/richBody";

/** A typed variable. Phones write the quotation marks of their language. */
const TYPED = variablePattern(`["“”']([^"“”'{}]*)["“”']`);

const attributesOf = (match: RegExpMatchArray) => ({ name: match[1], fallback: match[2] ?? "" });

/** A variable of a template as one element of the text, with its fallback. */
export const Variable = Node.create({
	name: "variable",
	group: "inline",
	inline: true,
	atom: true,
	addAttributes() {
		return {
			name: { default: "", parseHTML: (element) => element.getAttribute("data-variable") },
			fallback: { default: "", parseHTML: (element) => element.getAttribute("data-fallback") ?? "" },
		};
	},
	parseHTML: () => [{ tag: "span[data-variable]" }],
	renderHTML({ node, HTMLAttributes: _ }) {
		const { name, fallback } = node.attrs as { name: string; fallback: string };
		const shown = name.replace("custom_fields.", "");
		return [
			"span",
			mergeAttributes({ "data-variable": name, "data-fallback": fallback, class: "chip" }),
			fallback ? `${shown} or “${fallback}”` : shown,
		];
	},
	renderText: ({ node }) => variable(node.attrs.name as string, node.attrs.fallback as string),
	addInputRules() {
		return [
			new InputRule({
				find: new RegExp(`${TYPED}$`),
				handler: ({ state, range, match }) => {
					state.tr.replaceWith(range.from, range.to, this.type.create(attributesOf(match)));
				},
			}),
		];
	},
	addPasteRules() {
		return [
			new PasteRule({
				find: new RegExp(TYPED, "g"),
				handler: ({ state, range, match }) => {
					state.tr.replaceWith(range.from, range.to, this.type.create(attributesOf(match)));
				},
			}),
		];
	},
});
