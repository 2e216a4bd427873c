package outreach

import (
	"time"

	"github.com/google/uuid"
)

// Overview is what happened in a workspace over some days.
type Overview struct {
	Days             []DayCounts
	Totals           Totals
	Previous         Totals
	NotSendingReason *string
	SentLastHour     int
	UnreadReplies    int
	Setup            Setup
}

// DayCounts are the events of one UTC day. Opens is an upper bound.
type DayCounts struct {
	Date                                    string
	Sent, Replied, Positive, Bounced, Opens int
}

// StepCounts says what became of the messages of one step. Every message that was
// handed to a server counts as sent, also one that bounced.
type StepCounts struct {
	Step, Sent, Bounced, Clicked, Replied, Positive, Unsubscribed int
}

// CampaignReport counts a campaign by step and by day.
type CampaignReport struct {
	Contacted int // the people who were written to
	Steps     []StepCounts
	Days      []DayCounts
}

// Totals are the events of a period. Opens is an upper bound.
type Totals struct {
	Sent, Replied, Positive, Bounced, Clicked, Unsubscribed, Opens int
}

// Setup says which of the first five things a workspace has.
type Setup struct {
	Mailbox, Prospects, Campaign, TrackingDomain, Webhook bool
}

// AttentionKind is a kind of thing that waits for a person.
type AttentionKind string

// The kinds of attention.
const (
	AttentionEnrollmentHeld  AttentionKind = "enrollment_held"
	AttentionMailboxError    AttentionKind = "mailbox_error"
	AttentionEndpointFailing AttentionKind = "endpoint_failing"
	AttentionMessageUnknown  AttentionKind = "message_unknown"
)

// Attention is one thing that waits for a person.
type Attention struct {
	Kind      AttentionKind
	SubjectID uuid.UUID
	Title     string
	Detail    string
	Since     time.Time
}

// Preview is what a step would look like for one prospect.
type Preview struct {
	Subject *string
	HTML    *string
	Text    *string
	Missing []string
	Error   *string
}

// TestSent is what came of a test mail.
type TestSent struct {
	Recipient    string
	Subject      string
	Outcome      TestOutcome
	Command      string // connect, MAIL, RCPT, DATA, or "." for the end of the message
	SMTPResponse string
	DurationMs   int
}

// TestOutcome is how handing a test mail over ended.
type TestOutcome string

// Add counts a day into a period.
func (t *Totals) Add(day DayCounts, clicked, unsubscribed int) {
	t.Sent += day.Sent
	t.Replied += day.Replied
	t.Positive += day.Positive
	t.Bounced += day.Bounced
	t.Opens += day.Opens
	t.Clicked += clicked
	t.Unsubscribed += unsubscribed
}
