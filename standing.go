package outreach

// Standing is the data of a prospect that decides whether it may be written to.
type Standing struct {
	Unsubscribed, Bounced, Replied bool
	Address, Domain                SuppressionReason // reason of the suppression of the address and of its domain; empty without one
	Company                        bool              // a colleague replied
}

// Obstacle is a reason not to write to a person.
type Obstacle string

// The obstacles in their order: the first that applies counts.
const (
	ObstacleNone         Obstacle = ""
	ObstacleSuppressed   Obstacle = "suppressed"
	ObstacleUnsubscribed Obstacle = "unsubscribed"
	ObstacleBounced      Obstacle = "bounced"
	ObstacleReplied      Obstacle = "replied"
	ObstacleCompany      Obstacle = "company replied"
)

// Obstacle returns the first obstacle to a step (docs/reference.md#eligibility). An unsubscribe or
// complaint counts whether the prospect or the address has it. A reply is an obstacle only if
// replies is true, a reply of a colleague only if company is true. AnswerObstacle is the rule for
// answers.
func (s Standing) Obstacle(replies, company bool) Obstacle {
	has := func(reason SuppressionReason) bool { return s.Address == reason || s.Domain == reason }
	switch {
	case has(SuppressedManually):
		return ObstacleSuppressed
	case s.Unsubscribed || has(SuppressedUnsubscribed) || has(SuppressedComplaint):
		return ObstacleUnsubscribed
	case s.Bounced || has(SuppressedBounced):
		return ObstacleBounced
	case s.Address != "" || s.Domain != "": // for a reason that a newer program has added
		return ObstacleSuppressed
	case s.Replied && replies:
		return ObstacleReplied
	case s.Company && company:
		return ObstacleCompany
	}
	return ObstacleNone
}
