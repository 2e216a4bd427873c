package outreach

import (
	"cmp"
	"fmt"
	"slices"
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

// urgency lists the kinds of problems by how much mail they stop, most first: all mail of a provider,
// all mail of a mailbox, the arrival of all mail of a domain, all mail of a mailbox soon, one sequence.
// Deliveries of webhooks stop no mail.
var urgency = []AttentionKind{
	AttentionOAuthClient, AttentionMailboxError, AttentionSendingDomain, AttentionMailboxWarning,
	AttentionMessageUnknown, AttentionEnrollmentHeld, AttentionEndpointFailing,
}

// MaxAttention is the most problems that are listed.
const MaxAttention = 50

// MostUrgent returns the most urgent problems, at most MaxAttention. Those of one kind keep their order.
func MostUrgent(all []Attention) []Attention {
	slices.SortStableFunc(all, func(a, b Attention) int {
		return cmp.Compare(slices.Index(urgency, a.Kind), slices.Index(urgency, b.Kind))
	})
	return all[:min(len(all), MaxAttention)]
}

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
	Subject   string // address, URL, domain or provider; empty for a deleted prospect
	// State is the name of a campaign; for a domain the record that fails, such as "SPF"; for a mailbox its
	// status, "auto_paused", or the provider that refuses its grant.
	State string
	Text  string // the server's answer or the reason of a hold; may be empty
	Count int    // failed deliveries, or held enrollments
	Since time.Time
}

// Attention returns the problem with its title, which states the fact, and its detail.
func (p Problem) Attention() Attention {
	a := Attention{Kind: p.Kind, SubjectID: p.SubjectID, Detail: p.Text, Since: p.Since}
	switch p.Kind {
	case AttentionMailboxError:
		a.Title, a.Detail = mailboxFault(p.State)+p.Subject, cmp.Or(p.Text, "cannot be reached")
	case AttentionOAuthClient:
		a.Title = MailProvider(p.Subject).Name() + " refuses the OAuth client"
	case AttentionSendingDomain:
		a.Title = p.State + " fails for " + p.Subject
	case AttentionEndpointFailing:
		a.Title = deliveries(p.Count) + " failed to " + p.Subject
		a.Detail = "last answer: " + cmp.Or(p.Text, "none")
	case AttentionMessageUnknown:
		a.Title = "A message to " + p.Subject + " may not have been sent"
		a.Detail = "The connection ended before the server confirmed it. Look in the Sent folder and record what you find."
	case AttentionEnrollmentHeld:
		a.Title, a.Detail = held(p.Count, p.Subject)+" held in "+p.State, cmp.Or(p.Text, "held")
	}
	return a
}

// mailboxFault returns the start of a title, which ends with the mailbox's address.
func mailboxFault(state string) string {
	switch state {
	case string(MailboxError):
		return "Mail server fails for "
	case string(MailboxPaused):
		return "Refused messages paused "
	case "auto_paused":
		return "Bounces or complaints paused "
	}
	return MailProvider(state).Name() + " sign-in ended for "
}

func deliveries(count int) string {
	if count == 1 {
		return "1 delivery"
	}
	return fmt.Sprintf("%d deliveries", count)
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
