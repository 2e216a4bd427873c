package outreach

import "time"

// The number of soft bounces, and the days within which they occur, that end an enrollment.
const (
	MaxSoftBounces = 3
	SoftBounceDays = 14
)

// SoftBounceSince returns the time from which soft bounces count.
func SoftBounceSince(now time.Time) time.Time { return now.AddDate(0, 0, -SoftBounceDays) }

// SoftBouncesEnd reports whether the soft bounces of an enrollment end it. at lists the times at
// which the bounced messages were sent.
func SoftBouncesEnd(at []time.Time, now time.Time) bool {
	n, since := 0, SoftBounceSince(now)
	for _, sent := range at {
		if sent.After(since) {
			n++
		}
	}
	return n >= MaxSoftBounces
}
