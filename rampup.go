package outreach

import "time"

// RampUp raises the limit of a mailbox with each day on which it has sent steps, so that a new
// mailbox does not send much at once.
type RampUp struct {
	Start    int // the limit of the first day
	Increase int // added for each later day on which steps were sent
}

// NewRampUp returns a ramp-up with the defaults of the API.
func NewRampUp() RampUp { return RampUp{Start: 10, Increase: 5} }

// LimitOn returns how many messages the mailbox may send in 24 hours on the UTC day of t, which is
// not before SentOn: DailyLimit, or less during the ramp-up. Only days before that day count.
func (m *Mailbox) LimitOn(t time.Time) int {
	if m.RampUp == nil {
		return m.DailyLimit
	}
	earlier := m.SendingDays
	if m.SentOn != nil && !m.SentOn.Before(UTCDay(t)) {
		earlier--
	}
	return min(m.DailyLimit, m.RampUp.Start+m.RampUp.Increase*max(earlier, 0))
}

// UTCDay returns the first instant of the UTC day of t.
func UTCDay(t time.Time) time.Time {
	year, month, day := t.UTC().Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// NextUTCDay returns the first instant of the UTC day after that of t.
func NextUTCDay(t time.Time) time.Time { return UTCDay(t).AddDate(0, 0, 1) }
