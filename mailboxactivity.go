package outreach

import "time"

// ActivityDays is the number of UTC days that MailboxActivity counts, today included.
const ActivityDays = 30

// MailboxActivity counts the steps that a mailbox attempted over the last ActivityDays and their
// outcomes. Answers do not count.
type MailboxActivity struct {
	ActivityCounts
	// LastSentAt is when the mailbox last sent a step or an answer; nil if it has not.
	LastSentAt *time.Time
	// Days are the UTC days up to today, oldest first.
	Days []ActivityDay
}

// ActivityCounts counts the steps that a mailbox attempted.
type ActivityCounts struct {
	Attempted  int
	Bounced    int // refused or returned for a fault of the recipient
	Complained int // reported as spam
	Replied    int // answered by a person
}

// ActivityDay counts the steps of one UTC day. An outcome belongs to the day of its step.
type ActivityDay struct {
	Date string
	ActivityCounts
}

// ActivitySince returns the start of the first day that counts at now.
func ActivitySince(now time.Time) time.Time {
	return now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1-ActivityDays)
}

// NewMailboxActivity returns the activity of a mailbox by the days on which it sent.
func NewMailboxActivity(now time.Time, lastSentAt *time.Time, sent map[string]ActivityCounts) MailboxActivity {
	a := MailboxActivity{LastSentAt: lastSentAt}
	for n := range ActivityDays {
		date := ActivitySince(now).AddDate(0, 0, n).Format(time.DateOnly)
		day := sent[date]
		a.Days = append(a.Days, ActivityDay{date, day})
		a.Attempted += day.Attempted
		a.Bounced += day.Bounced
		a.Complained += day.Complained
		a.Replied += day.Replied
	}
	return a
}
