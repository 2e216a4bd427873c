import { expect, test } from "vitest";
import {
	cleanPaste,
	fromEditor,
	isRich,
	linksOf,
	paragraphs,
	plainText,
	toEditor,
	variable,
	withoutEnd,
} from "./richBody";

test.each([
	['<p>Hello {{ first_name | default: "there" }},</p><p>see <a href="https://a.example/b">this</a>.</p>', true],
	["<ul><li>one</li><li><strong>two</strong></li></ul>\n<blockquote><p>said</p></blockquote>", true],
	["<p>a<br>b</p>", true],
	["{% if job_title %}<p>x</p>{% endif %}", false],
	["Hello there", false],
	['<p style="color: red">Hello</p>', false],
	["<p>a</p><table><tr><td>b</td></tr></table>", false],
	['<p><img src="https://a.example/b.png"></p>', false],
	["<strong>bold</strong>", false],
	["<p>open", false],
	["", true],
])("%s can be edited as rich text: %s", (html, rich) => {
	expect(isRich(html)).toBe(rich);
});

test("variables become elements and come back as templates spell them", () => {
	const body = `<p>{{first_name}} of {{ company_name | default: 'A "B" & C' }}</p>`;
	const inside = toEditor(body);
	expect(inside).toBe(
		'<p><span data-variable="first_name" data-fallback=""></span> of ' +
			'<span data-variable="company_name" data-fallback="A &quot;B&quot; & C"></span></p>',
	);
	expect(fromEditor(inside.replaceAll("></span>", ">shown</span>"))).toBe(
		`<p>{{ first_name }} of {{ company_name | default: 'A "B" & C' }}</p>`,
	);
});

test("conditions and addresses with variables stay as they were written", () => {
	const body = `<p>{% if team > 3 and name != "x" %}big{% endif %} <a href="https://a.example/{{ website | default: 'b' }}">a</a></p>`;
	const held = body
		.replace("> 3", "&gt; 3")
		.replace("{{ website | default: 'b' }}", "{{ website | default: &quot;b&quot; }}");
	expect(fromEditor(held)).toBe(body);
});

test("items of lists hold no paragraphs, and an empty line stays one", () => {
	expect(fromEditor("<ul><li><p>one</p></li><li><p>two</p><ul><li><p>three</p></li></ul></li></ul><p></p>")).toBe(
		"<ul><li>one</li><li>two<ul><li>three</li></ul></li></ul><p><br></p>",
	);
	expect(toEditor("<p>a</p><p><br></p>")).toBe("<p>a</p><p></p>");
});

test("a step keeps its words from plain to rich text and back", () => {
	const text = 'Hi {{ first_name | default: "there" }},\n\nA & B < C\nsecond line';
	const html = paragraphs(text);
	expect(html).toBe('<p>Hi {{ first_name | default: "there" }},</p><p>A &amp; B &lt; C<br>second line</p>');
	expect(plainText(html)).toBe(text);
	expect(plainText('<p>See <a href="https://a.example">this</a></p><ul><li>x</li></ul>')).toBe(
		"See this (https://a.example)\n\n- x",
	);
});

test("a fallback keeps its quotation marks", () => {
	expect(variable("first_name")).toBe("{{ first_name }}");
	expect(variable("first_name", "there")).toBe('{{ first_name | default: "there" }}');
	expect(variable("first_name", 'the "boss"')).toBe(`{{ first_name | default: 'the "boss"' }}`);
});

test("each link counts once", () => {
	expect(linksOf('<p><a href="https://a.example">a</a> <a href="mailto:x@y.example">b</a></p>', null)).toEqual([
		"https://a.example",
	]);
	expect(linksOf(null, "see https://a.example/x, and https://a.example/x,")).toEqual(["https://a.example/x"]);
});

test.each([
	['<p style="color: red" class=x onclick="alert(1)">a &lt; b</p>', "<p>a &lt; b</p>"],
	["<!--StartFragment--><b title='a > b'>c</b><br/>", "<!--StartFragment--><b>c</b><br>"],
	[
		'<a target="_blank" href="https://a.example/?b=1&amp;c" rel=x>d</a>',
		'<a href="https://a.example/?b=1&amp;c">d</a>',
	],
	["<a HREF=https://a.example/>d</a>", "<a HREF=https://a.example/>d</a>"],
	["<style>p { color: red }</style><script>alert('<p>')</script>e", "e"],
	[
		'<p data-pm-slice="1 1 []">f <span data-variable="first_name" data-fallback="" class="chip">g</span></p>',
		'<p data-pm-slice="1 1 []">f <span data-variable="first_name" data-fallback="">g</span></p>',
	],
])("%s is pasted as %s", (html, clean) => expect(cleanPaste(html)).toBe(clean));

test.each([
	["<ul><li><p>a</p></li></ul><p></p>", "<ul><li><p>a</p></li></ul>"],
	["<p>a</p><p></p><p>b</p><p></p><p><br></p>", "<p>a</p><p></p><p>b</p>"],
	["<p></p>", ""],
])("%s ends as %s", (html, end) => expect(withoutEnd(html)).toBe(end));
