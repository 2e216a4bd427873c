package classify

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// prepare returns text in the form in which phrases are searched: lower case, without accents, one
// space between words, hyphens as spaces, straight apostrophes and ASCII punctuation. A wrapped
// line is joined with the next one. Every other line end stays, because it ends a sentence.
//
// Phrases of the tables are prepared in the same way.
func prepare(text string) string {
	p := preparer{}
	p.out.Grow(len(text))
	for text != "" {
		line, rest, more := strings.Cut(text, "\n")
		p.line(line)
		if more {
			p.lineEnd(line, rest)
		}
		text = rest
	}
	return p.out.String()
}

// preparer builds the prepared text.
type preparer struct {
	out   strings.Builder
	gap   bool // a space is due before the next word
	last  byte // the last byte written
	width int  // of the longest line of the paragraph so far
	greek bool // the last letter was Greek, whose question mark is a semicolon
}

// shortLine is the length up to which a line counts as ended by its author.
const shortLine = 30

// lineEnd decides whether a line was wrapped: the first word of the next line would not have fitted
// into the width of the paragraph.
func (p *preparer) lineEnd(line, rest string) {
	line = strings.TrimSpace(line)
	next, _, _ := strings.Cut(rest, "\n")
	first, _, _ := strings.Cut(strings.TrimSpace(next), " ")
	p.width = max(p.width, len(line), len(strings.TrimSpace(next)))
	if len(line) > shortLine && first != "" && len(line)+1+len(first) > p.width {
		p.gap = true
		return
	}
	if first == "" {
		p.width = 0
	}
	if p.last != '\n' && p.last != 0 {
		p.write('\n')
	}
	p.gap = false
}

func (p *preparer) write(b byte) {
	p.out.WriteByte(b)
	p.last = b
}

func (p *preparer) line(line string) {
	for len(line) > 0 {
		if c := line[0]; c < utf8.RuneSelf {
			if (c == 'e' || c == 'E') && len(line) > 5 && line[1] == '-' && strings.EqualFold(line[2:6], "mail") {
				p.word("e")
				line = line[2:]
				continue
			}
			p.ascii(c)
			line = line[1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(line)
		p.rune(r)
		line = line[size:]
	}
	p.gap = p.gap || p.last != 0 && p.last != '\n'
}

func (p *preparer) ascii(c byte) {
	switch {
	case c >= 'A' && c <= 'Z':
		p.letter(c + 'a' - 'A')
	case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		p.letter(c)
	case c == '\'' || c == '`':
		p.letter('\'')
	case c <= ' ' || c == '-' || c == '_' || c == '/' || c == '*':
		p.gap = true
	case strings.IndexByte(".,;:?!)", c) >= 0:
		if c == ';' && p.greek {
			c = '?'
		}
		p.gap = false
		p.write(c)
		p.gap = true
	default:
		p.letter(c)
	}
}

func (p *preparer) letter(c byte) {
	p.space()
	p.write(c)
	p.greek = false
}

func (p *preparer) word(s string) {
	p.space()
	p.out.WriteString(s)
	p.last = s[len(s)-1]
	p.greek = s[0] == 0xCE || s[0] == 0xCF
}

// space writes the space that is due, unless a line or the text begins here.
func (p *preparer) space() {
	if p.gap && p.last != 0 && p.last != '\n' && p.last != ' ' && p.last != '(' {
		p.write(' ')
	}
	p.gap = false
}

// marks maps punctuation of other scripts to that of ASCII.
var marks = map[rune]byte{
	'’': '\'', '‘': '\'', '´': '\'', 'ʼ': '\'', '′': '\'', '“': '"', '”': '"', '„': '"', '«': '"', '»': '"',
	'。': '.', '．': '.', '、': ',', '，': ',', '？': '?', '！': '!', '：': ':', '；': ';', '（': '(', '）': ')', '\u037e': '?', '؟': '?',
	'–': ' ', '—': ' ', '‐': ' ', '‑': ' ', '−': ' ', '¿': '.', '¡': ' ', '…': '.', '•': ' ', '·': ' ', '「': '"', '」': '"',
}

// letters maps letters without a decomposition to those that people write who do not have the key.
var plainLetters = map[rune]string{'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ı': "i", 'ς': "σ"}

func (p *preparer) rune(r rune) {
	r = unicode.ToLower(r)
	if mark, ok := marks[r]; ok {
		p.ascii(mark)
		return
	}
	if plain, ok := plainLetters[r]; ok {
		p.word(plain)
		return
	}
	switch {
	case r >= 0xFF10 && r <= 0xFF5E: // full width
		p.ascii(byte(r - 0xFEE0))
	case unicode.Is(unicode.Mn, r) || r == 0xAD || r >= 0x200B && r <= 0x200F || r == 0xFEFF:
	case unicode.IsSpace(r):
		p.gap = true
	case r < 0x2000 && unicode.IsLetter(r):
		base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
		p.word(string(base))
	default:
		p.word(string(r))
	}
}

// ideographic reports whether a script writes its words without spaces.
func ideographic(r rune) bool {
	return r >= 0x2E80 && r < 0xA000 || r >= 0xF900 && r < 0xFB00 || r >= 0x20000 && r < 0x32000
}

// wordRune reports whether r is part of a word in prepared text.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// startsWord reports whether a word of prepared text begins at a byte.
func startsWord(text string, at int) bool {
	if at == 0 {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	if !wordRune(before) || ideographic(before) {
		return true
	}
	after, _ := utf8.DecodeRuneInString(text[at:])
	return ideographic(after) || !wordRune(after)
}

// endsWord reports whether a word of prepared text ends before a byte.
func endsWord(text string, at int) bool {
	return at >= len(text) || startsWord(text, at)
}
