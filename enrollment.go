package outreach

import (
	"time"

	"github.com/google/uuid"
)

// EnrollmentStatus is the state of one prospect in one campaign.
type EnrollmentStatus string

// The states of an enrollment. A held one waits until the cause in HoldReason ends
// or a person resolves it.
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

// Running reports whether the sequence may still send.
func (s EnrollmentStatus) Running() bool {
	return s == EnrollmentActive || s == EnrollmentHeld || s == EnrollmentPaused
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
	NextStep    *int
	DueAt       *time.Time // the next step's own time, which windows and limits never move
	NextSendAt  *time.Time // the first opening at or after it; computed when read
	Timezone    string     // the prospect's; empty for that of the campaign
	GapEnd      *time.Time // of its mailbox
	CreatedAt   time.Time
}

// EnrollmentFilter narrows a list of enrollments.
type EnrollmentFilter struct {
	CampaignID *uuid.UUID
	ProspectID *uuid.UUID
	Status     *EnrollmentStatus
}

// Opens sets NextSendAt: the first instant at or after now at which the next step
// may go, for the window of c, the due time, the end of a hold and of the gap of the
// mailbox. It is a lower bound, since queues are not forecast; nil unless the
// enrollment is active or held, and when the dates of c leave no time.
func (e *Enrollment) Opens(c *Campaign, now time.Time) {
	e.NextSendAt = nil
	if e.DueAt == nil || e.Status != EnrollmentActive && e.Status != EnrollmentHeld {
		return
	}
	at := now
	for _, bound := range []*time.Time{e.DueAt, e.HoldUntil, e.GapEnd} {
		if bound != nil && bound.After(at) {
			at = *bound
		}
	}
	zone := &e.Timezone
	if e.Timezone == "" {
		zone = nil
	}
	if opening := c.NextOpening(at, zone); !opening.IsZero() {
		e.NextSendAt = &opening
	}
}
