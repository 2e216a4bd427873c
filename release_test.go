package outreach_test

import (
	"testing"
	"time"

	"outreach"
)

func TestReleasesAreOrdered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		one, other string
		before     bool
	}{
		{"0.1.0", "0.2.0", true},
		{"0.9.0", "0.10.0", true},
		{"0.10.0", "0.9.0", false},
		{"1.0.0", "0.9.9", false},
		{"0.1.0", "0.1.0", false},
		{"0.1.0", "0.1.1", true},
		{"0.2.0-rc.1", "0.2.0", false},
		{"0.2.0+linux", "0.2.1", true},
	} {
		one, err := outreach.ParseRelease(c.one)
		if err != nil {
			t.Fatal(err)
		}
		other, err := outreach.ParseRelease(c.other)
		if err != nil {
			t.Fatal(err)
		}
		if got := one.Before(other); got != c.before {
			t.Errorf("%s before %s: %v, want %v", c.one, c.other, got, c.before)
		}
	}
}

func TestReleaseIsThreeNumbers(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "0.1", "0.1.0.0", "v0.1.0", "0.1.x", "0.-1.0", "0.1. 0", "devel", "0.1.99999999999"} {
		if r, err := outreach.ParseRelease(text); err == nil {
			t.Errorf("%q is read as %v", text, r)
		}
	}
	if r, err := outreach.ParseRelease("0.2.10-rc.1"); err != nil || r != (outreach.Release{0, 2, 10}) {
		t.Errorf("0.2.10-rc.1 is read as %v: %v", r, err)
	}
}

// What a newer program has added is neither taken for something else nor let through.
func TestNewerStates(t *testing.T) {
	t.Parallel()
	if s := outreach.EnrollmentStatus("nurturing"); s.Running() || s.Ended() {
		t.Error("a newer status of enrollments is running or ended")
	}
	if outreach.MailboxStatus("retired").Known() || outreach.SuppressionReason("legal").Known() {
		t.Error("a newer word is known")
	}
	for _, s := range []outreach.Standing{{Address: "legal"}, {Domain: "legal"}, {Domain: "legal", Replied: true}} {
		if got := s.Obstacle(true, true); got != outreach.ObstacleSuppressed {
			t.Errorf("%+v has obstacle %q", s, got)
		}
	}
	if got := outreach.AnswerObstacle([]outreach.SuppressionReason{"legal"}, time.Now(), nil); got != outreach.ObstacleSuppressed {
		t.Errorf("an answer has obstacle %q", got)
	}
}
