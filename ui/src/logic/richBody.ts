/** The tags that the rich text editor writes. A body with other tags is edited as HTML. */
const TAGS = /^<(?:\/?(?:p|strong|b|em|i|ul|ol|li|blockquote)|br ?\/?|a href="[^"<>]*"|\/a)>$/i;
const BLOCKS = /^<(\/?)(p|ul|ol|li|blockquote)\b/i;

/** Splits HTML into tags and the texts between them. */
const parts = (html: string) => html.split(/(<[^<>]*>)/).filter((part) => part !== "");
const isTag = (part: string) => part.startsWith("<") && part.endsWith(">");

/** Reports whether the rich text editor shows all of an HTML body and writes it back unchanged. */
export function isRich(html: string): boolean {
	let depth = 0;
	for (const part of parts(html)) {
		if (!isTag(part)) {
			if (part.includes("<") || (depth === 0 && part.trim() !== "")) return false;
			continue;
		}
		if (!TAGS.test(part)) return false;
		const [, closes, block] = BLOCKS.exec(part) ?? [];
		if (block) depth += closes ? -1 : 1;
		else if (depth === 0) return false; // the editor would put it into a paragraph
		if (depth < 0) return false;
	}
	return depth === 0;
}

/**
 * Returns pasted HTML without attributes, but for addresses of links and what the editor itself copies. The rest,
 * such as styles, would be refused by the policy of the page or go out with the mail.
 */
export function cleanPaste(html: string): string {
	return html
		.replaceAll(/<(script|style|head)\b.*?<\/\1\s*>/gis, "")
		.replaceAll(/<([a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/gi, (_, tag: string, attributes: string) => {
			const kept = attributes.match(/\s(?:href|data-[\w-]+)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/gi) ?? [];
			return `<${tag}${kept.join("")}>`;
		});
}

/** Returns a body without the empty paragraphs at its end. The editor adds one below a list or a quotation. */
export const withoutEnd = (html: string) => html.replace(/(?:<p>(?:<br ?\/?>)?<\/p>)+$/i, "");

/** Returns the pattern of a variable, whose name is group 1 and whose fallback matches the given pattern. */
export const variablePattern = (fallback: string) =>
	String.raw`\{\{-?\s*([A-Za-z_][\w.]*)\s*(?:\|\s*default:\s*(?:${fallback}))?\s*-?\}\}`;

const VARIABLE = new RegExp(variablePattern(`"([^"{}]*)"|&quot;([^"{}]*?)&quot;|'([^'{}]*)'`), "g");

const quoted = (text: string) => text.replaceAll('"', "&quot;");

/** Returns a body in the form of the editor, in which variables are elements. */
export function toEditor(html: string): string {
	return parts(html)
		.map((part) =>
			isTag(part)
				? part
				: part.replaceAll(VARIABLE, (_, name: string, ...fallbacks: (string | undefined)[]) => {
						const fallback = fallbacks.slice(0, 3).find((text) => text !== undefined) ?? "";
						return `<span data-variable="${name}" data-fallback="${quoted(fallback)}"></span>`;
					}),
		)
		.join("")
		.replaceAll(/<p><br ?\/?><\/p>/gi, "<p></p>");
}

/** Returns a variable in the syntax of templates. */
export function variable(name: string, fallback = ""): string {
	if (!fallback) return `{{ ${name} }}`;
	const quote = fallback.includes('"') ? "'" : '"';
	return `{{ ${name} | default: ${quote}${fallback.replaceAll(quote, "")}${quote} }}`;
}

/** Replaces HTML entities inside the braces of a template. */
const plain = (text: string, quote: string) =>
	text
		.replaceAll("&nbsp;", " ")
		.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replaceAll("&quot;", quote)
		.replaceAll("&amp;", "&");
const braces = (text: string, quote: string) =>
	text.replaceAll(/\{\{.*?\}\}|\{%.*?%\}/gs, (whole) => plain(whole, quote));

/** Returns the stored form of a body from the HTML of the editor. */
export function fromEditor(html: string): string {
	const spelled = html.replaceAll(
		/<span data-variable="([\w.]*)" data-fallback="([^"]*)"[^>]*>[^<]*<\/span>/g,
		(_, name: string, fallback: string) => variable(name, plain(fallback, '"')),
	);
	return parts(spelled)
		.map((part) => braces(part, isTag(part) ? "'" : '"'))
		.join("")
		.replaceAll(/<li><p>((?:(?!<\/?(?:p|ul|ol|li)>).)*)<\/p>(?=<\/li>|<ul>|<ol[ >])/gs, "<li>$1")
		.replaceAll(/<ol start="1">/g, "<ol>")
		.replaceAll("<p></p>", "<p><br></p>");
}

/** Returns paragraphs of HTML for a plain text, so that nothing is lost when a step becomes rich text. */
export function paragraphs(text: string): string {
	const escaped = text.replaceAll(/&/g, "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
	return braces(
		escaped
			.trim()
			.split(/\n\s*\n/)
			.filter((paragraph) => paragraph !== "")
			.map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br>")}</p>`)
			.join(""),
		'"',
	);
}

/** Returns HTML as plain text, with the address after each link. */
export function plainText(html: string): string {
	return plain(
		html
			.replaceAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/gis, (_, href: string, text: string) =>
				text === href ? href : `${text} (${href})`,
			)
			.replaceAll(/<li>/gi, "- ")
			.replaceAll(/<br ?\/?>|<\/li>/gi, "\n")
			.replaceAll(/<\/(?:p|ul|ol|blockquote|div)>/gi, "\n\n")
			.replaceAll(/<[^<>]*>/g, "")
			.replaceAll(/\n{3,}/g, "\n\n")
			.trim(),
		'"',
	);
}

/** The addresses that a body links to, each once; those that a variable names are left out. */
export function linksOf(html: string | null, text: string | null): string[] {
	const found = [
		...[...(html ?? "").matchAll(/<a\s[^>]*href=["']([^"']*)["']/gi)].map(([, href = ""]) => href),
		...[...(text ?? "").matchAll(/\bhttps?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?]/g)].map(([href]) => href),
	];
	return [...new Set(found.filter((href) => /^https?:/i.test(href)))];
}
