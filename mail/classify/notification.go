package classify

import (
	"encoding/json"
	"strings"
)

// notification is the JSON that Amazon SES sends by mail through SNS instead of
// a report.
type notification struct {
	Type      string `json:"notificationType"`
	EventType string `json:"eventType"`
	Bounce    struct {
		Recipients []struct {
			Email      string `json:"emailAddress"`
			Action     string `json:"action"`
			Status     string `json:"status"`
			Diagnostic string `json:"diagnosticCode"`
		} `json:"bouncedRecipients"`
	} `json:"bounce"`
	Complaint struct {
		Recipients []struct {
			Email string `json:"emailAddress"`
		} `json:"complainedRecipients"`
		FeedbackType string `json:"complaintFeedbackType"`
	} `json:"complaint"`
}

// notification reads such a message. Mail programs fold its one long line with "!" and a space;
// notification joins the line again first.
func (m *Message) notification() (Verdict, bool) {
	text := strings.TrimSpace(m.Text)
	if !strings.HasPrefix(text, "{") || !strings.Contains(text, `"notificationType"`) && !strings.Contains(text, `"eventType"`) {
		return Verdict{}, false
	}
	var n notification
	text = strings.ReplaceAll(text, "!\n ", "")
	if json.NewDecoder(strings.NewReader(text)).Decode(&n) != nil {
		return Verdict{}, false
	}
	switch strings.ToLower(n.Type + n.EventType) {
	case "bounce":
		return n.bounced(), true
	case "complaint":
		var to []string
		for _, r := range n.Complaint.Recipients {
			to = append(to, r.Email)
		}
		return complained(strings.ToLower(n.Complaint.FeedbackType), to), true
	case "delivery", "send", "open", "click":
		return Verdict{Class: None, Reason: "the message was delivered"}, true
	}
	return Verdict{}, false
}

func (n notification) bounced() Verdict {
	var recipients []Recipient
	for _, r := range n.Bounce.Recipients {
		g := group{final: r.Email, action: r.Action, status: r.Status, diagnostic: r.Diagnostic}
		recipients = append(recipients, fromGroup(g, ""))
	}
	if len(recipients) == 0 {
		recipients = []Recipient{{Class: Transient, Reason: "not delivered, for no stated reason"}}
	}
	return sum(recipients)
}
