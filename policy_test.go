package outreach

import (
	"slices"
	"testing"
	"time"
)

func TestPausesMailbox(t *testing.T) {
	t.Parallel()
	fault := func(recipient string) SentMessage { return SentMessage{recipient, true} }
	fine := SentMessage{Recipient: "z@z.test"}
	for name, c := range map[string]struct {
		counted int
		unnamed bool
		sent    []SentMessage
		want    bool
	}{
		"nothing sent":                      {1, false, nil, false},
		"two domains":                       {3, false, []SentMessage{fault("a@x.test"), fault("b@y.test"), fault("c@x.test")}, true},
		"two faults":                        {2, false, []SentMessage{fault("a@x.test"), fault("b@y.test")}, false},
		"one domain":                        {9, false, []SentMessage{fault("a@x.test"), fault("b@X.test"), fault("c@x.test")}, false},
		"one that went before":              {3, false, []SentMessage{fault("a@x.test"), fault("b@y.test"), fine, fault("c@x.test")}, false},
		"one that went after":               {3, false, []SentMessage{fine, fault("a@x.test"), fault("b@y.test"), fault("c@x.test")}, false},
		"the older ones do not count":       {9, false, []SentMessage{fault("a@x.test"), fine, fault("b@y.test"), fault("c@w.test")}, false},
		"no recipient named, third time":    {3, true, nil, true},
		"no recipient named, second time":   {2, true, nil, false},
		"no recipient named, then a domain": {2, true, []SentMessage{fault("a@x.test"), fault("b@y.test"), fault("c@x.test")}, true},
	} {
		if got := PausesMailbox(c.counted, c.unnamed, c.sent); got != c.want {
			t.Errorf("%s: pauses is %t, want %t", name, got, c.want)
		}
	}
}

func TestSoftBouncesEnd(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	days := func(ago ...float64) (at []time.Time) {
		for _, d := range ago {
			at = append(at, now.Add(-time.Duration(d*24*float64(time.Hour))))
		}
		return at
	}
	for name, c := range map[string]struct {
		at   []time.Time
		want bool
	}{
		"none":                        {nil, false},
		"two":                         {days(0, 1), false},
		"three":                       {days(0, 1, 13.9), true},
		"the third is 14 days old":    {days(0, 1, 14), false},
		"four, two of them too old":   {days(0, 1, 15, 16), false},
		"four, one of them too old":   {days(0, 1, 2, 16), true},
		"in any order, all in a day":  {days(0.3, 0.1, 0.2), true},
		"one counts at the same time": {days(0, 0, 0), true},
	} {
		if got := SoftBouncesEnd(c.at, now); got != c.want {
			t.Errorf("%s: ends is %t, want %t", name, got, c.want)
		}
	}
}

func TestHoldPrecedence(t *testing.T) {
	t.Parallel()
	for _, k := range HoldKinds {
		for _, before := range HoldKinds {
			want := before != HoldAbsence || k == HoldAbsence
			if k.Replaces(before) != want || slices.Contains(k.Keeps(), before) == want {
				t.Errorf("a hold for %s replaces one for %s: %t, keeps %v; want %t", k, before, k.Replaces(before), k.Keeps(), want)
			}
		}
	}
}

// Every cause has a status that ends an enrollment, and a reason of its own.
func TestEndings(t *testing.T) {
	t.Parallel()
	want := map[EndCause]EnrollmentStatus{
		EndCompleted:        EnrollmentFinished,
		EndProspectDeleted:  EnrollmentStopped,
		EndCampaignArchived: EnrollmentStopped,
		EndSuppressed:       EnrollmentStopped,
		EndUnsubscribed:     EnrollmentUnsubscribed,
		EndComplained:       EnrollmentUnsubscribed,
		EndBounced:          EnrollmentBounced,
		EndReplied:          EnrollmentReplied,
		EndColleagueReplied: EnrollmentReplied,
		EndSoftBounces:      EnrollmentFailed,
		EndPutOff:           EnrollmentFailed,
	}
	reasons := map[string]EndCause{}
	for cause, status := range want {
		ending := cause.Ending()
		if ending.Status != status {
			t.Errorf("%s ends as %s, want %s", cause, ending.Status, status)
		}
		if other, taken := reasons[ending.Reason]; taken {
			t.Errorf("%s and %s have the same reason %q", cause, other, ending.Reason)
		}
		reasons[ending.Reason] = cause
		if (ending.ReasonOrNil() == nil) != (cause == EndCompleted) {
			t.Errorf("%s: reason %v", cause, ending.ReasonOrNil())
		}
	}
}

func TestObstaclesEnd(t *testing.T) {
	t.Parallel()
	for obstacle, want := range map[Obstacle]EndCause{
		ObstacleSuppressed:   EndSuppressed,
		ObstacleUnsubscribed: EndUnsubscribed,
		ObstacleBounced:      EndBounced,
		ObstacleReplied:      EndReplied,
		ObstacleCompany:      EndColleagueReplied,
	} {
		if got := obstacle.Ends(); got != want {
			t.Errorf("%s ends as %s, want %s", obstacle, got, want)
		}
	}
}
