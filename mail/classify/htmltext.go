package classify

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// blockTags end the line that they stand on.
var blockTags = map[string]bool{
	"p": true, "div": true, "br": true, "tr": true, "li": true, "ul": true, "ol": true, "table": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "pre": true, "blockquote": true, "hr": true,
}

// silentTags have no visible content.
var silentTags = map[string]bool{"style": true, "script": true, "head": true, "title": true}

// htmlText converts HTML to plain text in one pass without building a tree, so that deep nesting
// costs nothing. Quoted blocks get the "> " of plain mail.
func htmlText(source string) string {
	w := htmlWriter{}
	z := html.NewTokenizer(strings.NewReader(clip(source, maxText)))
	for {
		switch z.Next() {
		case html.ErrorToken:
			w.flush()
			return w.out.String()
		case html.TextToken:
			if w.silent == 0 {
				w.write(string(z.Text()))
			}
		case html.StartTagToken:
			name, _ := z.TagName()
			w.tag(string(name), 1)
		case html.EndTagToken:
			name, _ := z.TagName()
			w.tag(string(name), -1)
		case html.SelfClosingTagToken:
			name, _ := z.TagName()
			w.tag(string(name), 0)
		}
	}
}

type htmlWriter struct {
	out    strings.Builder
	line   strings.Builder
	quoted int
	silent int
	gap    bool // white space is due before the next character
}

func (w *htmlWriter) tag(name string, step int) {
	if blockTags[name] && (w.line.Len() > 0 || name == "br") {
		w.flush()
	}
	switch {
	case name == "blockquote":
		w.quoted = max(0, min(5, w.quoted+step))
	case name == "hr" && step >= 0:
		w.line.WriteString("________________________________")
		w.flush()
	case silentTags[name]:
		w.silent = max(0, w.silent+step)
	case name == "body":
		w.silent = 0
	}
}

// write collapses white space as a browser does, so that a word split over
// several tags stays one word.
func (w *htmlWriter) write(text string) {
	for _, r := range text {
		if unicode.IsSpace(r) {
			w.gap = w.line.Len() > 0
			continue
		}
		if w.gap {
			w.line.WriteByte(' ')
			w.gap = false
		}
		w.line.WriteRune(r)
	}
}

func (w *htmlWriter) flush() {
	w.out.WriteString(strings.Repeat("> ", w.quoted))
	w.out.WriteString(w.line.String())
	w.out.WriteByte('\n')
	w.line.Reset()
	w.gap = false
}
