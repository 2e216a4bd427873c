package outreach

import (
	"time"

	"github.com/google/uuid"
)

// Progress is the last step that an enrollment has sent in its run.
type Progress struct {
	LastStepID *uuid.UUID // the last step that was sent; nil before the first
	LastStepAt *time.Time // when it was sent
	BegunAt    time.Time  // when the run began
}

// After returns the number of the first step of c after the last one that was sent, and when it is
// due: its delay counts from that step, or for the first step from the start of the run. It
// reports false when no step is left. Before the first step it always reports true, because a
// draft may not have its steps yet.
func (c *Campaign) After(p Progress) (number int, due time.Time, left bool) {
	from := p.BegunAt
	if p.LastStepID != nil && p.LastStepAt != nil {
		from = *p.LastStepAt
		for i, step := range c.Steps {
			if step.ID == *p.LastStepID {
				number = i + 1
			}
		}
		if number == 0 { // the step was deleted: the next one may have been sent already
			return 0, from, false
		}
	}
	switch {
	case number < len(c.Steps):
		return number + 1, from.Add(time.Duration(c.Steps[number].DelayMinutes) * time.Minute), true
	case number == 0:
		return 1, from, true
	}
	return 0, from, false
}

// Continuation is the effect of continuing an ended enrollment. If it would be refused, Refusal is
// the error and Step is nil.
type Continuation struct {
	Step       *int
	NextSendAt *time.Time // the earliest possible time, as in Enrollment
	NeedsForce bool       // force is required: the prospect or a colleague replied
	Refusal    *Error
}

// CampaignContinuation is the effect of ContinueFinished on a campaign, planned or done.
type CampaignContinuation struct {
	Campaign  Campaign
	Continued int // people who get another step
	Refused   int // people with a step left who must not be written to
	Steps     []ContinuedStep
}

// ContinuedStep counts the people whose next step is this one. NextSendAt is the earliest time at
// which one of them may get it.
type ContinuedStep struct {
	Step       int
	People     int
	NextSendAt *time.Time
}

// CanGoOn returns an error if the campaign is archived: no enrollment can continue in it.
func (c *Campaign) CanGoOn() error {
	if c.Status == CampaignArchived {
		return Errorf(CodeCampaignArchived, "The campaign is archived: enrollments cannot continue in it.")
	}
	return nil
}

// CanContinueFinished returns an error with the reason if the finished enrollments of the campaign
// cannot continue, else nil.
func (c *Campaign) CanContinueFinished() error {
	if c.Status.Sends() {
		return nil
	}
	if err := c.CanGoOn(); err != nil {
		return err
	}
	return Errorf(CodeInvalidState, "Cannot continue: the campaign is %s; activate it first.", c.Status.Told())
}

// CanContinue returns an error with the reason if an ended enrollment with this status cannot
// continue, else nil. Whether the prospect may be written to is checked separately.
func (s EnrollmentStatus) CanContinue() error {
	if s == EnrollmentStopped || s == EnrollmentReplied {
		return nil
	}
	return Errorf(CodeInvalidState, "Cannot resume: the enrollment is %s; enroll with restart to begin again.", s)
}
