package classify

import (
	"regexp"
	"strings"
)

// group holds the fields of a delivery report about one recipient (RFC 3464, section 2.3).
type group struct {
	final, original, action, status, diagnostic, retryUntil string
}

// reportFields maps the names of the used fields to their targets.
func (g *group) slot(name string) *string {
	switch strings.ToLower(name) {
	case "final-recipient":
		return &g.final
	case "original-recipient":
		return &g.original
	case "action":
		return &g.action
	case "status":
		return &g.status
	case "diagnostic-code":
		return &g.diagnostic
	case "will-retry-until":
		return &g.retryUntil
	}
	return nil
}

func (g *group) complete() bool {
	return g.final+g.original != "" && g.action+g.status != ""
}

// reportGroups reads the recipients of a delivery report. A group ends where a field comes a second
// time, or at a blank line after it has a recipient and its result, because some programs add blank
// lines inside a group.
func reportGroups(text string) []group {
	var groups []group
	current, last := group{}, (*string)(nil)
	flush := func() {
		if current.final+current.original != "" || current.action != "" && current.status != "" {
			groups = append(groups, current)
		}
		current, last = group{}, nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" {
			if current.complete() {
				flush()
			}
			last = nil
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			if last != nil && len(*last) < 4096 {
				*last += " " + strings.TrimSpace(line)
			}
			continue
		}
		name, value, ok := field(line)
		if !ok {
			if last != nil && len(*last) < 4096 {
				*last += " " + strings.TrimSpace(line) // a long value, wrapped without the space
			}
			continue
		}
		last = nil
		slot := current.slot(name)
		if slot == nil {
			continue
		}
		if *slot != "" {
			flush()
			slot = current.slot(name)
		}
		*slot, last = value, slot
	}
	flush()
	return groups
}

// typed returns a typed field ("rfc822; x@y", "smtp; 550 …") without its type.
func typed(value string) string {
	if kind, rest, ok := strings.Cut(value, ";"); ok && !strings.ContainsAny(kind, " @<") {
		return strings.TrimSpace(rest)
	}
	return value
}

// reportedAddress returns the address of a recipient field.
func reportedAddress(value string) string {
	value = strings.Trim(typed(value), " <>")
	if found := addressForm.FindString(value); found != "" {
		return strings.TrimRight(found, ".")
	}
	return clip(value, 320)
}

// quotedReply matches the reply of the remote server inside a diagnostic of IronPort, which adds
// its own guess before it.
var quotedReply = regexp.MustCompile(`\b([45]\d\d)[- ]'([^']{3,})'`)

// fromGroup classifies one recipient of a report. notice is the part for people, which helps if the
// report itself has few details.
func fromGroup(g group, notice string) Recipient {
	r := Recipient{
		Address:    reportedAddress(g.final),
		Original:   reportedAddress(g.original),
		Action:     actionWord(g.action),
		Diagnostic: typed(g.diagnostic),
	}
	if r.Address == "" {
		r.Address = r.Original
	}
	if inner := quotedReply.FindStringSubmatch(r.Diagnostic); inner != nil && strings.Contains(inner[2], " ") {
		r.Diagnostic = inner[1] + " " + inner[2]
	}
	stated := findStatus(g.status)
	r.Status = findStatus(r.Diagnostic)
	if r.Status == "" || strings.HasSuffix(r.Status, ".0.0") && stated != "" {
		r.Status = stated
	}
	if delivered(r.Action, r.Status) {
		r.Class, r.Reason = None, "the message was delivered"
		return r
	}
	found := blameSender(judge(g, r, notice), notice)
	r.Class, r.Reason = found.class, found.reason
	r.stillTried(g.delayed(r, notice))
	return r
}

// delayed reports whether delivery to the recipient is still being tried. The
// action decides (RFC 3464, section 2.3.3); a report without one is read by its
// other fields and by the words of the notice.
func (g *group) delayed(r Recipient, notice string) bool {
	switch r.Action {
	case "failed":
		return false
	case "delayed":
		return true
	}
	notice = unwrap(notice)
	if g.retryUntil != "" || saysDelay(notice) {
		return true
	}
	return !strings.HasPrefix(r.Status, "5.") && findCode(r.Diagnostic)/100 != 5 && !finalForm().has(notice)
}

// judge looks at the diagnostic first, then at the comment that some programs add after the status,
// then at the text for people.
func judge(g group, r Recipient, notice string) sorted {
	text := r.Diagnostic
	if !strings.Contains(text, " ") {
		text = "" // "77" of X-Unix and similar texts have no words
	}
	_, comment, _ := strings.Cut(g.status, "(")
	code := findCode(text)
	found := sortRefusal(code, r.Status, text+" "+comment)
	if !found.weak || notice == "" {
		return found
	}
	if code == 0 {
		code = findCode(notice)
	}
	if wider := sortRefusal(code, r.Status, text+" "+comment+" "+notice); !wider.weak {
		return wider
	}
	return found
}

func actionWord(value string) string {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(value)), " ")
	return strings.Trim(word, "();,")
}

func delivered(action, status string) bool {
	switch action {
	case "delivered", "relayed", "expanded", "deliverable":
		return true
	case "failed", "delayed":
		return false
	}
	return strings.HasPrefix(status, "2.")
}
