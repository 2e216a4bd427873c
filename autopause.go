package outreach

import (
	"fmt"
	"time"
)

// The limits of a mailbox over its last days. A mailbox that reaches one is paused
// (docs/reference.md#auto-pause).
const (
	HealthDays       = 7
	enoughAttempts   = 50 // with fewer attempts, rates are not compared
	maxEarlyBounces  = 8  // limit while there are fewer than enoughAttempts
	bouncesIn        = 20 // 1 in 20: 5 %
	complaintsIn1000 = 3  // 0.3 %
	minComplaints    = 2
	complaintsIn     = 334 // 1 in 334: just below 0.3 %
)

// SenderHealth counts the steps that a mailbox has attempted and their outcomes. Answers do not
// count.
type SenderHealth struct {
	Attempted  int
	Bounced    int // refused or returned for a fault of the recipient
	Complained int // reported as spam
}

// HealthSince returns the start of the period that counts at now: HealthDays before, or the time
// at which a person resumed the mailbox.
func HealthSince(now time.Time, resumed *time.Time) time.Time {
	since := now.AddDate(0, 0, -HealthDays)
	if resumed != nil && resumed.After(since) {
		return *resumed
	}
	return since
}

// EnoughAttempts returns the number of attempts at which these bounces and complaints are within
// their limits. More need not be counted.
func (h SenderHealth) EnoughAttempts() int {
	return max(enoughAttempts, bouncesIn*h.Bounced, complaintsIn*h.Complained) + 1
}

// Pauses returns why the mailbox must be paused, as a text for its owner; empty if it is within
// its limits.
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

// share returns n of all as a percentage with one decimal.
func share(n, all int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(all, 1))) }
