package outreach

import "time"

// Overview counts the events of a workspace over some days, and reports what is set up.
type Overview struct {
	Days             []DayCounts
	Totals           Totals
	Previous         Totals
	NotSendingReason *string
	SentLastHour     int
	UnreadReplies    int
	Setup            Setup
}

// DayCounts counts the events of one UTC day. Opens is an upper bound.
type DayCounts struct {
	Date                                    string
	Sent, Replied, Positive, Bounced, Opens int
}

// StepCounts counts the messages of one step by outcome. Every message that was handed to a server
// counts as sent, even if it bounced.
type StepCounts struct {
	Step, Sent, Bounced, Clicked, Replied, Positive, Unsubscribed int
}

// WaitingStep counts the people of a campaign whose next step is this one.
type WaitingStep struct {
	Step   int // counts from 1; more than the campaign has for people whose step was removed
	People int
	Since  time.Time // the earliest time from which the delay of the step counts for one of them
}

// CampaignReport counts a campaign by step and by day.
type CampaignReport struct {
	Contacted int // people who were written to
	Steps     []StepCounts
	Days      []DayCounts
}

// Totals counts the events of a period. Opens is an upper bound.
type Totals struct {
	Sent, Replied, Positive, Bounced, Clicked, Unsubscribed, Opens int
}

// Add adds the counts of one day.
func (t *Totals) Add(day DayCounts, clicked, unsubscribed int) {
	t.Sent += day.Sent
	t.Replied += day.Replied
	t.Positive += day.Positive
	t.Bounced += day.Bounced
	t.Opens += day.Opens
	t.Clicked += clicked
	t.Unsubscribed += unsubscribed
}

// Setup reports which steps of setting up a workspace are done.
type Setup struct {
	Mailbox, Prospects, Campaign, TrackingDomain, Webhook bool
}
