package classify

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// ruled is a line that begins like a horizontal rule.
var ruled = regexp.MustCompile(`^[\s>]*[-=_*#.]{2,}`)

// returnedMark reports whether a line introduces a returned message.
func returnedMark(line string) bool {
	if len(line) > 200 {
		return false
	}
	if ruled.MatchString(line) && returnedRule().has(line) {
		return true
	}
	line = strings.Trim(prepare(line), " .>")
	found, ok := returnedLine().opens(line)
	return ok && found.end == len(line)
}

// returnedFields are the fields that open the header of a returned message.
var returnedFields = map[string]bool{
	"received": true, "return-path": true, "dkim-signature": true, "message-id": true, "mime-version": true, "from": true, "to": true,
	"date": true, "subject": true, "content-type": true, "envelope-to": true, "delivered-to": true,
}

// returnedField reports whether a line is such a field.
func returnedField(line string) bool {
	name, value, ok := field(strings.TrimRight(line, "\r"))
	name = strings.ToLower(name)
	return ok && value != "" && (returnedFields[name] || strings.HasPrefix(name, "x-"))
}

// notice returns the text of a bounce for people, without the returned message.
func (m *Message) notice() string {
	text := m.Text
	if strings.TrimSpace(text) == "" {
		text = tidy(m.body())
	}
	lines := strings.Split(clip(text, 64<<10), "\n")
	for i, line := range lines {
		if i > 0 && (returnedMark(line) || returnedHeader(lines, i)) {
			return strings.Join(lines[:i], "\n")
		}
	}
	return strings.Join(lines, "\n")
}

// returnedHeader reports whether a message header begins at line i: a field that only headers have,
// with two more in the next eight lines.
func returnedHeader(lines []string, i int) bool {
	lower := strings.ToLower(lines[i])
	if !strings.HasPrefix(lower, "received:") && !strings.HasPrefix(lower, "return-path:") &&
		!strings.HasPrefix(lower, "message-id:") && !strings.HasPrefix(lower, "dkim-signature:") && !strings.HasPrefix(lower, "x-") {
		return false
	}
	fields := 0
	for _, line := range lines[i+1 : min(len(lines), i+9)] {
		if returnedField(line) {
			fields++
		}
	}
	return fields >= 2
}

// fromNotice returns the recipients of a notice in words, each judged by the lines about it.
func (m *Message) fromNotice(e evidence) []Recipient {
	list := m.noticeAddresses(e)
	if len(list) == 0 {
		return []Recipient{m.fromLines("", e.notice)}
	}
	recipients := make([]Recipient, 0, len(list))
	lines := passagesOf(e.notice)
	for _, address := range list {
		text := e.notice
		if len(list) > 1 {
			text = lines.about(address)
		}
		recipients = append(recipients, m.fromLines(address, text))
	}
	return recipients
}

var (
	// Chinese and Japanese texts put an address between wide marks.
	anyAddress   = regexp.MustCompile(`[^\s<>"'()\[\],;:=|（：，]+@[^\s<>"'()\[\],;:|）：，。]+\.[^\s<>"'()\[\],;:.|）：，。]+`)
	namedAddress = regexp.MustCompile(`[^\s<>"'()\[\],;:（：，]+@[^\s<>"'()\[\],;:）：，。]+`)
	onlyCode     = regexp.MustCompile(`^[45]\d\d[ -]*$`)
)

// introduced returns the address at the start of a line, after a label or a reply code. Notices
// list failed recipients in this way.
func introduced(line string) string {
	at := namedAddress.FindStringIndex(line)
	if at == nil || at[0] > 100 {
		return ""
	}
	at[0] += labelBefore(line[at[0]:at[1]])
	before := strings.Trim(line[:at[0]], " \t>*\"'(<[•-")
	if before == "" || onlyCode.MatchString(before) {
		return line[at[0]:at[1]]
	}
	before = strings.TrimSpace(prepare(before))
	if found, ok := recipientLabel().opens(before); !ok || found.end != len(before) {
		return ""
	}
	return line[at[0]:at[1]]
}

// labelBefore returns the length of a label of a script without spaces right before an address.
func labelBefore(address string) (length int) {
	for length < len(address) {
		r, size := utf8.DecodeRuneInString(address[length:])
		if !ideographic(r) {
			break
		}
		length += size
	}
	return length
}

// noticeAddresses returns the failed recipients: those in X-Failed-Recipients, else those at the
// start of lines of the notice, else the first address that is not ours.
func (m *Message) noticeAddresses(e evidence) []string {
	if len(e.failed) > 0 {
		return e.failed
	}
	own := map[string]bool{strings.ToLower(m.From): true}
	for _, to := range m.To {
		own[strings.ToLower(to)] = true
	}
	if listed := listedAddresses(afterMark(e.notice), own); len(listed) > 0 {
		return listed
	}
	if listed := listedAddresses(e.notice, own); len(listed) > 0 {
		return listed
	}
	for _, address := range anyAddress.FindAllString(e.notice, 20) {
		address = address[labelBefore(address):]
		if !own[strings.ToLower(address)] {
			return []string{address}
		}
	}
	return nil
}

// afterMark returns the text below the sentence that introduces a list of failed recipients.
func afterMark(notice string) string {
	for rest := notice; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if listMark().has(line) {
			return rest
		}
	}
	return ""
}

func listedAddresses(text string, own map[string]bool) []string {
	var listed []string
	for line := range strings.Lines(text) {
		address := introduced(line)
		if strings.Contains(address, ".") && !own[strings.ToLower(strings.TrimRight(address, "."))] {
			listed = append(listed, address)
		}
	}
	listed = unique(listed)
	return listed[:min(len(listed), maxRecipients)]
}

// passages are the lines of a notice, parsed once for all its recipients.
type passages []passage

// passage is a line with its addresses and the part of an SMTP session before it.
type passage struct {
	line, session string
	named         []string
	opens         bool // a session begins here
}

func passagesOf(notice string) (all passages) {
	session := ""
	for line := range strings.Lines(notice) {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.Contains(strings.ToLower(line), "while talking to"):
			all = append(all, passage{opens: true})
			session = line
			continue
		case session != "" && (strings.HasPrefix(trimmed, ">>>") || strings.HasPrefix(trimmed, "<<<")):
			session += line
			continue
		}
		p := passage{line: line, named: anyAddress.FindAllString(line, 5)}
		if len(p.named) > 0 {
			p.session, session = session, ""
		}
		all = append(all, p)
	}
	return all
}

// about returns the lines about one of several recipients: from each line that names it to the next
// line that names another, and the part of an SMTP session before it.
func (all passages) about(address string) string {
	var kept strings.Builder
	concerned := false
	for _, p := range all {
		if p.opens || len(p.named) > 0 {
			concerned = containsFold(p.named, address)
		}
		if concerned {
			kept.WriteString(p.session + p.line)
		}
	}
	return kept.String()
}

func containsFold(list []string, s string) bool {
	for _, item := range list {
		if strings.EqualFold(strings.TrimRight(item, "."), strings.TrimRight(s, ".")) {
			return true
		}
	}
	return false
}

// refusedAtSender is the part of an SMTP session in which MAIL FROM was refused.
var refusedAtSender = regexp.MustCompile(`(?i)>>> mail from:[^\n]*\n\s*<<< [45]`)

// blameSender corrects a verdict of "no such user" or "no such domain" if the server refused our
// own address.
func blameSender(found sorted, text string) sorted {
	if found.class == RecipientFault && (atSender().has(text) || refusedAtSender.MatchString(text)) {
		return sorted{class: SenderFault, reason: "our sender address was refused"}
	}
	return found
}

// fromLines classifies one recipient by the lines about it.
func (m *Message) fromLines(address, text string) Recipient {
	said := serverSaid(text)
	r := Recipient{Address: address, Diagnostic: said, Status: findStatus(said)}
	found := sortRefusal(findCode(said), r.Status, said)
	if found.weak {
		if wider := sortRefusal(findCode(text), findStatus(text), text); !wider.weak || said == "" {
			found = wider
		}
	}
	if found.weak && r.Status == "" {
		if inner := m.innerReply(); inner != "" {
			found = sortRefusal(findCode(inner), findStatus(inner), inner)
			r.Status, r.Diagnostic = findStatus(inner), inner
		}
	}
	if r.Status == "" {
		r.Status = findStatus(text)
	}
	if r.Diagnostic == "" {
		r.Diagnostic = lastLines(text)
	}
	found = blameSender(found, text)
	r.Class, r.Reason = found.class, found.reason
	r.stillTried(!m.final(text, r))
	return r
}

// final reports whether a notice in words says that delivery has failed for good. A 5xx reply says
// so too, unless the notice is about a delay: then it is the reply to the last attempt.
func (m *Message) final(text string, r Recipient) bool {
	if m.delayed(text) {
		return false
	}
	status, _, _ := splitStatus(r.Status)
	return status == 5 || findCode(r.Diagnostic)/100 == 5 || finalForm().has(m.Subject) || finalForm().has(unwrap(text))
}

// delayed reports whether the subject or the notice says that delivery is still
// being tried.
func (m *Message) delayed(text string) bool {
	return saysDelay(m.Subject) || saysDelay(unwrap(text)) || saysDelay(unwrap(clip(m.Text, 2<<10)))
}

// stillTried records whether delivery is still being tried. If it is, the address is not dead,
// whatever the answer to the last attempt was.
func (r *Recipient) stillTried(delayed bool) {
	r.Delayed = delayed
	if delayed && r.Class == RecipientFault {
		r.Class, r.Reason = Transient, "delivery is still being tried"
	}
}

// unwrap joins the lines of each paragraph, so that phrases with a line break inside are found.
func unwrap(text string) string {
	paragraphs := strings.Split(clip(text, 16<<10), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(paragraphs, "\n")
}

// strictReply matches a reply that cannot be confused with other text.
var strictReply = regexp.MustCompile(
	`(?m)(?:said: |<<< |smtp; ?|reason: |^)([45][0-5]\d[ -]#?[45]\.\d{1,3}\.\d{1,3}\b.*|[45][0-5]\d[ -]<?[^\s@]+@.*)`)

// innerReply looks for a server's reply in the returned message, because some mailers wrap one
// bounce into another. It looks once for all recipients.
func (m *Message) innerReply() string {
	if m.inner == nil {
		m.inner = new(string)
		for _, p := range m.parts {
			if found := strictReply.FindStringSubmatch(p.text); found != nil {
				*m.inner = strings.TrimSpace(found[1])
				break
			}
		}
	}
	return *m.inner
}

var (
	replyLine = regexp.MustCompile(`(?:^|[^\w.\-/:\[])([45][0-5]\d[ \-:]+(?:#?[45]\.\d{1,3}\.\d{1,3})?.*|#?\(?#?[45]\.\d{1,3}\.\d{1,3}\b.*)`)
)

// serverSaid returns the reply of the refusing server inside a notice: from the first line with a
// reply or status code to the end of its paragraph.
func serverSaid(text string) string {
	for rest := text; rest != ""; {
		line, below, _ := strings.Cut(rest, "\n")
		if saidMark().has(line) {
			if said := serverReply(rest); said != "" {
				return said
			}
			break
		}
		rest = below
	}
	return serverReply(text)
}

func serverReply(text string) string {
	var said []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if len(said) > 0 {
			if line == "" || len(said) > 12 {
				break
			}
			said = append(said, line)
			continue
		}
		if found := replyLine.FindStringSubmatch(line); found != nil {
			if strings.HasSuffix(line, found[1]) && strings.HasPrefix(found[1], "(#") {
				return line // qmail puts the code after the words
			}
			said = append(said, strings.TrimSpace(found[1]))
		}
	}
	return strings.Join(said, "\n")
}

// lastLines returns the end of the lines about a recipient, if they have no reply.
func lastLines(text string) string {
	return clip(strings.TrimSpace(text), 500)
}
