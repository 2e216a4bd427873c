package classify

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// The tables hold every word and phrase that the package knows. docs/reference.md#phrase-tables
// describes their form.
//
//go:embed tables/*.txt
var tables embed.FS

// entry is one line of a table.
type entry struct {
	list     string // the heading that it stands under
	label    string // the words behind the heading
	language string
	source   string
	phrase   string
}

// readTable returns the entries of one table in their order. It panics on a
// malformed line: the tables are part of the program, and a test reads them all.
func readTable(name string) (entries []entry) {
	text, err := tables.ReadFile("tables/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	list, label := "", ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			heading, rest, closed := strings.Cut(line[1:], "]")
			if !closed {
				panic(fmt.Sprintf("%s.txt: heading is not closed: %s", name, line))
			}
			list, label = heading, strings.TrimSpace(rest)
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 3 || list == "" || fields[0] == "" || fields[1] == "" || fields[2] == "" {
			panic(fmt.Sprintf("%s.txt: want language, source and phrase, separated by tabs: %q", name, line))
		}
		entries = append(entries, entry{list, label, fields[0], fields[1], fields[2]})
	}
	return entries
}

// phrase is one spelling of an entry, prepared for the search.
type phrase struct {
	*entry
	order  int // of the entry in its table
	pieces []piece
}

// piece is a run of words. Between two pieces there are at most maxGap bytes of the same sentence.
type piece struct {
	text string
	open bool // the last word may go on
}

const maxGap = 60

// lexicon finds phrases in prepared text. Phrases are indexed by their heads: their first bytes, at most headLength.
type lexicon struct {
	heads map[uint32][]phrase
	known [1 << (headBits - 6)]uint64 // a set of hashes of the heads: most texts fail there, without a look at the map
}

const (
	headLength = 4
	headBits   = 14 // of a hash
)

// headHash returns where the bit of a head is in the set of hashes.
func headHash(head uint32) (word uint32, bit uint64) {
	hash := head * 2654435769 >> (32 - headBits)
	return hash >> 6, 1 << (hash & 63)
}

// match is a phrase found in prepared text, from byte at to byte end.
type match struct {
	phrase
	at, end int
}

// newLexicon returns a lexicon of entries.
func newLexicon(entries []entry) *lexicon {
	l := &lexicon{heads: map[uint32][]phrase{}}
	for i := range entries {
		for _, spelling := range spellings(entries[i]) {
			l.add(phrase{entry: &entries[i], order: i, pieces: piecesOf(spelling)})
		}
	}
	return l
}

// onceLexicon returns a function that reads lists of a table at its first call; all lists if none
// is named.
func onceLexicon(name string, lists ...string) func() *lexicon {
	return sync.OnceValue(func() *lexicon { return newLexicon(entriesOf(name, lists...)) })
}

// entriesOf returns the entries of lists of a table; all if none is named.
func entriesOf(name string, lists ...string) (kept []entry) {
	for _, e := range readTable(name) {
		if len(lists) == 0 || slices.Contains(lists, e.list) {
			kept = append(kept, e)
		}
	}
	return kept
}

func (l *lexicon) add(p phrase) {
	head := uint32(0)
	for i := range min(headLength, len(p.pieces[0].text)) {
		head |= uint32(p.pieces[0].text[i]) << (8 * i)
	}
	l.heads[head] = append(l.heads[head], p)
	word, bit := headHash(head)
	l.known[word] |= bit
}

// piecesOf splits a spelling at its gaps.
func piecesOf(spelling string) (pieces []piece) {
	spelling = strings.ReplaceAll(strings.ReplaceAll(spelling, "* ...", "*..."), "* ", "*...")
	for text := range strings.SplitSeq(spelling, "...") {
		text = strings.TrimSpace(text)
		body, open := strings.CutSuffix(text, "*")
		body = strings.TrimSpace(prepare(body))
		if body == "" {
			panic(fmt.Sprintf("a phrase with an empty part: %q", spelling))
		}
		pieces = append(pieces, piece{body, open})
	}
	return pieces
}

// spellings expands the choices of a phrase: "{a|b} c" is "a c" and "b c". German
// words with an umlaut are also found in the spelling without it.
func spellings(e entry) []string {
	all := choices(e.phrase)
	if e.language == "de" && strings.ContainsAny(e.phrase, "äöüÄÖÜ") {
		for _, s := range all[:len(all):len(all)] {
			all = append(all, strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue").Replace(s))
		}
	}
	return all
}

func choices(s string) []string {
	before, rest, found := strings.Cut(s, "{")
	if !found {
		return []string{s}
	}
	inner, after, closed := strings.Cut(rest, "}")
	if !closed {
		panic(fmt.Sprintf("a choice is not closed: %q", s))
	}
	var all []string
	for choice := range strings.SplitSeq(inner, "|") {
		for _, tail := range choices(after) {
			all = append(all, before+choice+tail)
		}
	}
	return all
}

// each calls visit for every phrase found in prepared text, in the order of their starts, until
// visit returns false.
func (l *lexicon) each(text string, visit func(match) bool) {
	word := false // the byte before belongs to a word
	for at := 0; at < len(text); {
		c := text[at]
		if c < utf8.RuneSelf {
			now := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
			if (!word || !now) && c != ' ' && !l.visitAt(text, at, visit) {
				return
			}
			word = now
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		now := wordRune(r)
		if (!word || !now || ideographic(r)) && !l.visitAt(text, at, visit) {
			return
		}
		word = now && !ideographic(r)
		at += size
	}
}

// visitAt visits the phrases that begin at a byte, those with longer heads first.
func (l *lexicon) visitAt(text string, at int, visit func(match) bool) bool {
	head, n := uint32(0), min(headLength, len(text)-at)
	for i := range n {
		head |= uint32(text[at+i]) << (8 * i)
	}
	for ; n > 0; n-- {
		if word, bit := headHash(head); l.known[word]&bit != 0 {
			all := l.heads[head]
			for i := range all {
				if end, ok := all[i].matches(text, at); ok && !visit(match{all[i], at, end}) {
					return false
				}
			}
		}
		head &= 1<<(8*(n-1)) - 1
	}
	return true
}

// matches reports whether the phrase begins at a byte, and returns where it ends.
func (p *phrase) matches(text string, at int) (end int, ok bool) {
	end, ok = p.pieces[0].at(text, at)
	for _, next := range p.pieces[1:] {
		if !ok {
			return 0, false
		}
		end, ok = next.after(text, end)
	}
	return end, ok
}

func (p piece) at(text string, at int) (end int, ok bool) {
	if !strings.HasPrefix(text[at:], p.text) {
		return 0, false
	}
	end = at + len(p.text)
	if endsWord(text, end) {
		return end, true
	}
	if !p.open {
		return 0, false
	}
	for end < len(text) && !endsWord(text, end) {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return end, true
}

// after looks for the piece within maxGap bytes, inside the sentence.
func (p piece) after(text string, from int) (end int, ok bool) {
	window := text[from:min(len(text), from+maxGap+len(p.text))]
	if stop := strings.IndexAny(window, "?!\n"); stop >= 0 {
		window = window[:stop]
	}
	for at := 0; ; {
		found := strings.Index(window[at:], p.text)
		if found < 0 {
			return 0, false
		}
		at += found
		if startsWord(text, from+at) {
			if end, ok := p.at(text, from+at); ok {
				return end, true
			}
		}
		at++
	}
}

// first returns the first phrase found in prepared text.
func (l *lexicon) first(text string) (found match, ok bool) {
	l.each(text, func(m match) bool {
		found, ok = m, true
		return false
	})
	return found, ok
}

// has reports whether text, which is prepared first, contains any phrase.
func (l *lexicon) has(text string) bool {
	_, ok := l.first(prepare(text))
	return ok
}

// openingMarks are the marks before the first word of a text.
const openingMarks = " .,;:?!()[]\"'<>#=+~|\n"

// opens returns the phrase at the start of text, after punctuation.
func (l *lexicon) opens(text string) (found match, ok bool) {
	text = strings.TrimLeft(prepare(text), openingMarks)
	if text == "" {
		return match{}, false
	}
	l.visitAt(text, 0, func(m match) bool {
		if !ok || m.end > found.end {
			found, ok = m, true
		}
		return true
	})
	return found, ok
}
