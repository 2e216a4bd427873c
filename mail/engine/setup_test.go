package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A refusal that is about our own set-up blames no recipient, wherever the server
// says it.
func TestSetUpFaultsBlameNoRecipient(t *testing.T) {
	t.Parallel()
	tests := []struct{ command, answer, want string }{
		{"RCPT", "504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname", "blocked"},
		{"RCPT", "550 5.7.1 <unknown[192.0.2.1]>: Client host rejected: cannot find your hostname", "blocked"},
		{"RCPT", "553 5.7.1 <me@acme.test>: Sender address rejected: not owned by user ann", "blocked"},
		{"RCPT", "554 5.7.1 <one@away.test>: Relay access denied", "blocked"},
		{"RCPT", "530 5.7.0 Must issue a STARTTLS command first", "blocked"},
		{"RCPT", "530 5.7.57 Client was not authenticated to send mail", "blocked"},
		{".", "550 5.7.60 Client is not permitted to send as this sender: not permitted to send as", "blocked"},
		{"MAIL", "550 5.7.1 no", "blocked"},
		{"RCPT", "550 5.1.1 nobody here", "refused recipient"},
		{"RCPT", "504 5.5.2 <one>: Recipient address rejected: need fully-qualified address", ""},
	}
	for _, c := range tests {
		t.Run(c.answer, func(t *testing.T) {
			t.Parallel()
			store := newFakeStore()
			store.box("me@acme.test", startSMTP(t, at(c.command, c.answer)).MailServer, "one@away.test")
			fakeEngine(store, nil).SendOnce(t.Context())
			if c.want == "" {
				if len(store.settled) != 1 || store.settled[0] == "one@away.test blocked" {
					t.Errorf("settled %q", store.settled)
				}
				return
			}
			if diff := cmp.Diff([]string{"one@away.test " + c.want}, store.settled); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// EHLO, STARTTLS and AUTH come before any recipient: the mailbox is flagged.
func TestRefusedSessionsFlagTheMailbox(t *testing.T) {
	t.Parallel()
	store := newFakeStore()
	hates := startSMTP(t, func(c, n int, command, line string) string {
		if command == "EHLO" || command == "HELO" {
			return "550 5.7.1 go away"
		}
		return fine(c, n, command, line)
	})
	store.box("me@acme.test", hates.MailServer, "one@away.test")
	fakeEngine(store, nil).SendOnce(t.Context())
	if len(store.notes) != 1 {
		t.Errorf("notes %q", store.notes)
	}
	if diff := cmp.Diff([]string{"one@away.test failed"}, store.settled); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
