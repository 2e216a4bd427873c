package outreach

import (
	"time"

	"github.com/google/uuid"
)

// EnrollmentStatus is the state of one prospect in one campaign.
type EnrollmentStatus string

// The states of an enrollment. A held enrollment waits until the cause in HoldReason ends or a
// person resolves it.
const (
	EnrollmentActive       EnrollmentStatus = "active"
	EnrollmentHeld         EnrollmentStatus = "held"
	EnrollmentPaused       EnrollmentStatus = "paused"
	EnrollmentReplied      EnrollmentStatus = "replied"
	EnrollmentFinished     EnrollmentStatus = "finished"
	EnrollmentBounced      EnrollmentStatus = "bounced"
	EnrollmentUnsubscribed EnrollmentStatus = "unsubscribed"
	EnrollmentStopped      EnrollmentStatus = "stopped"
	EnrollmentFailed       EnrollmentStatus = "failed"
)

// Running reports whether more steps may be sent.
func (s EnrollmentStatus) Running() bool {
	return s == EnrollmentActive || s == EnrollmentHeld || s == EnrollmentPaused
}

// Ended reports whether the sequence has ended. A status that a newer program has added
// is neither running nor ended.
func (s EnrollmentStatus) Ended() bool {
	switch s {
	case EnrollmentReplied, EnrollmentFinished, EnrollmentBounced, EnrollmentUnsubscribed, EnrollmentStopped, EnrollmentFailed:
		return true
	}
	return false
}

// Enrollment is one prospect in one campaign.
type Enrollment struct {
	ID          uuid.UUID
	WorkspaceID uuid.UUID
	CampaignID  uuid.UUID
	ProspectID  uuid.UUID
	MailboxID   *uuid.UUID
	Status      EnrollmentStatus
	StopReason  *string
	HoldReason  *string
	HoldUntil   *time.Time
	// The message of which it is unknown whether it was sent, if the enrollment is held for that.
	UnknownMessageID *uuid.UUID
	NextStep         *int       // counts from 1; nil if no step is left
	DueAt            *time.Time // when the next step is due, whatever the window and the limits are
	NextSendAt       *time.Time // the first opening of the window at or after DueAt; computed when read
	Timezone         string     // of the prospect; empty for the campaign's
	GapEnd           *time.Time // end of the mailbox's gap
	CreatedAt        time.Time
}

// EnrollmentFilter narrows a list of enrollments.
type EnrollmentFilter struct {
	CampaignID *uuid.UUID
	ProspectID *uuid.UUID
	Status     *EnrollmentStatus
	Search     []string // beginnings of words of the prospect; from ParseSearch
}

// Opens sets what the steps and the calendar of c say about the enrollment. Behind the last step, which
// is where those wait whose step was removed, NextStep, DueAt and NextSendAt are nil.
//
// NextSendAt is the first time at or after now at which the next step may be sent, given
// the window of c, the due time, the end of a hold and the gap of the mailbox. It is the earliest
// possible time, because queues are not forecast. It is nil unless the enrollment is active or
// held, and nil when c ends before. The status of c does not matter: a draft or paused campaign has a
// reason of its own for not sending.
func (e *Enrollment) Opens(c *Campaign, now time.Time) {
	e.NextSendAt = nil
	if e.NextStep != nil && *e.NextStep > max(len(c.Steps), 1) { // a draft may not have its steps yet
		e.NextStep, e.DueAt = nil, nil
	}
	if e.DueAt == nil || e.Status != EnrollmentActive && e.Status != EnrollmentHeld {
		return
	}
	at := now
	for _, bound := range []*time.Time{e.DueAt, e.HoldUntil, e.GapEnd} {
		if bound != nil && bound.After(at) {
			at = *bound
		}
	}
	if opening := c.NextOpening(at, e.Timezone); !opening.IsZero() {
		e.NextSendAt = &opening
	}
}
