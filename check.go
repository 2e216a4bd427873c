package outreach

import (
	"strconv"
	"time"

	"github.com/google/uuid"
)

// CheckCause is why a campaign cannot write to a person, or not yet.
type CheckCause string

// The causes. Each person has the first of those that refuse an enrollment or end it, or had_all; the people
// without one have each cause that holds a step, had_steps, and contact_gap if they have to wait.
const (
	CheckEnrolled       CheckCause = "enrolled" // in the campaign already
	CheckSuppressed     CheckCause = "suppressed"
	CheckUnsubscribed   CheckCause = "unsubscribed"
	CheckBounced        CheckCause = "bounced"
	CheckReplied        CheckCause = "replied"
	CheckCompanyReplied CheckCause = "company_replied"
	CheckMissing        CheckCause = "missing"     // a step prints a variable without a value: the enrollment is held
	CheckContent        CheckCause = "content"     // a step cannot be composed: the enrollment is held
	CheckHadAll         CheckCause = "had_all"     // got every step before the prospect was deleted and added again
	CheckHadSteps       CheckCause = "had_steps"   // got some of them, and continues after those
	CheckContactGap     CheckCause = "contact_gap" // another campaign wrote a short time ago: the step waits
)

// PeopleCheck is the result of a check of People prospects. Ready of them have no cause but
// had_steps and contact_gap.
type PeopleCheck struct {
	People   int
	Ready    int
	Findings []PeopleFinding
}

// PeopleFinding is one cause and the people who have it. Variable is set for CheckMissing, Detail
// for CheckContent, and to the number of the next step for CheckHadSteps.
type PeopleFinding struct {
	Cause    CheckCause
	Variable *string
	Detail   *string
	People   []CheckedPerson
}

// CheckedPerson is a prospect in a finding.
type CheckedPerson struct {
	ID    uuid.UUID
	Email string
}

// Candidate is a prospect that a campaign will write to. Status is that of the enrollment in the
// campaign, empty without one. Step is the number of the next step. GapUntil is the end of the gap
// after a step of another campaign; nil without one. Former is how far the address came in the campaign before
// its prospect was deleted and added again; nil if it got no step.
type Candidate struct {
	Prospect Prospect
	Standing Standing
	Status   EnrollmentStatus
	Step     int
	Forced   bool
	GapUntil *time.Time
	Former   *Progress
}

// Lack is what holds the steps of one person: variables without a value, or faults in words.
type Lack struct {
	Missing []string
	Faults  []string
}

// refusals are the causes of the obstacles. An obstacle that is missing here is CheckSuppressed.
var refusals = map[Obstacle]CheckCause{
	ObstacleNone:         "",
	ObstacleUnsubscribed: CheckUnsubscribed,
	ObstacleBounced:      CheckBounced,
	ObstacleReplied:      CheckReplied,
	ObstacleCompany:      CheckCompanyReplied,
}

// Refused returns why c refuses to enroll the candidate, or will end its enrollment instead of
// sending the next step; "" if it does not. Of a candidate who got steps before it sets the next one.
func (c *Campaign) Refused(p *Candidate, enrolling bool) CheckCause {
	obstacle := p.Standing.Obstacle(c.StopOnReply && !p.Forced, false)
	if enrolling {
		if p.Status != "" {
			return CheckEnrolled
		}
		obstacle = p.Standing.Obstacle(true, c.StopCompanyOnReply)
		if obstacle == ObstacleNone && p.Former != nil {
			return c.continues(p)
		}
	}
	cause, known := refusals[obstacle]
	if !known {
		return CheckSuppressed
	}
	return cause
}

// continues sets the next step of a candidate who got steps before. It returns CheckHadAll if none is left.
func (c *Campaign) continues(p *Candidate) CheckCause {
	number, _, left := c.After(*p.Former)
	if !left {
		return CheckHadAll
	}
	p.Step = number
	return ""
}

// Add counts a candidate with its refusal, or with what it lacks.
func (k *PeopleCheck) Add(p *Candidate, refused CheckCause, lack Lack) {
	k.People++
	who := CheckedPerson{p.Prospect.ID, p.Prospect.Email}
	if refused != "" {
		k.find(PeopleFinding{Cause: refused}, who)
		return
	}
	if len(lack.Missing)+len(lack.Faults) == 0 {
		k.Ready++
	}
	for _, name := range lack.Missing {
		k.find(PeopleFinding{Cause: CheckMissing, Variable: &name}, who)
	}
	for _, fault := range lack.Faults {
		k.find(PeopleFinding{Cause: CheckContent, Detail: &fault}, who)
	}
	if p.Former != nil {
		k.find(PeopleFinding{Cause: CheckHadSteps, Detail: new(strconv.Itoa(p.Step))}, who)
	}
	if p.GapUntil != nil {
		k.find(PeopleFinding{Cause: CheckContactGap}, who)
	}
}

// find adds a person to the finding with the cause, the variable and the detail of f.
func (k *PeopleCheck) find(f PeopleFinding, who CheckedPerson) {
	same := func(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }
	for i := range k.Findings {
		had := &k.Findings[i]
		if had.Cause == f.Cause && same(had.Variable, f.Variable) && same(had.Detail, f.Detail) {
			had.People = append(had.People, who)
			return
		}
	}
	f.People = []CheckedPerson{who}
	k.Findings = append(k.Findings, f)
}
