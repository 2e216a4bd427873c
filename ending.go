package outreach

// EndCause is the reason for which an enrollment ends.
type EndCause string

// The causes.
const (
	EndCompleted        EndCause = "completed"
	EndProspectDeleted  EndCause = "prospect deleted"
	EndCampaignArchived EndCause = "campaign archived"
	EndSuppressed       EndCause = "suppressed"
	EndSuppressedPaused EndCause = "suppressed while paused"
	EndUnsubscribed     EndCause = "unsubscribed"
	EndComplained       EndCause = "complained"
	EndBounced          EndCause = "bounced"
	EndReplied          EndCause = "replied"
	EndRepliedPaused    EndCause = "replied while paused"
	EndColleagueReplied EndCause = "colleague replied"
	EndColleaguePaused  EndCause = "colleague replied while paused"
	EndSoftBounces      EndCause = "soft bounces"
	EndPutOff           EndCause = "put off"
	EndStopped          EndCause = "stopped"
	EndStoppedPaused    EndCause = "stopped while paused"
)

// wasPaused ends the reason of an enrollment that was paused. An undo pauses it again.
const wasPaused = "; the enrollment was paused"

// Ending is the final state of an enrollment: its status and the reason shown to users, empty when
// all steps were sent.
type Ending struct {
	Status EnrollmentStatus
	Reason string
}

// Ending returns the final status and reason for a cause (docs/reference.md#eligibility).
func (c EndCause) Ending() Ending {
	switch c {
	case EndCompleted:
		return Ending{Status: EnrollmentFinished}
	case EndProspectDeleted:
		return Ending{EnrollmentStopped, "the prospect was deleted"}
	case EndCampaignArchived:
		return Ending{EnrollmentStopped, "the campaign was archived"}
	case EndUnsubscribed:
		return Ending{EnrollmentUnsubscribed, "the prospect unsubscribed"}
	case EndComplained:
		return Ending{EnrollmentUnsubscribed, "the prospect complained"}
	case EndBounced:
		return Ending{EnrollmentBounced, "mail to the prospect bounces"}
	case EndReplied:
		return Ending{EnrollmentReplied, "the prospect replied"}
	case EndRepliedPaused:
		return Ending{EnrollmentReplied, "the prospect replied" + wasPaused}
	case EndColleagueReplied:
		return Ending{EnrollmentReplied, "a colleague replied"}
	case EndColleaguePaused:
		return Ending{EnrollmentReplied, "a colleague replied" + wasPaused}
	case EndSoftBounces:
		return Ending{EnrollmentFailed, "three messages in a row could not be delivered"}
	case EndPutOff:
		return Ending{EnrollmentFailed, "the server deferred the message too often"}
	case EndStopped:
		return Ending{EnrollmentStopped, "stopped by hand"}
	case EndStoppedPaused:
		return Ending{EnrollmentStopped, "stopped by hand" + wasPaused}
	case EndSuppressedPaused:
		return Ending{EnrollmentStopped, "the address is suppressed" + wasPaused}
	}
	return Ending{EnrollmentStopped, "the address is suppressed"}
}

// With returns the ending with what a server said added to its reason.
func (e Ending) With(text string) Ending {
	e.Reason += ": " + text
	return e
}

// ReasonOrNil returns the reason, nil if it is empty.
func (e Ending) ReasonOrNil() *string {
	if e.Reason == "" {
		return nil
	}
	return &e.Reason
}

// Ends returns the cause for which an obstacle ends an enrollment.
func (o Obstacle) Ends() EndCause {
	switch o {
	case ObstacleUnsubscribed:
		return EndUnsubscribed
	case ObstacleBounced:
		return EndBounced
	case ObstacleReplied:
		return EndReplied
	case ObstacleCompany:
		return EndColleagueReplied
	}
	return EndSuppressed
}
