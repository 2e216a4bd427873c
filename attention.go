package outreach

import (
	"cmp"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// AttentionKind is a kind of problem that needs a person.
type AttentionKind string

// The kinds of problems.
const (
	AttentionEnrollmentHeld  AttentionKind = "enrollment_held"
	AttentionMailboxError    AttentionKind = "mailbox_error"
	AttentionEndpointFailing AttentionKind = "endpoint_failing"
	AttentionMessageUnknown  AttentionKind = "message_unknown"
	AttentionOAuthClient     AttentionKind = "oauth_client_refused"
	AttentionSendingDomain   AttentionKind = "sending_domain_failing"
	AttentionMailboxWarning  AttentionKind = "mailbox_near_bound"
)

// Attention is one problem that needs a person.
type Attention struct {
	Kind      AttentionKind
	SubjectID uuid.UUID
	Title     string
	Detail    string
	Since     time.Time
}

// MaxHeldCounted is the highest count of held enrollments; counting stops there.
const MaxHeldCounted = 1000

// Problem is the data of an Attention before its texts are written.
type Problem struct {
	Kind      AttentionKind
	SubjectID uuid.UUID
	Subject   string // address, URL or provider; empty for a deleted prospect
	State     string // status of a mailbox, name of a campaign
	Text      string // the server's answer or the reason of a hold; may be empty
	Count     int    // failed deliveries, or held enrollments
	Since     time.Time
}

// Attention returns the problem with its title and detail.
func (p Problem) Attention() Attention {
	a := Attention{Kind: p.Kind, SubjectID: p.SubjectID, Title: p.Subject, Detail: p.Text, Since: p.Since}
	switch p.Kind {
	case AttentionMailboxError:
		a.Detail = cmp.Or(p.Text, "cannot be reached")
		if p.State == string(MailboxPaused) {
			a.Detail = "paused: " + a.Detail
		}
	case AttentionOAuthClient:
		a.Title = MailProvider(p.Subject).Name()
	case AttentionEndpointFailing:
		a.Detail = fmt.Sprintf("%d deliveries failed in the last day, last: %s", p.Count, cmp.Or(p.Text, "no answer"))
	case AttentionMessageUnknown:
		a.Detail = "It is unknown whether this message was sent. Look in the Sent folder and record what you find."
	case AttentionEnrollmentHeld:
		a.Title, a.Detail = held(p.Count, p.Subject)+" held in "+p.State, cmp.Or(p.Text, "held")
	}
	return a
}

// held returns the subject of a title: the held person's address, or the count.
func held(count int, email string) string {
	switch {
	case count == 1:
		return cmp.Or(email, "deleted prospect")
	case count < MaxHeldCounted:
		return fmt.Sprintf("%d people", count)
	}
	return fmt.Sprintf("%d people or more", MaxHeldCounted)
}
