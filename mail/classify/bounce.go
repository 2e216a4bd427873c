package classify

import (
	"regexp"
	"strings"
)

// bounce reads a delivery report, or a notice that has the same content in words only.
func (m *Message) bounce() (Verdict, bool) {
	e := m.evidence()
	if !e.suspicious() && !e.unread && len(e.failed) == 0 {
		return Verdict{}, false // it is not a bounce, whatever its text is
	}
	e.notice = m.notice()
	groups := m.groups(e)
	if len(groups) > 0 && e.suspicious() {
		return sum(m.fromGroups(groups, e)), true
	}
	if !m.isBounce(e) || !e.report && !e.coded() && heldForm().has(unwrap(e.notice)) {
		return Verdict{}, false
	}
	recipients := m.fromNotice(e)
	if m.saysAutomatic(e, recipients) {
		return Verdict{}, false
	}
	return sum(recipients), true
}

// evidence holds the signs that a message is a bounce.
type evidence struct {
	report  bool     // multipart/report with delivery-status
	daemon  bool     // sent by a mail system, not by a person
	subject bool     // its subject is one that mail systems write
	null    bool     // its envelope sender is empty, as that of automatic replies
	unread  bool     // comes from an address that takes no mail
	failed  []string // X-Failed-Recipients, which Exim and Google add
	notice  string   // its text up to the returned message
}

// suspicious reports whether a delivery report found in the message may be about our mail. A person
// may also have forwarded a report.
func (e evidence) suspicious() bool { return e.report || e.daemon || e.subject || e.null }

// isBounce weighs the evidence. Slow checks come last.
func (m *Message) isBounce(e evidence) bool {
	switch {
	case len(e.failed) > 0, e.report && (e.daemon || e.undelivered()):
		return true
	case e.daemon && m.answers():
		return e.coded() && e.undelivered()
	case e.daemon: // in a language without words in the tables, the server's reply shows what it is
		return e.subject || e.undelivered() || e.coded()
	}
	traces := m.returns(e.notice) || e.coded()
	local, _, _ := strings.Cut(m.From, "@")
	subject := e.subject && (traces || e.null || listLocal.MatchString(local))
	return (subject || (e.null || e.unread) && traces) && e.undelivered()
}

// undelivered reports whether the notice says that a message was not delivered, or not yet.
func (e evidence) undelivered() bool {
	notice := clip(e.notice, 8<<10)
	return bodyForm().has(notice) || saysDelay(unwrap(notice))
}

// coded reports whether a line of the notice begins with an SMTP reply.
func (e evidence) coded() bool { return replyAtStart.MatchString(e.notice) }

// answers reports whether the message is a "Re:" in a thread, like mail of people.
func (m *Message) answers() bool {
	return marksReply(m.Subject) && m.InReplyTo != "" && !m.nullSender()
}

// returns reports whether a message is attached or follows the notice.
func (m *Message) returns(notice string) bool {
	for _, p := range m.parts {
		if returnedType(p.mediaType) {
			return true
		}
	}
	return len(notice) < len(strings.TrimSpace(m.Text)) && len(m.Text) < 64<<10
}

// The lists of tables/report.txt.
var (
	daemonAddress  = onceLexicon("report", "daemon address")
	daemonName     = onceLexicon("report", "daemon name")
	subjectForm    = onceLexicon("report", "subject")
	bodyForm       = onceLexicon("report", "body")
	heldForm       = onceLexicon("report", "held")
	delayForm      = onceLexicon("report", "delay", "no delay")
	finalForm      = onceLexicon("report", "final")
	atSender       = onceLexicon("report", "at sender")
	listMark       = onceLexicon("report", "list")
	saidMark       = onceLexicon("report", "said")
	recipientLabel = onceLexicon("report", "recipient label")
	returnedRule   = onceLexicon("report", "returned rule")
	returnedLine   = onceLexicon("report", "returned line")
)

// saysDelay reports whether a text says that delivery is still being tried, and not that it is no
// longer.
func saysDelay(text string) bool {
	said := false
	for _, m := range delayForm().longest(prepare(text)) {
		if m.list == "no delay" {
			return false
		}
		said = true
	}
	return said
}

// listLocal matches the local part of addresses that mailing list programs use.
var listLocal = regexp.MustCompile(`(?i)^(.+-(admin|owner|request|bounces|errors)|owner-.+|listserv|majordomo|sympa|mailman|ezmlm)$`)

// evidence looks at header and structure. It reads the notice only if they show signs of a bounce.
func (m *Message) evidence() evidence {
	local, _, _ := strings.Cut(m.From, "@")
	return evidence{
		report:  m.hasPart("message/delivery-status") || m.isReport() && !m.disposition(),
		daemon:  addressedAs(daemonAddress(), local) || daemonName().has(m.FromName) || m.emptyFrom(),
		null:    m.nullSender(),
		subject: subjectForm().has(m.Subject) && !marksReply(m.Subject),
		unread:  addressedAs(noReplyAddress(), local),
		failed:  addresses(strings.Join(m.HeaderValues("X-Failed-Recipients"), ", ")),
	}
}

// replyAtStart matches an SMTP reply on its own line, or behind an address, as programs write it.
var replyAtStart = regexp.MustCompile(
	`(?mi)^\W*(?:\S+@\S+: )?([45][0-5]\d[ -]|(smtp error|remote host said|reason|diagnostic).*[45][0-5]\d)`)

// addressedAs reports whether the local part of an address, up to a plus sign, is in a list.
func addressedAs(l *lexicon, local string) bool {
	local, _, _ = strings.Cut(local, "+")
	local, _, _ = strings.Cut(local, "=")
	local = prepare(strings.ReplaceAll(local, ".", "-"))
	found, ok := l.opens(local)
	return ok && found.end == len(local)
}

func (m *Message) isReport() bool {
	return strings.Contains(strings.ToLower(m.Header("Content-Type")), "multipart/report")
}

// The marks of an answer or a forwarded mail at the beginning of a subject: Latin ones,
// and those of other scripts.
var (
	latinPrefix = regexp.MustCompile(`(?i)^\s*(re|aw|antw|sv|vs|rif|ref|r|res|odp|fwd?|wg|tr|rv|enc|doorst|i|vá|ynt)\s*(\[\d+\])?\s*:\s`)
	otherPrefix = regexp.MustCompile(`(?i)^\s*(απ|отв|відп|השב|回复|回覆|答复|返信|转发|轉寄|답장|회신|전달)\s*[:：]`)
)

// marksReply reports whether a subject begins with such a mark.
func marksReply(subject string) bool {
	return latinPrefix.MatchString(subject) || otherPrefix.MatchString(subject)
}

// nullSender reports whether the envelope sender is empty (RFC 5321, section 4.5.5).
func (m *Message) nullSender() bool {
	path := strings.TrimSpace(m.Header("Return-Path"))
	return path == "<>" || strings.EqualFold(strings.Trim(path, "<>"), "mailer-daemon")
}

// emptyFrom reports whether From has no address. Mail of people always has one.
func (m *Message) emptyFrom() bool {
	return strings.HasSuffix(strings.TrimSpace(m.Header("From")), "<>")
}

// groups returns the recipients of the delivery report, wherever it is: some programs forget
// boundaries or put the report into plain text.
func (m *Message) groups(e evidence) []group {
	var groups []group
	for _, p := range m.parts {
		if p.mediaType == "message/delivery-status" || p.mediaType == "message/global-delivery-status" {
			groups = append(groups, reportGroups(p.text)...)
		}
	}
	if len(groups) > 0 || !e.suspicious() {
		return groups[:min(len(groups), maxRecipients)]
	}
	for _, text := range []string{e.notice, m.Text, m.body()} {
		if strings.Contains(strings.ToLower(text), "final-recipient:") {
			groups = reportGroups(reportOnly(text))
			break
		}
	}
	return groups[:min(len(groups), maxRecipients)]
}

// reportOnly returns the text from the first line of a report to the header of a returned message,
// so that a report inside the returned message is not read.
func reportOnly(text string) string {
	lower := strings.ToLower(text)
	if start := strings.Index(lower, "reporting-mta:"); start > 0 && start < strings.Index(lower, "final-recipient:") {
		text = text[start:]
	}
	head, _, _ := strings.Cut(text, "\nReturn-Path:")
	return head
}

func (m *Message) fromGroups(groups []group, e evidence) []Recipient {
	recipients := make([]Recipient, 0, len(groups))
	lines := passagesOf(e.notice)
	for _, g := range groups {
		notice := e.notice
		if len(groups) > 1 {
			notice = lines.about(reportedAddress(g.final))
		}
		recipients = append(recipients, fromGroup(g, notice))
	}
	return recipients
}

// saysAutomatic prevents a notice in words from being read as a bounce: if a message calls itself
// an automatic reply (RFC 3834), has neither a report nor a code, and does not say that the address
// is dead, the rules for automatic replies apply.
func (m *Message) saysAutomatic(e evidence, recipients []Recipient) bool {
	word, _, _ := strings.Cut(m.Header("Auto-Submitted"), " ")
	if !strings.EqualFold(strings.TrimSuffix(word, ";"), "auto-replied") || len(m.HeaderValues("X-Failed-Recipients")) > 0 ||
		e.daemon && m.delayed(e.notice) { // the warnings of Exim call themselves automatic
		return false
	}
	for _, r := range recipients {
		if r.Status != "" || r.Class == RecipientFault || findCode(r.Diagnostic) != 0 {
			return false
		}
	}
	return true
}
