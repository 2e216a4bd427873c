package outreach

import (
	"time"

	"github.com/google/uuid"
)

// EnrollmentStatus is the state of one prospect in one campaign.
type EnrollmentStatus string

// The states of an enrollment. Held waits for something that is named in
// HoldReason and goes on by itself or when a person settles it.
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

// Enrollment is where one prospect stands in one campaign.
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

// OnExisting says what happens to a prospect that is already there.
type OnExisting string

// Skip leaves it as it is, update applies the given fields.
const (
	OnExistingSkip   OnExisting = "skip"
	OnExistingUpdate OnExisting = "update"
)

// Enrolled is the outcome of adding a prospect to a campaign.
type Enrolled struct {
	Enrollment        Enrollment
	Prospect          Prospect
	ProspectCreated   bool
	EnrollmentCreated bool
}

// BulkOutcome says what became of one element of a bulk request.
type BulkOutcome string

// The outcomes of a bulk element.
const (
	BulkCreated BulkOutcome = "created"
	BulkUpdated BulkOutcome = "updated"
	BulkSkipped BulkOutcome = "skipped"
	BulkInvalid BulkOutcome = "invalid"
)

// MaxBulk is how many elements one bulk request may carry.
const MaxBulk = 1000

// BulkMode says how a bulk request treats a prospect who has the address already,
// and whether anything is to stay: a dry run only tells.
type BulkMode struct {
	Update bool
	DryRun bool
}

// BulkElement is one prospect of a bulk request. Change fills it in, or edits the
// one that has the address; Faults says why it could not be read at all.
type BulkElement struct {
	Change func(*Prospect)
	Faults Faults
}

// BulkResult is what became of the element at Index, counted from 0. Changes are
// JSON pointers to the values that an update makes others; with none of them an
// updated prospect is as it was.
type BulkResult struct {
	Index      int
	Outcome    BulkOutcome
	ProspectID *uuid.UUID
	Changes    []string
	Errors     []FieldError
}

// EnrollRequest asks to add a prospect to a campaign. Either ProspectID is set,
// or Change fills in a prospect: a new one, or with Update the one that has the
// address already.
type EnrollRequest struct {
	WorkspaceID uuid.UUID
	CampaignID  uuid.UUID
	ProspectID  *uuid.UUID
	Change      func(*Prospect)
	Update      bool
	Force       bool
	Restart     bool
}

// EnrollOutcome says what became of one prospect of a bulk enrollment.
type EnrollOutcome string

// The outcomes of a bulk enrollment: newly in the campaign, begun again, there
// already and left as it is, refused.
const (
	EnrollEnrolled  EnrollOutcome = "enrolled"
	EnrollRestarted EnrollOutcome = "restarted"
	EnrollPresent   EnrollOutcome = "present"
	EnrollRefused   EnrollOutcome = "refused"
)

// BulkEnrollRequest asks to add up to MaxBulk prospects to a campaign.
type BulkEnrollRequest struct {
	WorkspaceID uuid.UUID
	CampaignID  uuid.UUID
	ProspectIDs []uuid.UUID
	Force       bool
	Restart     bool
}

// BulkEnrollResult is what became of the prospect at Index, counted from 0.
// EnrollmentID is nil for one that is refused; Refusal is what EnrollRequest
// would have been answered.
type BulkEnrollResult struct {
	Index        int
	Outcome      EnrollOutcome
	EnrollmentID *uuid.UUID
	Refusal      *Error
}
