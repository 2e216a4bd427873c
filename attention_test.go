package outreach

import "testing"

func TestProblemInWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		problem       Problem
		title, detail string
	}{
		"a mailbox": {
			Problem{Kind: AttentionMailboxError, Subject: "me@x.test", State: "error", Text: "refused"}, "me@x.test", "refused"},
		"a paused mailbox": {Problem{Kind: AttentionMailboxError, Subject: "me@x.test", State: "paused",
			Text: "refused"}, "me@x.test", "paused: refused"},
		"a silent mailbox":     {Problem{Kind: AttentionMailboxError, Subject: "me@x.test", State: "error"}, "me@x.test", "cannot be reached"},
		"an OAuth client":      {Problem{Kind: AttentionOAuthClient, Subject: "google", Text: "expired"}, "Google", "expired"},
		"another OAuth client": {Problem{Kind: AttentionOAuthClient, Subject: "microsoft", Text: "expired"}, "Microsoft", "expired"},
		"an endpoint": {Problem{Kind: AttentionEndpointFailing, Subject: "https://a.test/", Count: 3,
			Text: "http 500"}, "https://a.test/", "3 deliveries failed in the last day, last: http 500"},
		"an endpoint, no error": {Problem{Kind: AttentionEndpointFailing, Subject: "https://a.test/", Count: 1},
			"https://a.test/", "1 deliveries failed in the last day, last: no answer"},
		"an unknown message": {Problem{Kind: AttentionMessageUnknown, Subject: "p@x.test"}, "p@x.test",
			"It is unknown whether this message was sent. Look in the Sent folder and record what you find."},
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
