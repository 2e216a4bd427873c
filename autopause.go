package outreach

import (
	"fmt"
	"time"
)

// The bounds of a mailbox over its last days. A mailbox that reaches one is paused
// before its reputation is gone (docs/reference.md#auto-pause).
const (
	HealthDays       = 7
	enoughAttempts   = 50 // before that a share says little
	maxEarlyBounces  = 8  // before there are enough attempts
	bouncesIn        = 20 // one in so many is 5 %
	complaintsIn1000 = 3  // 0.3 %
	minComplaints    = 2
	complaintsIn     = 334 // attempts at most for each complaint at its bound
)

// SenderHealth is what became of the steps that a mailbox has attempted. Answers do
// not count.
type SenderHealth struct {
	Attempted  int
	Bounced    int // refused or returned for a fault of the recipient
	Complained int // reported as spam
}

// HealthSince returns from when on steps count at now: HealthDays before, or since a
// person resumed the mailbox.
func HealthSince(now time.Time, resumed *time.Time) time.Time {
	since := now.AddDate(0, 0, -HealthDays)
	if resumed != nil && resumed.After(since) {
		return *resumed
	}
	return since
}

// EnoughAttempts is how many attempts are counted at most: with more of them these
// bounces and complaints are within their bounds.
func (h SenderHealth) EnoughAttempts() int {
	return max(enoughAttempts, bouncesIn*h.Bounced, complaintsIn*h.Complained) + 1
}

// Pauses returns why the mailbox is paused, in words for its owner, empty while it is
// within its bounds.
func (h SenderHealth) Pauses() string {
	switch {
	case h.Complained >= minComplaints && 1000*h.Complained >= complaintsIn1000*h.Attempted:
		return fmt.Sprintf("%d of %d messages of the last %d days were reported as spam (%s, the bound is 0.3 %%); "+
			"write to fewer people who do not expect it, then resume the mailbox",
			h.Complained, h.Attempted, HealthDays, share(h.Complained, h.Attempted))
	case h.Attempted < enoughAttempts && h.Bounced >= maxEarlyBounces:
		return fmt.Sprintf("%d of the first %d messages of the last %d days came back from their recipients; "+
			"check the addresses, then resume the mailbox", h.Bounced, h.Attempted, HealthDays)
	case h.Attempted >= enoughAttempts && bouncesIn*h.Bounced >= h.Attempted:
		return fmt.Sprintf("%d of %d messages of the last %d days came back from their recipients (%s, the bound is 5 %%); "+
			"check the addresses, then resume the mailbox", h.Bounced, h.Attempted, HealthDays, share(h.Bounced, h.Attempted))
	}
	return ""
}

// share returns n of all as a percentage for people.
func share(n, all int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(all, 1))) }
