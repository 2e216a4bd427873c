package outreach

import (
	"time"

	"github.com/google/uuid"
)

// Progress is how far an enrollment came in its run.
type Progress struct {
	LastStepID *uuid.UUID // the last step that was sent; nil before the first
	LastStepAt *time.Time // when it was sent
	BegunAt    time.Time  // when the run began
}

// After returns the number of the first step of c placed after the last one that was
// sent, and when it is due: its delay counts from that one, that of the first step from
// the beginning of the run. It reports false when no step is left. Before the first step
// that is never so, as the steps of a draft may still be missing.
func (c *Campaign) After(p Progress) (number int, due time.Time, left bool) {
	from := p.BegunAt
	if p.LastStepID != nil && p.LastStepAt != nil {
		from = *p.LastStepAt
		for i, step := range c.Steps {
			if step.ID == *p.LastStepID {
				number = i + 1
			}
		}
		if number == 0 { // the step is gone: the next one may be one that was sent
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

// Continuation is what happens when an enrollment that has ended goes on. Refusal is the
// error that going on would get; Step is nil then.
type Continuation struct {
	Step       *int
	NextSendAt *time.Time // a lower bound, as that of an Enrollment
	NeedsForce bool       // it goes on with force only: the prospect or a colleague replied
	Refusal    *Error
}

// CampaignContinuation says what ContinueFinished of a campaign does, or has done.
type CampaignContinuation struct {
	Campaign  Campaign
	Continued int // people who get a step
	Refused   int // people who have a step left and must not be written to
	Steps     []ContinuedStep
}

// ContinuedStep counts the people who go on with one step. NextSendAt is the first time at
// which one of them may get it.
type ContinuedStep struct {
	Step       int
	People     int
	NextSendAt *time.Time
}

// CanGoOn returns an error if no enrollment can go on in the campaign, since it is
// archived.
func (c *Campaign) CanGoOn() error {
	if c.Status == CampaignArchived {
		return Errorf(CodeCampaignArchived, "The campaign is archived: nobody can go on in it.")
	}
	return nil
}

// CanContinueFinished returns an error that says why the finished enrollments of the
// campaign cannot go on, nil if they can.
func (c *Campaign) CanContinueFinished() error {
	if c.Status == CampaignActive || c.Status == CampaignCompleted {
		return nil
	}
	if err := c.CanGoOn(); err != nil {
		return err
	}
	return Errorf(CodeInvalidState, "Cannot continue: the campaign is %s; activate it first.", c.Status)
}

// CanContinue returns an error that says why an enrollment that has ended cannot go on,
// nil if it can. What stands against writing to the prospect is asked besides.
func (s EnrollmentStatus) CanContinue() error {
	if s == EnrollmentStopped || s == EnrollmentReplied {
		return nil
	}
	return Errorf(CodeInvalidState, "Cannot resume: the enrollment is %s.", s)
}
