package classify

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jhillyerd/enmime/v2"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/charmap"
)

// The character sets that are tried on text that is not in the one that it names,
// likelier ones first.
var guesses = []string{
	"windows-1252", "windows-1251", "koi8-r", "windows-1250", "windows-1253", "windows-1254", "windows-1255",
	"gb18030", "shift_jis", "euc-jp", "euc-kr", "big5",
}

// doubtful reports whether a text may not be in the stated character set: decoding lost characters,
// or no stated character set fits the bytes.
func doubtful(p *enmime.Part) bool {
	if p.FirstChild != nil || !readable(strings.ToLower(p.ContentType)) || isASCII(p.Content) {
		return false
	}
	if bytes.ContainsRune(p.Content, utf8.RuneError) || !utf8.Valid(p.Content) || bytes.IndexByte(p.Content, 0x1b) >= 0 {
		return true
	}
	switch strings.ToLower(p.Charset) {
	case "", "us-ascii", "ascii", "iso-8859-1", "windows-1252", "latin1":
		return true
	}
	return false
}

func isASCII(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf || r == 0x1b })
}

// relabelled matches the charset parameters of a message.
var relabelled = regexp.MustCompile(`(?i)charset\s*=\s*"?[\w.:+-]+"?`)

// asBytes returns the message with every part labelled ISO-8859-1, so that the MIME
// parser keeps each byte as one character.
func asBytes(raw []byte) []byte {
	return relabelled.ReplaceAll(raw, []byte("charset=iso-8859-1"))
}

// guess decodes text whose characters are bytes (asBytes) by the likeliest character set. stated is
// the one that the message names.
func guess(text, stated string) string {
	raw, err := charmap.ISO8859_1.NewEncoder().String(text)
	if err != nil {
		if raw, err = charmap.Windows1252.NewEncoder().String(text); err != nil {
			return text
		}
	}
	if utf8.ValidString(raw) && !strings.ContainsRune(raw, 0x1b) {
		return raw
	}
	if mostlyUTF8(raw) {
		return strings.ToValidUTF8(raw, "\uFFFD")
	}
	best, points := text, -1.0
	for _, label := range append([]string{stated, "iso-2022-jp"}, guesses...) {
		if label == "" || strings.EqualFold(label, "utf-8") || label == "iso-2022-jp" && !strings.ContainsRune(raw, 0x1b) {
			continue
		}
		decoded, ok := decode(raw, label)
		if !ok {
			continue
		}
		got := plausible(decoded)
		if label == stated {
			got += 0.05
		}
		if got > points {
			best, points = decoded, got
		}
	}
	return best
}

// mostlyUTF8 reports whether nearly all characters outside ASCII are valid UTF-8.
func mostlyUTF8(raw string) bool {
	good, bad := 0, 0
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRuneInString(raw[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			good++
		}
		i += size
	}
	return good > 4*bad
}

func decode(raw, label string) (string, bool) {
	r, err := charset.NewReaderLabel(label, strings.NewReader(raw))
	if err != nil {
		return "", false
	}
	decoded, err := io.ReadAll(r)
	return string(decoded), err == nil
}

// plausible rates how much decoded text looks like words, from 0 to 1: letters of
// one script, few capitals inside words, nothing undefined.
func plausible(text string) float64 {
	good, all := 0.0, 0.0
	var before rune
	script := map[*unicode.RangeTable]int{}
	latin := 0
	for _, r := range clip(text, 8<<10) {
		if r < utf8.RuneSelf {
			if r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
				latin++
			}
			before = r
			continue
		}
		all++
		switch {
		case r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Co, r):
			good -= 2
		case !unicode.IsLetter(r):
			good += punctuationWorth(r)
		case unicode.IsUpper(r) && unicode.IsLower(before):
			good-- // a capital inside a word
		default:
			good += frequent(r)
			for _, table := range scripts {
				if unicode.Is(table, r) {
					script[table]++
				}
			}
		}
		before = r
	}
	if all == 0 {
		return 0
	}
	most := 0
	for table, n := range script {
		if table == unicode.Latin && n > latin { // words of accented letters only
			good -= float64(n) * 0.8
		}
		most = max(most, n)
	}
	return good / all * (0.5 + 0.5*float64(most)/all)
}

var scripts = []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Hebrew, unicode.Han,
	unicode.Hangul, unicode.Hiragana}

// usual holds the letters that are frequent in their script.
const usual = "оеаинтсрвлкмдпуявзыбэйшюцщіїєґäöüßéèêàçñáíóúãõåæøąćęłńóśźżěščřžýůďťňőűăâîșțşğıαοιετσνηυρπκμλςάέήίόύώאהוילמרתבשנ" +
	"ский"

func frequent(r rune) float64 {
	switch {
	case strings.ContainsRune(usual, r):
		return 1
	case r >= 0x3040 && r <= 0x30ff:
		return 1
	case r >= 0x4e00 && r <= 0x9fff:
		return 0.85
	case r >= 0xac00 && r <= 0xd7a3:
		return 0.9
	}
	return 0.6
}

func punctuationWorth(r rune) float64 {
	if strings.ContainsRune("–—‘’“”„«»…€§°·\u00a0。、！？，", r) {
		return 0.8
	}
	return 0
}
