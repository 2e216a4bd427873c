package outreach

// Standing is what is known of a prospect that may stand against writing to it.
type Standing struct {
	Unsubscribed, Bounced, Replied bool
	Address, Domain                SuppressionReason // of the suppression of the address and of its domain; empty without one
	Company                        bool              // a colleague replied
}

// Obstacle is what stands against writing to somebody.
type Obstacle string

// The obstacles in their order: the first that holds is the one that counts.
const (
	ObstacleNone         Obstacle = ""
	ObstacleSuppressed   Obstacle = "suppressed"
	ObstacleUnsubscribed Obstacle = "unsubscribed"
	ObstacleBounced      Obstacle = "bounced"
	ObstacleReplied      Obstacle = "replied"
	ObstacleCompany      Obstacle = "company replied"
)

// Obstacle returns the first obstacle (docs/reference.md#eligibility). An
// unsubscribe or complaint counts as the wish of the person, whether the prospect or
// the address has it. A reply is no obstacle where replies is false, a reply of a
// colleague where company is false.
func (s Standing) Obstacle(replies, company bool) Obstacle {
	has := func(reason SuppressionReason) bool { return s.Address == reason || s.Domain == reason }
	switch {
	case has(SuppressedManually):
		return ObstacleSuppressed
	case s.Unsubscribed || has(SuppressedUnsubscribed) || has(SuppressedComplaint):
		return ObstacleUnsubscribed
	case s.Bounced || has(SuppressedBounced):
		return ObstacleBounced
	case s.Replied && replies:
		return ObstacleReplied
	case s.Company && company:
		return ObstacleCompany
	}
	return ObstacleNone
}
