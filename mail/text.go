package mail

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// PlainText returns the text of an HTML body as a person would write it: a blank line between
// paragraphs, a dash or a number before list items, and after a link its address, unless the text
// contains it already. Links within the page and telephone numbers are only their text. A text
// without HTML stays almost unchanged.
func PlainText(page string) string {
	var w textWriter
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return w.text()
		case html.TextToken:
			w.write(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			tok := z.Token()
			w.start(&tok)
		case html.EndTagToken:
			tok := z.Token()
			w.end(tok.DataAtom)
		}
	}
}

// HasText reports whether an HTML body shows any text other than white space and invisible
// characters.
func HasText(page string) bool {
	var w textWriter
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return false
		case html.TextToken:
			if w.hidden == 0 && strings.ContainsFunc(string(z.Text()), visible) {
				return true
			}
		case html.StartTagToken:
			if name, _ := z.TagName(); hides(atom.Lookup(name)) {
				w.hidden++
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); hides(atom.Lookup(name)) {
				w.hidden = max(w.hidden-1, 0)
			}
		}
	}
}

// visible reports whether a rune can be seen. Some letters are blank: fillers of Hangul and the
// blank pattern of Braille.
func visible(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u2800', '\u3164', '\uffa0', '\ufffc':
		return false
	}
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Mn, r)
}

func hides(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Title, atom.Template, atom.Noscript, atom.Iframe, atom.Object:
		return true
	}
	return false
}

// textWriter writes the text of a page.
type textWriter struct {
	out    strings.Builder
	breaks int    // line ends wanted before the next word
	space  bool   // a blank is wanted before the next word
	hidden int    // open tags whose content is not shown
	pre    int    // open tags that keep white space
	lists  []int  // open lists: the number of the last item, dashes for one with dashes
	target string // of the open link
	linked int    // where its text begins in out, plus one; 0 without one
}

// dashes stands for the number of the last item where items have none.
const dashes = -1

// maxLists bounds the lists that are open at a time.
const maxLists = 100

func (w *textWriter) write(text string) {
	if w.hidden > 0 {
		return
	}
	if w.pre > 0 {
		for i, line := range strings.Split(strings.ReplaceAll(text, "\r", ""), "\n") {
			if i > 0 {
				w.breakLine(w.breaks + 1)
			}
			w.put(line)
		}
		return
	}
	for text != "" {
		rest := strings.TrimLeftFunc(text, htmlSpace)
		w.space = w.space || len(rest) < len(text)
		end := strings.IndexFunc(rest, htmlSpace)
		if end < 0 {
			end = len(rest)
		}
		w.put(rest[:end])
		text = rest[end:]
	}
}

// htmlSpace reports whether a rune is white space in HTML, which collapses. A no-break space
// becomes an ordinary one.
func htmlSpace(r rune) bool {
	return r == ' ' || r == '\t' || r == '\n' || r == '\f' || r == '\r' || r == '\u00a0'
}

// put writes a word and the pending space or line breaks before it.
func (w *textWriter) put(word string) {
	if word == "" {
		return
	}
	switch {
	case w.out.Len() == 0:
	case w.breaks > 0:
		w.out.WriteString(strings.Repeat("\n", w.breaks))
	case w.space:
		w.out.WriteByte(' ')
	}
	w.out.WriteString(word)
	w.breaks, w.space = 0, false
}

// breakLine requires n line breaks before the next word.
func (w *textWriter) breakLine(n int) {
	if n == 0 {
		return
	}
	w.breaks, w.space = max(w.breaks, n), false
}

func (w *textWriter) start(tok *html.Token) {
	switch tok.DataAtom {
	case atom.Br:
		w.breakLine(min(w.breaks+1, 2))
	case atom.Hr:
		w.breakLine(2)
		w.put("---")
		w.breakLine(2)
	case atom.Img:
		w.image(tok)
	case atom.A:
		w.target, w.linked = attribute(tok, "href"), w.out.Len()+1
	case atom.Ul, atom.Ol:
		w.startList(tok.DataAtom)
	case atom.Li:
		w.item()
	case atom.Td, atom.Th:
		w.space = true
	case atom.Pre:
		w.breakLine(2)
		w.pre++
	default:
		if hides(tok.DataAtom) && tok.Type == html.StartTagToken {
			w.hidden++
		}
		w.breakLine(linesAround(tok.DataAtom))
	}
}

func (w *textWriter) end(tag atom.Atom) {
	switch tag {
	case atom.A:
		w.endLink()
	case atom.Ul, atom.Ol:
		w.lists = w.lists[:max(len(w.lists)-1, 0)]
		w.aroundList()
	case atom.Pre:
		w.pre = max(w.pre-1, 0)
		w.breakLine(2)
	case atom.Td, atom.Th:
		w.space = true
	default:
		if hides(tag) {
			w.hidden = max(w.hidden-1, 0)
		}
		w.breakLine(linesAround(tag))
	}
}

// linesAround returns how many line breaks stand before and after an element.
func linesAround(tag atom.Atom) int {
	switch tag {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote, atom.Table, atom.Dl:
		return 2
	case atom.Div, atom.Section, atom.Article, atom.Header, atom.Footer, atom.Main, atom.Address, atom.Tr, atom.Li, atom.Dt, atom.Dd,
		atom.Center, atom.Body, atom.Figure, atom.Figcaption:
		return 1
	}
	return 0
}

func (w *textWriter) image(tok *html.Token) {
	if alt := strings.TrimSpace(attribute(tok, "alt")); alt != "" {
		w.write(alt)
	}
}

func (w *textWriter) startList(tag atom.Atom) {
	w.aroundList()
	if len(w.lists) == maxLists {
		return
	}
	last := 0
	if tag == atom.Ul {
		last = dashes
	}
	w.lists = append(w.lists, last)
}

// aroundList separates a list from other text, but not from the list that contains it.
func (w *textWriter) aroundList() {
	if len(w.lists) > 0 {
		w.breakLine(1)
		return
	}
	w.breakLine(2)
}

func (w *textWriter) item() {
	w.breakLine(1)
	mark := "-"
	if depth := len(w.lists); depth > 0 {
		if w.lists[depth-1] != dashes {
			w.lists[depth-1]++
			mark = strconv.Itoa(w.lists[depth-1]) + "."
		}
		mark = strings.Repeat("  ", min(depth-1, 10)) + mark
	}
	w.put(mark)
	w.space = true
}

// endLink writes the address of a link behind its text.
func (w *textWriter) endLink() {
	if w.linked == 0 {
		return
	}
	target, shown := strings.TrimSpace(w.target), strings.TrimSpace(w.out.String()[w.linked-1:])
	w.linked = 0
	address := target
	switch u, err := url.Parse(target); {
	case err != nil || w.hidden > 0:
		return
	case strings.EqualFold(u.Scheme, "mailto"):
		if address, err = url.PathUnescape(u.Opaque); err != nil {
			return
		}
	case !webAddress(target):
		return
	}
	if sameAddress(shown, address) {
		return
	}
	w.space = w.space || shown != ""
	if shown == "" {
		w.put(address)
		return
	}
	w.put("(" + address + ")")
}

// sameAddress reports whether the text of a link is its address, with or without the scheme and
// the last slash.
func sameAddress(text, address string) bool {
	bare := func(s string) string {
		s = strings.TrimSuffix(strings.ToLower(s), "/")
		return strings.TrimPrefix(strings.TrimPrefix(s, "https://"), "http://")
	}
	return text != "" && bare(text) == bare(address)
}

func attribute(tok *html.Token, name string) string {
	for _, attr := range tok.Attr {
		if attr.Key == name {
			return attr.Val
		}
	}
	return ""
}

func (w *textWriter) text() string { return strings.TrimSpace(w.out.String()) }
