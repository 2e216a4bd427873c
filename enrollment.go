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
	NextSendAt  *time.Time
	CreatedAt   time.Time
}

// EnrollmentFilter narrows a list of enrollments.
type EnrollmentFilter struct {
	CampaignID *uuid.UUID
	ProspectID *uuid.UUID
	Status     *EnrollmentStatus
}
