package classify

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The lists of tables/quote.txt.
var (
	wroteVerb   = onceLexicon("quote", "wrote")
	wroteLead   = onceLexicon("quote", "wrote lead")
	divider     = onceLexicon("quote", "divider")
	fromField   = onceLexicon("quote", "from field")
	headerField = onceLexicon("quote", "from field", "header field")
	deviceLine  = onceLexicon("quote", "device")
)

var (
	// wroteStamp matches what a line that introduces a quotation also contains: a time, a year or
	// an address.
	wroteStamp = regexp.MustCompile(`\d{1,2}[:.h]\d{2}|\b(19|20)\d\d\b|@|\d년|\d年`)
	// stampLead matches an introduction without a verb: date, zone or address.
	stampLead = regexp.MustCompile(`^(19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}\b.{0,40}(GMT|UTC|<\S*@)`)
	// delimiter matches the line above a signature (RFC 3676, section 4.3, and its variants).
	delimiter = regexp.MustCompile(`^(-- ?|—|_{2,40})$`)
	// ruler matches a line of signs, such as one above a header block.
	ruler = regexp.MustCompile(`^(_{2,}|-{2,}|\*{3,}|={3,}|#{3,}|~{3,}|\+{3,}|—)$`)
	// ellipsis matches a mark for left-out parts of a quotation.
	ellipsis = regexp.MustCompile(`^\W*\[?\s*(\.\.\.|…|snip)\s*\]?\W*$`)
	// fieldLine matches a field of a header block: a short label and a value.
	fieldLine = regexp.MustCompile(`^[\s>*]*(\p{L}[\p{L} ]{0,24}?)\*?\s?[:：]\*?\s*(\S.*)?$`)
)

// Split is the text of a message, separated into its parts.
type Split struct {
	// Written is what the author wrote, without quotations, header blocks and signature. It is
	// empty if the message has no other text.
	Written string
	// Unsent is the whole text without what we sent. It may contain an opt-out that is not in
	// Written.
	Unsent string
}

// splitText separates a text into its parts. sent holds the texts of our messages in the thread.
// Their lines are quotations in any form.
func splitText(text string, sent []string) Split {
	q := quotation{lines: strings.Split(text, "\n")}
	q.ours = ownLines(q.lines, sent)
	written := q.scan(true)
	if written == "" {
		written = q.scan(false)
	}
	return Split{Written: written, Unsent: q.unsent()}
}

// quotation is a text that is being split.
type quotation struct {
	lines []string
	ours  []bool // per line: it is a line of what we sent; nil when none is
}

// unsent returns the lines that are not ours.
func (q quotation) unsent() string {
	if q.ours == nil {
		return strings.Join(q.lines, "\n")
	}
	var kept []string
	for i, line := range q.lines {
		if !q.ours[i] {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// scan reads the lines from the top. If strict, unmarked text below a header block or an
// introduction counts as the original. Otherwise only lines that are marked as quoted, and lines
// that we sent, are left out.
func (q quotation) scan(strict bool) string {
	var kept []string
	signed := false // inside a signature
	for i := 0; i < len(q.lines); {
		line := strings.TrimSpace(q.lines[i])
		if q.own(i) || marked(line) {
			i++
			signed = signed && q.own(i-1) // text below a quotation is not a signature
			continue
		}
		if n := q.intro(i); n > 0 {
			signed = false
			i = q.original(i+n, strict)
			continue
		}
		switch {
		case delimiter.MatchString(strings.TrimRight(q.lines[i], " \t")) && len(kept) > 0:
			signed = true
		case isDevice(line):
			signed = signed || len(kept) > 0
		case ellipsis.MatchString(line) && (i == 0 || q.own(i-1)):
		case !signed:
			kept = append(kept, q.lines[i])
		}
		i++
	}
	return join(kept)
}

func (q quotation) own(i int) bool { return q.ours != nil && q.ours[i] }

// marked reports whether a line has the mark of quoted text.
func marked(line string) bool {
	return strings.HasPrefix(line, ">") || strings.HasPrefix(line, "|>") || strings.HasPrefix(line, "＞") || initials.MatchString(line)
}

// initials matches a mark that begins with the initials of a name.
var initials = regexp.MustCompile(`^\p{Lu}{1,4}>`)

// original returns the line at which the author's text may continue after an introduction that ends
// before line i.
func (q quotation) original(i int, strict bool) int {
	start := i
	for i < len(q.lines) && strings.TrimSpace(q.lines[i]) == "" {
		i++
	}
	if i == len(q.lines) {
		return i
	}
	first := strings.TrimSpace(q.lines[i])
	switch {
	case marked(first), ellipsis.MatchString(first) && i+1 < len(q.lines):
		if ellipsis.MatchString(first) {
			i++
		}
		return i
	case q.ours != nil:
		if end := q.afterOwn(i); end > 0 {
			return end
		}
	}
	if mark := q.sharedMark(i); mark != "" {
		for i < len(q.lines) && (strings.HasPrefix(q.lines[i], mark) || strings.TrimSpace(q.lines[i]) == strings.TrimSpace(mark)) {
			i++
		}
		return i
	}
	if !strict {
		return start
	}
	return len(q.lines)
}

// afterOwn returns the line after our text that begins at or soon after line i, or 0 if an
// introduction or the end comes first.
func (q quotation) afterOwn(i int) int {
	for ; i < len(q.lines) && !q.own(i); i++ {
		if q.intro(i) > 0 {
			return i
		}
	}
	for ; i < len(q.lines); i++ {
		if !q.own(i) && strings.TrimSpace(q.lines[i]) != "" {
			return i
		}
	}
	return len(q.lines)
}

// sharedMark returns the mark with which two lines or more begin: signs, or up to
// four letters and a sign.
func (q quotation) sharedMark(i int) string {
	mark := markOf(q.lines[i])
	if mark == "" {
		return ""
	}
	count := 0
	for ; i < len(q.lines) && strings.HasPrefix(q.lines[i], strings.TrimRight(mark, " ")); i++ {
		count++
	}
	if count < 2 {
		return ""
	}
	return strings.TrimRight(mark, " ")
}

var letterMark = regexp.MustCompile(`^\p{L}{1,4}[>|\]:]`)

func markOf(line string) string {
	if found := letterMark.FindString(line); found != "" && !strings.HasSuffix(found, ":") {
		return found
	}
	end := 0
	for end < len(line) {
		r, size := utf8.DecodeRuneInString(line[end:])
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSpace(r) || strings.ContainsRune("\"'([{¿¡„“«", r) {
			break
		}
		end += size
	}
	return line[:min(end, 8)]
}

// intro returns the number of lines at i that introduce a quotation: a divider, a header block or
// "On … X wrote:". It returns 0 if none begins there.
func (q quotation) intro(i int) int {
	line := strings.TrimSpace(q.lines[i])
	if line == "" || len(line) > 300 {
		return 0
	}
	if isDivider(line) {
		return 1 + q.header(i+1)
	}
	if n := q.header(i); n > 0 {
		return n
	}
	if n := q.wrote(i); n > 0 {
		return n
	}
	if q.own(min(i+1, len(q.lines)-1)) || q.own(min(i+2, len(q.lines)-1)) {
		return q.leadsToOwn(i)
	}
	return 0
}

// leadsToOwn returns 1 for a line directly above our text that ends with a colon and contains a
// time or an address, in any language.
func (q quotation) leadsToOwn(i int) int {
	line := strings.TrimSpace(q.lines[i])
	if endsInColon(line) && wroteStamp.MatchString(line) {
		return 1
	}
	return 0
}

func endsInColon(line string) bool {
	return strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：")
}

// isDivider reports whether a line is a divider such as "-----Original Message-----".
func isDivider(line string) bool {
	line = strings.TrimLeft(line, "> *")
	if len(line) > 120 || !strings.HasPrefix(line, "--") && !strings.HasPrefix(line, "__") && !strings.HasSuffix(line, ":") {
		return false
	}
	_, ok := divider().opens(strings.Trim(line, "-_: "))
	return ok
}

// header returns the number of lines of a header block that begins at i, with a
// rule above it, or 0. The block begins with the sender and has two more known
// fields, or three fields in a row of which one names an address or a date.
func (q quotation) header(i int) int {
	start := i
	for i < len(q.lines) && (strings.TrimSpace(q.lines[i]) == "" || ruler.MatchString(strings.TrimSpace(q.lines[i]))) && i < start+3 {
		i++
	}
	if i >= len(q.lines) {
		return 0
	}
	fields, known, last, address := 0, 0, i, false
	fromFirst := false
	for n := i; n < min(len(q.lines), i+12); n++ {
		line := strings.TrimSpace(q.lines[n])
		found := fieldLine.FindStringSubmatch(line)
		if found == nil || len(line) > 400 {
			if line == "" && n > i && fields < 3 && n < i+3 { // blank lines between fields
				continue
			}
			if fields == 0 || line == "" || n > last+1 {
				break
			}
			continue // a long field continues
		}
		label := prepare(found[1])
		fields, last = fields+1, n
		if m, ok := headerField().opens(label); ok && m.end == len(label) {
			known++
		}
		if m, ok := fromField().opens(label); ok && m.end == len(label) && n == i && found[2] != "" {
			fromFirst = true
		}
		address = address || strings.Contains(line, "@") || wroteStamp.MatchString(found[2])
	}
	if fromFirst && known >= 3 || fields >= 3 && known >= 3 && address {
		return last + 1 - start
	}
	return 0
}

// wrote returns the number of lines, up to three, that make up "On … X wrote:", or 0. Some
// telephones write a longer form over more lines.
func (q quotation) wrote(i int) int {
	joined := ""
	for n := 1; n <= 3 && i+n <= len(q.lines); n++ {
		line := strings.TrimSpace(q.lines[i+n-1])
		if line == "" || marked(line) && n == 1 {
			break
		}
		joined += " " + strings.TrimLeft(line, "> ")
		if len(joined) > 300 {
			break
		}
		if n == 1 && stampLead.MatchString(line) && (endsInColon(line) || strings.HasSuffix(line, ">") || q.blankBelow(i+1)) {
			return 1
		}
		closed := endsInColon(line) || strings.HasSuffix(line, "----") || q.markedBelow(i+n)
		if !closed {
			continue
		}
		told := strings.Trim(joined, " -")
		if !wroteStamp.MatchString(told) {
			break
		}
		if stampLead.MatchString(told) {
			return n
		}
		if wroteVerb().has(told) && (n == 1 || q.leads(i)) {
			return n
		}
		if endsInColon(line) {
			break
		}
	}
	return q.spreadWrote(i)
}

// leads reports whether an introduction of several lines may begin with a line.
func (q quotation) leads(i int) bool {
	line := strings.TrimSpace(q.lines[i])
	if !wroteStamp.MatchString(line) {
		return false
	}
	if line[0] >= '0' && line[0] <= '9' || strings.Contains(line, "@") || wroteVerb().has(line) {
		return true
	}
	_, ok := wroteLead().opens(line)
	return ok
}

// spreadWrote finds an introduction whose address is on separate lines.
func (q quotation) spreadWrote(i int) int {
	line := strings.TrimSpace(q.lines[i])
	if len(line) > 80 || !wroteStamp.MatchString(line) {
		return 0
	}
	if _, ok := wroteLead().opens(line); !ok {
		return 0
	}
	for n := i + 1; n < min(len(q.lines), i+8); n++ {
		line := strings.TrimSpace(strings.TrimLeft(q.lines[n], "> "))
		if !endsInColon(line) {
			continue
		}
		verb, ok := wroteVerb().opens(line)
		if ok && verb.end >= len(prepare(line))-1 {
			return n + 1 - i
		}
	}
	return 0
}

func (q quotation) blankBelow(i int) bool {
	return i >= len(q.lines) || strings.TrimSpace(q.lines[i]) == ""
}

// markedBelow reports whether the next line with text is marked as quoted.
func (q quotation) markedBelow(i int) bool {
	for ; i < len(q.lines); i++ {
		if line := strings.TrimSpace(q.lines[i]); line != "" {
			return marked(line)
		}
	}
	return false
}

func isDevice(line string) bool {
	if line == "" || len(line) > 120 {
		return false
	}
	_, ok := deviceLine().opens(line)
	return ok
}

// join joins lines. It removes a rule or sign at the end, which belonged to the part that was cut
// off.
func join(lines []string) string {
	text := strings.TrimSpace(strings.Join(lines, "\n"))
	for {
		at := strings.LastIndexByte(text, '\n')
		last := strings.TrimSpace(text[at+1:])
		if at < 0 || last != "ᐧ" && !ruler.MatchString(last) {
			return text
		}
		text = strings.TrimSpace(text[:at])
	}
}
