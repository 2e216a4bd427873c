package outreach

import (
	"testing"
	"time"
)

// A mail is looked for soon, then less often, and never later than every two minutes.
func TestPlacementWaits(t *testing.T) {
	t.Parallel()
	for looks, want := range map[int]time.Duration{
		0: 2 * time.Second, 1: 2 * time.Second, 2: 4 * time.Second, 6: 64 * time.Second, 7: 2 * time.Minute, 500: 2 * time.Minute,
	} {
		c := PlacementCheck{Looks: looks}
		if got := c.NextLook(); got != want {
			t.Errorf("after %d attempts: %v, want %v", looks, got, want)
		}
	}
}

// The clocks of two servers differ; the time between them stays within what was measured
// here.
func TestPlacementSeconds(t *testing.T) {
	t.Parallel()
	sent := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		arrived time.Time
		want    int
	}{
		"in between":       {sent.Add(4 * time.Second), 4},
		"before it left":   {sent.Add(-time.Hour), 0},
		"after it was met": {sent.Add(time.Hour), 30},
	} {
		check := PlacementCheck{SentAt: &sent}
		check.Note(PlacementResult{Folder: PlacementInbox, Arrived: c.arrived}, sent.Add(30*time.Second))
		if check.Status != PlacementArrived || *check.Seconds != c.want {
			t.Errorf("%s: %s after %d s, want %d s", name, check.Status, *check.Seconds, c.want)
		}
	}
}
