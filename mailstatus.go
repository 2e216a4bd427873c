package outreach

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// MailState is what becomes of the mail to a person.
type MailState string

// The states, as MailStatusOf decides.
const (
	MailSuppressed   MailState = "suppressed"
	MailUnsubscribed MailState = "unsubscribed"
	MailBounced      MailState = "bounced"
	MailWaiting      MailState = "waiting" // for its turn in an active campaign
	MailHeld         MailState = "held"
	MailPaused       MailState = "paused"
	MailReplied      MailState = "replied"
	MailNone         MailState = "none" // no step is planned
)

// MailStatus is the one answer to the question why a person is mailed or not.
type MailStatus struct {
	ProspectID uuid.UUID
	State      MailState
	Reason     string     // one or two sentences
	At         *time.Time // the earliest time of the next step, or the end of a hold
	CampaignID *uuid.UUID // whose step waits
	// Suppression is that of the address, else that of a domain above it; nil without one.
	Suppression *Suppression
}

// Waiting is a running enrollment with its campaign, and why its step is not sent now, empty if it is next.
type Waiting struct {
	Enrollment    Enrollment
	Campaign      *Campaign
	NotSentReason string
	// Lasting reports whether NotSentReason holds until a person acts.
	Lasting bool
}

// Postpone sets what follows when the step waits until a time because another campaign wrote to the person.
// It changes nothing if the step waits longer for something else.
func (w *Waiting) Postpone(until time.Time) {
	e := &w.Enrollment
	if e.Status != EnrollmentActive || e.NextSendAt == nil || e.DueAt == nil || until.Before(*e.DueAt) {
		return
	}
	opening, next := w.Campaign.NextOpening(until, e.Timezone), *e.NextSendAt
	if !opening.IsZero() && (opening.Before(next) || opening.Equal(next) && !until.Equal(next)) {
		return
	}
	e.NextSendAt = nil
	if !opening.IsZero() {
		e.NextSendAt = &opening
	}
	if !w.Lasting {
		w.NotSentReason, w.Lasting = "Another campaign wrote to this person a short time ago.", true
	}
}

// Ended is an enrollment that has ended.
type Ended struct {
	ProspectID uuid.UUID
	Campaign   string
	Reason     *string // nil after the last step
}

// MailFacts is what the status of a person follows from.
type MailFacts struct {
	Standing    Standing
	Suppression *Suppression // the cause of an obstacle, if it is one
	Running     []Waiting
	Ended       *Ended // the newest one; nil if there is none
	Contacted   bool   // the person got mail before
}

// MailStatusOf returns the status of a person, without ProspectID: what Standing.Obstacle forbids, else
// the running enrollment that can be sent to first, else a held one, else a paused one, else one without
// a step left, else how the newest one ended.
func MailStatusOf(f MailFacts, now time.Time) MailStatus {
	if o := f.Standing.Obstacle(false, false); o != ObstacleNone {
		return MailStatus{State: MailState(o), Reason: f.Standing.refusal(o, f.Suppression), Suppression: f.Suppression}
	}
	var best MailStatus
	for _, w := range f.Running {
		if status := w.status(now); best.Reason == "" || status.before(best) {
			best = status
		}
	}
	switch {
	case best.Reason != "":
		return best
	case f.Standing.Replied:
		return MailStatus{State: MailReplied, Reason: "Replied: no more mails are sent."}
	case f.Ended != nil && f.Ended.Reason != nil:
		return MailStatus{State: MailNone, Reason: fmt.Sprintf("No more mails are planned in %s: %s.", f.Ended.Campaign,
			strings.TrimSuffix(*f.Ended.Reason, "."))}
	case f.Ended == nil && !f.Contacted:
		return MailStatus{State: MailNone, Reason: "Not mailed yet: not in a running campaign."}
	}
	return MailStatus{State: MailNone, Reason: "No more mails are planned."}
}

// refusal says why an obstacle forbids mail.
func (s Standing) refusal(o Obstacle, suppression *Suppression) string {
	switch {
	case o == ObstacleUnsubscribed && (s.Address == SuppressedComplaint || s.Domain == SuppressedComplaint):
		return "Not mailed: this person complained."
	case o == ObstacleUnsubscribed:
		return "Not mailed: this person unsubscribed."
	case o == ObstacleBounced:
		return "Not mailed: the address bounced."
	case s.Address == "" && suppression != nil && suppression.Domain != nil:
		return fmt.Sprintf("Not mailed: everyone at %s is suppressed.", *suppression.Domain)
	}
	return "Not mailed: the address is suppressed."
}

// before reports whether s says more about what happens next than other.
func (s MailStatus) before(other MailStatus) bool {
	rank := map[MailState]int{MailWaiting: 0, MailHeld: 1, MailPaused: 2, MailNone: 3}
	if rank[s.State] != rank[other.State] {
		return rank[s.State] < rank[other.State]
	}
	if s.At == nil || other.At == nil {
		return s.At != nil && other.At == nil
	}
	return s.At.Before(*other.At)
}

func (w *Waiting) status(now time.Time) MailStatus {
	e, c := &w.Enrollment, w.Campaign
	status := MailStatus{State: MailWaiting, At: e.NextSendAt, CampaignID: &c.ID}
	switch {
	case e.Status == EnrollmentPaused:
		status.State, status.Reason, status.At = MailPaused, fmt.Sprintf("Paused in %s.", c.Name), nil
	case !c.Status.Sends():
		status.State, status.Reason, status.At = MailPaused, fmt.Sprintf("%s is %s.", c.Name, c.Status.Told()), nil
	case e.Status == EnrollmentHeld:
		why := "the reason is not known"
		if e.HoldReason != nil {
			why = *e.HoldReason
		}
		status.State, status.At = MailHeld, e.HoldUntil
		status.Reason = fmt.Sprintf("Held in %s: %s.", c.Name, strings.TrimSuffix(why, "."))
	case e.NextStep == nil:
		status.State, status.Reason, status.At = MailNone, fmt.Sprintf("No step of %s is left.", c.Name), nil
	default:
		status.Reason = fmt.Sprintf("Waiting for step %d of %s.", *e.NextStep, c.Name)
		// Later, the reason may be another one, unless it is lasting.
		if due := e.NextSendAt == nil || !e.NextSendAt.After(now.Add(Soon)); (due || w.Lasting) && w.NotSentReason != "" {
			status.Reason += " " + w.NotSentReason
		}
	}
	return status
}
