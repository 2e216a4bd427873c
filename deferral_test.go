package outreach

import (
	"testing"
	"time"
)

// Only 4xx for half an hour over two domains is told. Later two domains are enough.
func TestRecipientDeferral(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)
	d := RecipientDeferral{}
	for _, c := range []struct {
		minute int
		domain string
		told   bool
	}{
		{0, "a.test", false}, {45, "a.test", false}, // one domain says nothing about the mailbox
		{60, "b.test", false}, {89, "a.test", false}, {90, "a.test", true},
		{120, "a.test", false}, {121, "a.test", false}, {122, "c.test", true},
	} {
		now := start.Add(time.Duration(c.minute) * time.Minute)
		next, told := d.Add(c.domain, "451 later", now)
		if d = next; told != c.told {
			t.Errorf("minute %d, %s: told %v, want %v: %+v", c.minute, c.domain, told, c.told, d)
		}
		if c.told && (!d.Holds(now.Add(DeferralAllowed-1)) || d.Holds(now.Add(DeferralAllowed))) {
			t.Errorf("minute %d: the answer is not held for half an hour", c.minute)
		}
	}
}
