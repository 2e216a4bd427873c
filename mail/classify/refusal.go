package classify

import (
	"regexp"
	"strconv"
	"strings"
)

// SMTP classifies a final or temporary refusal of one recipient. code is the reply code (RFC 5321),
// 0 if unknown. enhanced is the status code (RFC 3463); if it is empty, SMTP looks for one in the
// text. text is the server's answer. The class is RecipientFault, Transient or SenderFault; the
// reason is a clause for the user. The same rules apply to refusals during sending and to refusals
// in a bounce:
//
// Words that clearly name a cause come first, because servers use 5.7.1 and 5.1.1 for many causes.
// Then come a specific enhanced code, words of less weight, and last the reply code.
func SMTP(code int, enhanced, text string) (Class, string) {
	r := sortRefusal(code, enhanced, text)
	return r.class, r.reason
}

// sorted is a class with its reason. A weak one is based on the reply code alone, and any other
// result replaces it.
type sorted struct {
	class  Class
	reason string
	weak   bool
}

func sortRefusal(code int, enhanced, text string) sorted {
	told := plainWords(text)
	if enhanced == "" {
		enhanced = findStatus(text)
	}
	if code == 0 {
		code = findCode(text)
	}
	if _, subject, detail := splitStatus(enhanced); subject == 1 && (detail == 7 || detail == 8) {
		return sorted{class: SenderFault, reason: "our sender address was refused"} // any name in the text is ours
	}
	temporary := strings.HasPrefix(enhanced, "4.") || enhanced == "" && code/100 == 4
	if found, ok := byWords(outright(), told, temporary); ok {
		return found
	}
	if found, ok := byStatus(enhanced); ok {
		return found
	}
	if found, ok := byWords(vague(), told, temporary); ok {
		return found
	}
	return byCode(code, enhanced)
}

var (
	mailAddress  = regexp.MustCompile(`[^\s<>()"（：，]+@[^\s<>()",;:）：，。]+`)
	continuation = regexp.MustCompile(`\b[245]\d\d[ -](#?[245]\.\d{1,3}\.\d{1,3}\b)?`)
	hostName     = regexp.MustCompile(`[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)+\.?`)
	unquoted     = strings.NewReplacer("<>", " ", "\"", " ")
)

// plainWords prepares text for the phrase tables: on one line, without addresses, whose names may
// contain any word, and without the codes that long replies repeat. A copy of the text without host
// names follows, for phrases that servers write around them ("host mx.example.com not found").
func plainWords(text string) string {
	text = clip(text, 8<<10)
	text = mailAddress.ReplaceAllString(text, " ")
	text = continuation.ReplaceAllString(text, " ")
	text = unquoted.Replace(text)
	bare := hostName.ReplaceAllString(text, " ")
	return prepare(strings.Join(strings.Fields(text+" | "+bare), " "))
}

// refusals holds tables/refusal.txt by weight. Of the phrases found, the one that is first in the
// table decides.
var (
	outright = onceLexicon("refusal", "outright recipient", "outright transient", "outright sender", "outright recipient permanent")
	vague    = onceLexicon("refusal", "vague transient", "vague sender", "vague sender permanent")

	ourSide   = onceLexicon("refusal", "our side")
	theirSide = onceLexicon("refusal", "their side")
	passing   = onceLexicon("refusal", "passing")
)

// byWords classifies a text by the phrases of one weight.
func byWords(l *lexicon, told string, temporary bool) (found sorted, ok bool) {
	best := len(told)
	l.each(told, func(m match) bool {
		if ok && m.order >= best || temporary && strings.HasSuffix(m.list, " permanent") {
			return true
		}
		verdict := sorted{class: Class(strings.Fields(m.list)[1]), reason: m.label}
		if verdict.class == RecipientFault {
			verdict = blamed(verdict, clauseAround(told, m.at, m.end))
		}
		if verdict.class != None {
			found, best, ok = verdict, m.order, true
		}
		return true
	})
	return found, ok
}

// blamed returns the verdict of a phrase that blames the recipient. Its clause decides: if it is
// about our side, the sender is at fault; if it describes a temporary state, the fault is
// transient; if it is about both sides, there is no verdict.
func blamed(verdict sorted, clause string) sorted {
	if passing().has(clause) {
		return sorted{class: Transient, reason: "a temporary error"}
	}
	if !ourSide().has(clause) {
		return verdict
	}
	if theirSide().has(clause) {
		return sorted{class: None}
	}
	return sorted{class: SenderFault, reason: "our address, server or domain was refused"}
}

// clauseAround returns the clause of prepared text that holds the bytes from at to
// end.
func clauseAround(text string, at, end int) string {
	start := 0
	for _, stop := range clauseEnds {
		if i := strings.LastIndex(text[:at], stop); i >= 0 {
			start = max(start, i+len(stop))
		}
	}
	after := len(text)
	for _, stop := range clauseEnds {
		if i := strings.Index(text[end:], stop); i >= 0 {
			after = min(after, end+i)
		}
	}
	return text[start:after]
}

// clauseEnds are the bytes between two clauses of a reply. A colon does not end a clause, because
// the text after it explains the text before it.
var clauseEnds = []string{". ", "; ", "! ", "? ", "|", "\n"}

// byStatus classifies by the codes of RFC 3463 and its registry that have a clear meaning. x.0.x,
// 5.1.0, x.2.0 and x.5.x have none: servers use them for unspecific causes.
func byStatus(status string) (sorted, bool) {
	class, subject, detail := splitStatus(status)
	if class != 4 && class != 5 {
		return sorted{}, false
	}
	key := strconv.Itoa(subject) + "." + strconv.Itoa(detail)
	if row, ok := statusRows[strconv.Itoa(class)+"."+key]; ok {
		return row, true
	}
	if row, ok := statusRows[key]; ok && class == 4 && row.class == RecipientFault {
		return sorted{class: Transient, reason: "a temporary error with the address"}, true
	} else if ok {
		return row, true
	}
	row, ok := subjectRows[subject]
	return row, ok
}

// statusRows has subject and detail as keys, or the whole code if the first digit matters.
var statusRows = map[string]sorted{
	"1.1":   {class: RecipientFault, reason: "the address does not exist"},
	"1.2":   {class: RecipientFault, reason: "the domain does not exist"},
	"1.3":   {class: RecipientFault, reason: "the address is malformed"},
	"1.4":   {class: RecipientFault, reason: "the address is ambiguous"},
	"1.6":   {class: RecipientFault, reason: "the mailbox has moved"},
	"1.10":  {class: RecipientFault, reason: "the domain takes no mail"},
	"5.2.1": {class: RecipientFault, reason: "the mailbox is disabled"},
	"4.2.1": {class: Transient, reason: "the mailbox takes no mail at the moment"},
	"2.2":   {class: Transient, reason: "the mailbox is full"},
	"2.3":   {class: Transient, reason: "the message exceeds the mailbox's limit"},
	"2.4":   {class: SenderFault, reason: "a mailing list could not be expanded"},
	"3.4":   {class: SenderFault, reason: "the message is too large"},
	"5.3.2": {class: RecipientFault, reason: "the host takes no mail"},
	"5.4.4": {class: RecipientFault, reason: "no route to the domain"},
	"7.13":  {class: RecipientFault, reason: "the mailbox is disabled"},
	"7.17":  {class: RecipientFault, reason: "the mailbox has changed its owner"},
	"7.18":  {class: RecipientFault, reason: "the domain has changed its owner"},
	// Microsoft's own details, documented with Exchange Online.
	"5.4.310": {class: RecipientFault, reason: "the domain does not exist"},
}

// subjectRows applies to the other details of a subject.
var subjectRows = map[int]sorted{
	3: {class: Transient, reason: "the receiving system has a problem"},
	4: {class: Transient, reason: "the receiving host could not be reached"},
	6: {class: SenderFault, reason: "the content of the message was refused"},
	7: {class: SenderFault, reason: "policy or reputation: the message was refused"},
}

// byCode classifies by the reply code if nothing else decides.
func byCode(code int, status string) sorted {
	class, subject, _ := splitStatus(status)
	weak := func(c Class, reason string) sorted { return sorted{c, reason, true} }
	switch {
	case code == 521 || code == 556:
		return weak(RecipientFault, "the host takes no mail")
	case code == 551:
		return weak(RecipientFault, "the mailbox has moved")
	case code == 552:
		return weak(Transient, "a storage limit is exceeded")
	case class == 4 || class == 0 && code/100 == 4:
		return weak(Transient, "a temporary error")
	case class == 5 && subject == 1:
		return weak(Transient, "refused without a clear reason")
	case code/100 == 5:
		return weak(Transient, "refused without a clear reason")
	}
	return weak(Transient, "not delivered, for no stated reason")
}

var (
	statusForm = regexp.MustCompile(`(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?:[^\d.]|\.?$|\.[^\d])`)
	codeForm   = regexp.MustCompile(`(?:^|[^\d.\w\[/:=-])([45][0-5]\d)(?:[ \t:.,;)\]<-]|$)`)
)

// findStatus returns the first enhanced status code of a text, or an empty text. Version numbers
// and addresses (four numbers) do not count.
func findStatus(text string) string {
	if found := statusForm.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// findCode returns the first SMTP reply code of a text, or 0.
func findCode(text string) int {
	if found := codeForm.FindStringSubmatch(text); found != nil {
		code, _ := strconv.Atoi(found[1])
		return code
	}
	return 0
}

// splitStatus splits x.y.z into its numbers. All are 0 if the text is not such a code.
func splitStatus(status string) (class, subject, detail int) {
	fields := strings.Split(status, ".")
	if len(fields) != 3 {
		return 0, 0, 0
	}
	var n [3]int
	for i, f := range fields {
		v, err := strconv.Atoi(f)
		if err != nil {
			return 0, 0, 0
		}
		n[i] = v
	}
	return n[0], n[1], n[2]
}
