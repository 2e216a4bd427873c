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

// BounceBound returns the number of bounces at which the mailbox is paused.
func (h SenderHealth) BounceBound() int {
	if h.Attempted < enoughAttempts {
		return maxEarlyBounces
	}
	return (h.Attempted + bouncesIn - 1) / bouncesIn
}

// ComplaintBound returns the number of complaints at which the mailbox is paused.
func (h SenderHealth) ComplaintBound() int {
	return max(minComplaints, (complaintsIn1000*h.Attempted+999)/1000)
}

// Warning returns what is wrong with a mailbox that has reached half of a bound, as a text for its
// owner; empty if it has not, or if it must be paused. Before enoughAttempts, the bounces that
// would then be too many count as well.
func (h SenderHealth) Warning() string {
	switch {
	case h.Pauses() != "":
		return ""
	case 2*h.Complained >= h.ComplaintBound():
		return fmt.Sprintf("%d of %d messages of the last %d days were reported as spam. At %d the mailbox is paused.",
			h.Complained, h.Attempted, HealthDays, h.ComplaintBound())
	case h.Attempted < enoughAttempts && bouncesIn*h.Bounced >= enoughAttempts:
		return fmt.Sprintf("%d of %d messages of the last %d days came back from their recipients. At %d, or at 5 %% of %d and more, "+
			"the mailbox is paused. Check the addresses.", h.Bounced, h.Attempted, HealthDays, maxEarlyBounces, enoughAttempts)
	case h.Attempted >= enoughAttempts && 2*h.Bounced >= h.BounceBound():
		return fmt.Sprintf("%d of %d messages of the last %d days came back from their recipients. At %d the mailbox is paused. "+
			"Check the addresses.", h.Bounced, h.Attempted, HealthDays, h.BounceBound())
	}
	return ""
}

// Fact returns what Warning is about in a few words: "Bounces at 4.2 %", or "3 bounces in 40 messages"
// before enoughAttempts.
func (h SenderHealth) Fact() string {
	complaints := 2*h.Complained >= h.ComplaintBound()
	switch {
	case h.Attempted >= enoughAttempts && complaints:
		return "Complaints at " + share(h.Complained, h.Attempted)
	case h.Attempted >= enoughAttempts:
		return "Bounces at " + share(h.Bounced, h.Attempted)
	case complaints:
		return fmt.Sprintf("%d reported as spam of %d messages", h.Complained, h.Attempted)
	}
	return fmt.Sprintf("%d bounces in %d messages", h.Bounced, h.Attempted)
}

// MailboxHealth is the health of a mailbox with its bounds.
type MailboxHealth struct {
	Attempted, Bounced, Complained int
	BounceBound, ComplaintBound    int
	// Warning is nil below half of each bound, and while the mailbox is paused.
	Warning *string
	// Days are the UTC days up to today that HealthDays touch, oldest first.
	Days []HealthDay
}

// HealthDay counts the messages of one UTC day.
type HealthDay struct {
	Date                           string
	Attempted, Bounced, Complained int
}

// NewMailboxHealth returns the health of a mailbox by the days on which it sent.
func NewMailboxHealth(now time.Time, status MailboxStatus, sent map[string]HealthDay) MailboxHealth {
	var h MailboxHealth
	for n := HealthDays; n >= 0; n-- {
		date := now.UTC().AddDate(0, 0, -n).Format(time.DateOnly)
		day := sent[date]
		day.Date = date
		h.Days = append(h.Days, day)
		h.Attempted += day.Attempted
		h.Bounced += day.Bounced
		h.Complained += day.Complained
	}
	counts := SenderHealth{Attempted: h.Attempted, Bounced: h.Bounced, Complained: h.Complained}
	h.BounceBound, h.ComplaintBound = counts.BounceBound(), counts.ComplaintBound()
	if why := counts.Warning(); why != "" && status != MailboxPaused {
		h.Warning = &why
	}
	return h
}

// Pauses returns why the mailbox must be paused, as a text for its owner; empty if it is within
// its limits.
func (h SenderHealth) Pauses() string {
	switch {
	case h.Complained >= h.ComplaintBound():
		return fmt.Sprintf("%d of %d messages of the last %d days were reported as spam (%s, the bound is 0.3 %%); "+
			"write to fewer people who do not expect it, then resume the mailbox",
			h.Complained, h.Attempted, HealthDays, share(h.Complained, h.Attempted))
	case h.Bounced < h.BounceBound():
		return ""
	case h.Attempted < enoughAttempts:
		return fmt.Sprintf("%d of the first %d messages of the last %d days came back from their recipients; "+
			"check the addresses, then resume the mailbox", h.Bounced, h.Attempted, HealthDays)
	}
	return fmt.Sprintf("%d of %d messages of the last %d days came back from their recipients (%s, the bound is 5 %%); "+
		"check the addresses, then resume the mailbox", h.Bounced, h.Attempted, HealthDays, share(h.Bounced, h.Attempted))
}

// share returns n of all as a percentage with one decimal.
func share(n, all int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(all, 1))) }
