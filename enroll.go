package outreach

import "github.com/google/uuid"

// OnExisting selects what happens to a prospect that exists already.
type OnExisting string

// Skip leaves it unchanged, update applies the given fields.
const (
	OnExistingSkip   OnExisting = "skip"
	OnExistingUpdate OnExisting = "update"
)

// Enrolled is the result of adding a prospect to a campaign.
type Enrolled struct {
	Enrollment        Enrollment
	Prospect          Prospect
	ProspectCreated   bool
	EnrollmentCreated bool
}

// EnrollRequest asks to add a prospect to a campaign. Either ProspectID is set, or Change sets the
// fields of a prospect: a new one or, with Update, the existing one with the same address.
type EnrollRequest struct {
	WorkspaceID uuid.UUID
	CampaignID  uuid.UUID
	ProspectID  *uuid.UUID
	Change      func(*Prospect)
	Update      bool
	Force       bool
	Restart     bool
}

// EnrollOutcome is the result for one prospect of a bulk enrollment.
type EnrollOutcome string

// The outcomes of a bulk enrollment: added to the campaign, restarted, enrolled already and
// unchanged, refused.
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

// BulkEnrollResult is the result for the prospect at Index, counted from 0.
// EnrollmentID is nil if it was refused; Refusal is the error that a single
// EnrollRequest would get.
type BulkEnrollResult struct {
	Index        int
	Outcome      EnrollOutcome
	EnrollmentID *uuid.UUID
	Refusal      *Error
}
