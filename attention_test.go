package outreach

import (
	"fmt"
	"testing"
)

func TestProblemInWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		problem       Problem
		title, detail string
	}{
		"a mailbox": {Problem{Kind: AttentionMailboxError, Subject: "me@x.test", State: "error", Text: "refused"},
			"Mail server fails for me@x.test", "refused"},
		"a mailbox paused for refusals": {Problem{Kind: AttentionMailboxError, Subject: "me@x.test", State: "paused", Text: "refused"},
			"Refused messages paused me@x.test", "refused"},
		"a mailbox paused for bounces": {Problem{Kind: AttentionMailboxError, Subject: "me@x.test", State: "auto_paused", Text: "9 of 9"},
			"Bounces or complaints paused me@x.test", "9 of 9"},
		"a mailbox without a grant": {Problem{Kind: AttentionMailboxError, Subject: "me@x.test", State: "google", Text: "revoked"},
			"Google sign-in ended for me@x.test", "revoked"},
		"a silent mailbox": {Problem{Kind: AttentionMailboxError, Subject: "me@x.test", State: "error"},
			"Mail server fails for me@x.test", "cannot be reached"},
		"an OAuth client": {Problem{Kind: AttentionOAuthClient, Subject: "google", Text: "expired"},
			"Google refuses the OAuth client", "expired"},
		"another OAuth client": {Problem{Kind: AttentionOAuthClient, Subject: "microsoft", Text: "expired"},
			"Microsoft refuses the OAuth client", "expired"},
		"a domain": {Problem{Kind: AttentionSendingDomain, Subject: "x.test", State: "SPF", Text: "No record."},
			"SPF fails for x.test", "No record."},
		"an endpoint": {Problem{Kind: AttentionEndpointFailing, Subject: "https://a.test/", Count: 3, Text: "http 500"},
			"3 deliveries failed to https://a.test/", "last answer: http 500"},
		"an endpoint, no error": {Problem{Kind: AttentionEndpointFailing, Subject: "https://a.test/", Count: 1},
			"1 delivery failed to https://a.test/", "last answer: none"},
		"an unknown message": {Problem{Kind: AttentionMessageUnknown, Subject: "p@x.test"}, "A message to p@x.test may not have been sent",
			"The connection ended before the server confirmed it. Look in the Sent folder and record what you find."},
		"one held": {Problem{Kind: AttentionEnrollmentHeld, Subject: "p@x.test", State: "Spring", Count: 1,
			Text: "no subject"}, "p@x.test held in Spring", "no subject"},
		"one deleted": {Problem{Kind: AttentionEnrollmentHeld, State: "Spring", Count: 1}, "deleted prospect held in Spring", "held"},
		"several held": {Problem{Kind: AttentionEnrollmentHeld, Subject: "p@x.test", State: "Spring", Count: 999},
			"999 people held in Spring", "held"},
		"very many held": {Problem{Kind: AttentionEnrollmentHeld, State: "Spring", Count: 1000}, "1000 people or more held in Spring", "held"},
	} {
		if got := c.problem.Attention(); got.Title != c.title || got.Detail != c.detail {
			t.Errorf("%s: %q, %q; want %q, %q", name, got.Title, got.Detail, c.title, c.detail)
		}
	}
}

func TestMostUrgent(t *testing.T) {
	t.Parallel()
	var all []Attention
	for n := range 60 {
		all = append(all, Attention{Kind: AttentionEnrollmentHeld, Title: fmt.Sprint("held ", n)})
	}
	all = append(all, Attention{Kind: AttentionEndpointFailing}, Attention{Kind: AttentionMailboxWarning},
		Attention{Kind: AttentionMailboxError, Title: "b"}, Attention{Kind: AttentionMailboxError, Title: "a"},
		Attention{Kind: AttentionOAuthClient})
	got := MostUrgent(all)
	if len(got) != MaxAttention {
		t.Errorf("%d problems, want %d", len(got), MaxAttention)
	}
	for n, want := range []Attention{{Kind: AttentionOAuthClient}, {Kind: AttentionMailboxError, Title: "b"},
		{Kind: AttentionMailboxError, Title: "a"}, {Kind: AttentionMailboxWarning}, {Kind: AttentionEnrollmentHeld, Title: "held 0"}} {
		if got[n] != want {
			t.Errorf("problem %d is %+v, want %+v", n, got[n], want)
		}
	}
}

// A rate is told from the number of attempts on from which rates are compared.
func TestFactOfHealth(t *testing.T) {
	t.Parallel()
	for want, h := range map[string]SenderHealth{
		"3 bounces in 40 messages":          {Attempted: 40, Bounced: 3},
		"Bounces at 4.2 %":                  {Attempted: 95, Bounced: 4},
		"1 reported as spam of 40 messages": {Attempted: 40, Complained: 1},
		"Complaints at 0.2 %":               {Attempted: 1000, Bounced: 40, Complained: 2},
	} {
		if got := h.Fact(); got != want {
			t.Errorf("%+v: %q, want %q", h, got, want)
		}
	}
}
