package classify

import (
	"regexp"
	"strings"
)

var (
	// returnedMark is the line above a returned message in plain text.
	returnedMark = mustForm(`(?i)^[\s>]*([-=_*#.]{2,}.*\b(copy of|original|returned|unsent|bounced|header|enclosed|below this line)\b.*|message headers? follows?\.?|original message follows\.?|unsent message follows.*|included is a copy of the message header:?|(the )?(original|returned|rejected) message( headers?)?:?|bounced e-?mail:?|-{3,}\s*message header)\s*$`)
	// returnedField is a field that opens the header of a returned message.
	returnedField = regexp.MustCompile(`(?i)^(received|return-path|dkim-signature|message-id|mime-version|x-[a-z-]+|from|to|date|subject|content-type|envelope-to|delivered-to)\s?:\s?\S`)
)

// notice gives the text that a bounce has for people, without the message that
// it returns.
func (m *Message) notice() string {
	text := m.Text
	if strings.TrimSpace(text) == "" {
		text = tidy(m.body())
	}
	lines := strings.Split(clip(text, 64<<10), "\n")
	for i, line := range lines {
		if i > 0 && (returnedMark.MatchString(line) || returnedHeader(lines, i)) {
			return strings.Join(lines[:i], "\n")
		}
	}
	return strings.Join(lines, "\n")
}

// returnedHeader tells whether a message header begins at line i: a field of
// those that only headers have, with two more among the next eight lines.
func returnedHeader(lines []string, i int) bool {
	lower := strings.ToLower(lines[i])
	if !strings.HasPrefix(lower, "received:") && !strings.HasPrefix(lower, "return-path:") &&
		!strings.HasPrefix(lower, "message-id:") && !strings.HasPrefix(lower, "dkim-signature:") && !strings.HasPrefix(lower, "x-") {
		return false
	}
	fields := 0
	for _, line := range lines[i+1 : min(len(lines), i+9)] {
		if returnedField.MatchString(line) {
			fields++
		}
	}
	return fields >= 2
}

// fromNotice finds the recipients that a notice in words is about, each with the
// lines that concern it.
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
	// introduces is a line that begins with an address, or with a label and an
	// address, as failed recipients are listed.
	introduces = regexp.MustCompile(`(?i)^[\s>*"'(\[•-]*(?:(?:[45]\d\d[ -]|(?:original |failed |target |email |mail |final )*(?:recipient|address|addresse|user)s?(?: address(?:es)?)?\s*[:=]|unknown user:|undeliverable to|could not be delivered to:?|was not delivered to:?|user mailbox exceeds allowed size:|invalid final delivery userid:|rcpt to:|an?|error delivering your mail to|there was an error delivering your mail to|rejected recipient|\[status: error, address:)\s*)?[<"']?([^\s<>"'()\[\],;:]+@[^\s<>"'()\[\],;:]+)`)
	anyAddress = regexp.MustCompile(`[^\s<>"'()\[\],;:=|]+@[^\s<>"'()\[\],;:|]+\.[^\s<>"'()\[\],;:.|]+`)
)

// noticeAddresses lists the failed recipients: those of X-Failed-Recipients,
// else those that lines of the notice begin with, else the first address that is
// not our own.
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
		if !own[strings.ToLower(address)] {
			return []string{address}
		}
	}
	return nil
}

// listMark is the sentence above a list of failed recipients.
var listMark = regexp.MustCompile(`(?i)(following|intended) (e-?mail )?(recipient|address)[^\n]*\n|was not delivered to:|folgenden? (empfänger|adresse)[^\n]*\n|destinataires? suivant[^\n]*\n`)

func afterMark(notice string) string {
	if at := listMark.FindStringIndex(notice); at != nil {
		return notice[at[1]:]
	}
	return ""
}

func listedAddresses(text string, own map[string]bool) []string {
	var listed []string
	for line := range strings.Lines(text) {
		found := introduces.FindStringSubmatch(line)
		if found != nil && !own[strings.ToLower(strings.TrimRight(found[1], "."))] && strings.Contains(found[1], ".") {
			listed = append(listed, found[1])
		}
	}
	listed = unique(listed)
	return listed[:min(len(listed), maxRecipients)]
}

// passages are the lines of a notice, looked at once for all its recipients.
type passages []passage

// passage is a line with the addresses that it names, and the part of an SMTP
// session that leads up to it.
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

// about gives the lines that concern one of several recipients: from each line
// that names it to the next that names another, and the part of an SMTP session
// that leads up to it.
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

// atSender is how mailers say that the refusal came after MAIL FROM.
var atSender = regexp.MustCompile(`(?i)(after|in reply to|response to|following) (pipelined )?mail from|sender was rejected|my name was rejected|did not like our mail from|\[mail_?from\]|>>> mail from:[^\n]*\n\s*<<< [45]`)

// blameSender corrects a verdict of "no such user" or "no such domain" where the
// server spoke of our own address.
func blameSender(found sorted, text string) sorted {
	if found.class == RecipientFault && atSender.MatchString(text) {
		return sorted{class: SenderFault, reason: "our sender address was refused"}
	}
	return found
}

var delayForm = regexp.MustCompile(`(?i)warning message only|has been delayed|will be retried|will keep trying|still undelivered|delivery.{0,20}delayed|wird weiterhin versucht|a été retardée`)

// fromLines sorts one recipient by the lines about it.
func (m *Message) fromLines(address, text string) Recipient {
	said := serverSaid(text)
	r := Recipient{Address: address, Diagnostic: said, Status: findStatus(said)}
	found := sortRefusal(findCode(said), r.Status, said)
	if wider := sortRefusal(findCode(text), findStatus(text), text); found.weak && (!wider.weak || said == "") {
		found = wider
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
	r.Delayed = delayForm.MatchString(m.Subject) || delayForm.MatchString(text) || delayForm.MatchString(clip(m.Text, 2<<10))
	if r.Delayed && r.Class == RecipientFault {
		r.Class = Transient
	}
	return r
}

// strictReply is a reply that cannot be taken for anything else.
var strictReply = regexp.MustCompile(`(?m)(?:said: |<<< |smtp; ?|reason: |^)([45][0-5]\d[ -]#?[45]\.\d{1,3}\.\d{1,3}\b.*|[45][0-5]\d[ -]<?[^\s@]+@.*)`)

// innerReply looks for a server's reply in what a notice returns, since some
// mailers wrap one bounce into another. It looks once for all recipients.
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
	saidMark  = regexp.MustCompile(`(?i)(said:|responded[^\[:]{0,30}:|returned was:|response was:|reason:|did not like our [a-z ]+:|server message|transcript of session follows)`)
	replyLine = regexp.MustCompile(`(?:^|[^\w.\-/:\[])([45][0-5]\d[ \-:]+(?:#?[45]\.\d{1,3}\.\d{1,3})?.*|#?\(?#?[45]\.\d{1,3}\.\d{1,3}\b.*)`)
)

// serverSaid gives the reply of the refusing server inside a notice: from the
// first line that bears a reply or status code on to the end of its paragraph.
func serverSaid(text string) string {
	if at := saidMark.FindStringIndex(text); at != nil {
		if said := serverReply(text[at[0]:]); said != "" {
			return said
		}
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
				return line // qmail puts the code behind the words
			}
			said = append(said, strings.TrimSpace(found[1]))
		}
	}
	return strings.Join(said, "\n")
}

// lastLines gives the end of the lines about a recipient, for want of a reply.
func lastLines(text string) string {
	return clip(strings.TrimSpace(text), 500)
}
