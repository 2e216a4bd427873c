package classify

import (
	"regexp"
	"strings"
)

// bounce reads a delivery report, or a notice that says in words alone what a
// report would.
func (m *Message) bounce() (Verdict, bool) {
	e := m.evidence()
	if !e.suspicious() && !e.unread && len(e.failed) == 0 {
		return Verdict{}, false // whatever it says, it is no bounce
	}
	e.notice = m.notice()
	groups := m.groups(e)
	if len(groups) > 0 && e.suspicious() {
		return sum(m.fromGroups(groups, e)), true
	}
	if !m.isBounce(e) {
		return Verdict{}, false
	}
	recipients := m.fromNotice(e)
	if m.saysAutomatic(recipients) {
		return Verdict{}, false
	}
	return sum(recipients), true
}

// evidence is what speaks for a message being a bounce.
type evidence struct {
	report  bool     // multipart/report with delivery-status
	daemon  bool     // comes from a mail system, not from a person
	subject bool     // its subject is one that mail systems write
	null    bool     // its envelope sender is empty, as that of automatic replies
	unread  bool     // comes from an address that takes no mail
	failed  []string // X-Failed-Recipients, which Exim and Google add
	notice  string   // its text up to the returned message
}

// suspicious tells whether a delivery report found in the message may be about
// our mail, and not one that somebody shows us.
func (e evidence) suspicious() bool { return e.report || e.daemon || e.subject || e.null }

// isBounce weighs the evidence. What takes long to find out is asked last.
func (m *Message) isBounce(e evidence) bool {
	switch {
	case len(e.failed) > 0, e.report && (e.daemon || e.undelivered()):
		return true
	case e.daemon && m.answers():
		return e.coded() && e.undelivered()
	case e.daemon:
		return e.subject || e.undelivered()
	}
	traces := m.returns(e.notice) || e.coded()
	local, _, _ := strings.Cut(m.From, "@")
	subject := e.subject && (traces || e.null || listLocal.MatchString(local))
	return (subject || (e.null || e.unread) && traces) && e.undelivered()
}

// undelivered tells a notice that says that something was not delivered.
func (e evidence) undelivered() bool { return bodyForm.MatchString(clip(e.notice, 8<<10)) }

// coded tells a notice of which a line begins with an SMTP reply.
func (e evidence) coded() bool { return replyAtStart.MatchString(e.notice) }

// answers tells a "Re:" in a thread, as people's mail is.
func (m *Message) answers() bool {
	return replyPrefix.MatchString(m.Subject) && m.InReplyTo != "" && !m.nullSender()
}

// returns tells whether a message is attached, or stands under the notice.
func (m *Message) returns(notice string) bool {
	for _, p := range m.parts {
		if returnedType(p.mediaType) {
			return true
		}
	}
	return len(notice) < len(strings.TrimSpace(m.Text)) && len(m.Text) < 64<<10
}

var (
	daemonLocal = regexp.MustCompile(`(?i)^(mailer-?_?daemon|mail-?daemon|post_?master|mdaemon|mail-?delivery|double-bounce|bounce|bounces|mailer|mail-system|mmdf|mail_?gateway)([+=.].*)?$`)
	listLocal   = regexp.MustCompile(`(?i)^(.+-(admin|owner|request|bounces|errors)|owner-.+|listserv|majordomo|sympa|mailman|ezmlm)$`)
	daemonName  = mustForm(`(?i)mailer.?daemon|mail delivery|mail system|mail administrator|internet mail|delivery (sub)?system|system administrator|postmaster|mail delivery service|mail router|mail server`)
	subjectForm = mustForm(`(?i)undeliver|not deliver|could not (be )?(deliver|send)|delivery (failure|failed|status|report|problem|error|notification|delayed|unsuccessful|has failed|incomplete)|failed delivery|failed mail|mail (delivery|failure|system error|error)|mail.{0,12}(returned|undeliverable)|returned (mail|e-?mail|to sender)|failure (notice|delivery|notification)|delivery.{0,20}fail|non[- ]?deliver|bounce|could not be sent|error sending|couldn.t be delivered|delayed mail|warning: (could not|message)|message (you sent )?(delayed|blocked|rejected)|considered unsolicited|postmaster notify|are not member|unzustellbar|nicht zugestellt|unzustellbarkeit|zustellung|rückläufer|fehlgeschlagen|non remis|non distribué|échec|echec|non délivré|retourné|no se (pudo|puede|ha podido)|no entregad|no se entregó|devuelto|error de entrega|mancata consegna|non recapitabile|impossibile recapitare|consegna|não entregue|não foi possível|falha na entrega|devolvida|onbestelbaar|niet (bezorgd|afgeleverd)|niet-?bezorgbaar|не доставлен|недоставлен|не удалось|niedostarcz|nie dostarcz|nedoruč|kézbesít|levererades inte|kunne ikke leveres|配信|メールエラー|エラー通知|送信できません|届けられません|未送達|退信|无法投递|投递失败|系统退信|반송`)
	bodyForm    = mustForm(`(?i)(could|can|was|were|is|has|did)( ?not|n.t)( been| be)? (deliver|reach|sent)|not be (successfully )?(delivered|sent|completed)|wasn.t delivered|undeliver|unable to (be )?deliver|(was|were)?n.t able to deliver|delivery (to|of|has|failed|attempt|status|error)|fail(ed|ure).{0,40}deliver|deliver.{0,40}fail|permanent (fatal )?(error|failure)|fatal errors|following address|following recipient|rejected by|was rejected|has been rejected|message rejected|returned (message|mail|to sender)|error (delivering|while)|trouble delivering|did not reach|transcript of session|unknown user|user unknown|no such user|invalid user|requested action not taken|error message below|mailbox exceeds|not delivered|invalid final delivery|has been delayed|failed recipient|original message follows|failure reason|blocked by our|not a member of this mailing list|SMTP error|recipient.{0,30}(rejected|unknown)|nicht (zugestellt|übermittelt|ausgeliefert)|konnte.{0,60}nicht|n.a (pas )?pu être|n.a pas été (remis|distribué)|non remis|no se (pudo|puede|ha podido) entregar|no se ha entregado|non è stato (possibile|recapitato|consegnato)|impossibile (recapitare|consegnare)|não (foi|pôde|pode) (possível|ser) (entreg|enviad)?|niet (worden )?(bezorgd|afgeleverd)|не (может быть|было|удалось) достав|送信できませんでした|配信できません|無法|无法`)
)

// evidence looks at header and structure; the notice is read where they call for
// it.
func (m *Message) evidence() evidence {
	local, _, _ := strings.Cut(m.From, "@")
	return evidence{
		report:  m.hasPart("message/delivery-status") || m.isReport() && !m.disposition(),
		daemon:  daemonLocal.MatchString(local) || daemonName.MatchString(m.FromName) || m.emptyFrom(),
		null:    m.nullSender(),
		subject: subjectForm.MatchString(m.Subject) && !replyPrefix.MatchString(m.Subject),
		unread:  noReply.MatchString(local),
		failed:  addresses(strings.Join(m.HeaderValues("X-Failed-Recipients"), ", ")),
	}
}

// replyAtStart is an SMTP reply on a line of its own, as programs write it.
var replyAtStart = mustForm(`(?m)^\W*([45][0-5]\d[ -]|(smtp error|remote host said|reason|diagnostic).*[45][0-5]\d)`)

func (m *Message) isReport() bool {
	return strings.Contains(strings.ToLower(m.Header("Content-Type")), "multipart/report")
}

var replyPrefix = regexp.MustCompile(`(?i)^\s*(re|aw|antw|sv|vs|rif|ref|r|odp|fwd?|wg|tr|rv|enc|doorst|i)\s*(\[\d+\])?\s*:\s`)

// nullSender tells an empty envelope sender (RFC 5321, section 4.5.5).
func (m *Message) nullSender() bool {
	path := strings.TrimSpace(m.Header("Return-Path"))
	return path == "<>" || strings.EqualFold(strings.Trim(path, "<>"), "mailer-daemon")
}

// emptyFrom tells a From without an address, which people's mail never has.
func (m *Message) emptyFrom() bool {
	return strings.HasSuffix(strings.TrimSpace(m.Header("From")), "<>")
}

// groups gives the recipients of the delivery report, wherever it stands:
// programs forget boundaries, and some put the report into plain text.
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

// reportOnly is the text from the first line of a report to the header of a
// returned message, so that a report inside that is not read as this one.
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

// saysAutomatic is the one brake on bounces told from words: a message that
// calls itself an automatic reply (RFC 3834), bears neither report nor code and
// does not say that the address is dead is left to the rules for such replies.
func (m *Message) saysAutomatic(recipients []Recipient) bool {
	word, _, _ := strings.Cut(m.Header("Auto-Submitted"), " ")
	if !strings.EqualFold(strings.TrimSuffix(word, ";"), "auto-replied") || len(m.HeaderValues("X-Failed-Recipients")) > 0 {
		return false
	}
	for _, r := range recipients {
		if r.Status != "" || r.Class == RecipientFault || findCode(r.Diagnostic) != 0 {
			return false
		}
	}
	return true
}
