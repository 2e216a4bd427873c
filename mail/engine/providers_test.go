package engine_test

import (
	"bytes"
	"fmt"
	netmail "net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/sandbox"
)

// sender is the only mailbox of a world with a provider.
const sender = "me@acme.test"

// provided is a world whose mailbox has a provider with quirks.
func provided(t *testing.T, q sandbox.AccountQuirks) *world {
	t.Helper()
	w := newWorld(t, time.Now().UTC(), time.Millisecond)
	w.mail.SetAccountQuirks(sender, q)
	return w
}

// thread is a campaign of three steps in one thread, an hour apart.
func (w *world) thread(emails ...string) outreach.Campaign {
	w.t.Helper()
	c := w.campaign(func(c *outreach.Campaign) {
		c.Steps = []outreach.Step{{Subject: new("Hello"), BodyText: new("One")}, {BodyText: new("Two"), DelayMinutes: 60},
			{BodyText: new("Three"), DelayMinutes: 60}}
	}, w.mailbox(sender, nil))
	w.exec(`UPDATE workspaces SET contact_gap_hours = 0`)
	w.enrollInTurn(c, emails...)
	return c
}

// arrivedAt returns the headers of what a prospect got, oldest first.
func (w *world) arrivedAt(email string) (all []netmail.Header) {
	w.t.Helper()
	for _, r := range w.mail.Received() {
		if r.To != email {
			continue
		}
		raw, err := r.Raw()
		must(w.t, err)
		m, err := netmail.ReadMessage(bytes.NewReader(raw))
		must(w.t, err)
		all = append(all, m.Header)
	}
	return all
}

// inboxGets puts mails into the inbox of the mailbox.
func (w *world) inboxGets(mails ...string) {
	w.t.Helper()
	fileIn(w.t, w.ownServer(), "INBOX", imap.AppendOptions{}, mails...)
}

// replyOf is an answer from an address that is not the prospect's.
func replyOf(id string) string {
	return fmt.Sprintf("From: Assistant <assistant@elsewhere.test>\r\nTo: %s\r\nMessage-ID: <%s@elsewhere.test>\r\nIn-Reply-To: %s\r\n"+
		"Subject: Re: Hello\r\n\r\nWhat does it cost?\r\n", sender, uuid.NewString(), id)
}

// A provider replaces Message-IDs and may name the new one: replies and reports that name it are
// about our message, also those that are read together with its copy.
func TestProviderReplacesMessageIDs(t *testing.T) {
	t.Parallel()
	for name, ids := range map[string]sandbox.MessageIDs{
		"named in the answer": sandbox.NameIDs, "in the Sent folder": sandbox.ReplaceIDs,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := provided(t, sandbox.AccountQuirks{IDs: ids})
			w.thread("ann@away.test", "bob@away.test")
			w.engine.SendOnce(w.ctx)
			w.inboxGets(replyOf(w.arrivedAt("ann@away.test")[0].Get("Message-ID")), "From: MAILER-DAEMON@mx.test\r\n"+
				strings.Join(report("r1", "alias@elsewhere.test", w.arrivedAt("bob@away.test")[0].Get("Message-ID"), "failed", "5.1.1",
					"550 5.1.1 no such user"), "\r\n")+"\r\n")
			w.engine.ReceiveOnce(w.ctx)
			got := rows[string](w, `SELECT p.email || ' ' || p.status FROM prospects p ORDER BY 1`)
			if diff := cmp.Diff([]string{"ann@away.test replied", "bob@away.test bounced"}, got); diff != "" {
				t.Errorf("prospects (-want +got):\n%s", diff)
			}
			if n := rows[int](w, `SELECT count(*)::int FROM replies WHERE prospect_id IS NULL`)[0]; n != 0 {
				t.Errorf("%d mails are unmatched", n)
			}
		})
	}
}

// The next step answers what its recipient has: In-Reply-To is the id that arrived, and References
// has it too.
func TestFollowUpAnswersWhatArrived(t *testing.T) {
	t.Parallel()
	for name, ids := range map[string]sandbox.MessageIDs{
		"named in the answer": sandbox.NameIDs, "in the Sent folder": sandbox.ReplaceIDs,
		"kept": sandbox.KeepIDs, "kept and named": sandbox.NameKeptIDs,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := provided(t, sandbox.AccountQuirks{IDs: ids})
			w.thread("ann@away.test")
			for n := 1; n <= 3; n++ {
				eventually(w, "mails", n, func() int {
					w.exec(`UPDATE mailboxes SET look_at = '-infinity'`)
					w.engine.SendOnce(w.ctx)
					return w.mails("ann@away.test")
				})
				w.engine.ReceiveOnce(w.ctx)
				w.clock.Advance(2 * time.Hour)
			}
			got := w.arrivedAt("ann@away.test")
			for n := 1; n < 3; n++ {
				before := got[n-1].Get("Message-ID")
				if got[n].Get("In-Reply-To") != before {
					t.Errorf("step %d answers %s, want %s", n+1, got[n].Get("In-Reply-To"), before)
				}
				references := strings.Fields(got[n].Get("References"))
				if !slices.Contains(references, got[0].Get("Message-ID")) || !slices.Contains(references, before) {
					t.Errorf("step %d refers to %v", n+1, references)
				}
			}
			want := 0
			if ids == sandbox.NameIDs || ids == sandbox.ReplaceIDs {
				want = 3
			}
			if stored := rows[int](w, `SELECT count(coalesce(named_id, filed_id))::int FROM messages`)[0]; stored != want {
				t.Errorf("%d replaced ids are stored, want %d", stored, want)
			}
		})
	}
}

// A server that names one id for every message gives none.
func TestProviderNamesAConstant(t *testing.T) {
	t.Parallel()
	w := provided(t, sandbox.AccountQuirks{IDs: sandbox.NameQueueIDs})
	w.smallCampaign("ann@away.test", "bob@away.test")
	w.engine.SendOnce(w.ctx)
	w.inboxGets(replyOf("<queue@prod.sandbox.test>"), replyOf(w.arrivedAt("bob@away.test")[0].Get("Message-ID")))
	w.engine.ReceiveOnce(w.ctx)
	got := rows[string](w, `SELECT p.email FROM replies r JOIN prospects p ON p.id = r.prospect_id ORDER BY r.received_at, 1`)
	if !slices.Contains(got, "bob@away.test") {
		t.Errorf("the replies are of %v", got)
	}
}

// A process dies after the final dot. The copy in the Sent folder, under any Message-ID, proves
// that the message left; no prospect gets it twice.
func TestProviderProvesWhatADeadProcessSent(t *testing.T) {
	t.Parallel()
	for name, q := range map[string]sandbox.AccountQuirks{
		"named in the answer":      {IDs: sandbox.NameIDs},
		"in the Sent folder":       {IDs: sandbox.ReplaceIDs},
		"without search of fields": {IDs: sandbox.ReplaceIDs, NoFieldSearch: true},
	} {
		for _, early := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, read before the lease ends: %v", name, early), func(t *testing.T) {
				t.Parallel()
				w := provided(t, q)
				c := w.smallCampaign("a1@away.test", "a2@away.test", "a3@away.test", "a4@away.test", "a5@away.test", "a6@away.test")
				w.engine.SendOnce(w.ctx) // so many that a search for everything does not hit by chance
				w.enrollInTurn(c, "ann@away.test")
				w.dies(beforeSettle, 1, time.Minute)
				if early {
					w.engine.ReceiveOnce(w.ctx)
				}
				w.finish([]string{"ann@away.test"})
				eventually(w, "status", "sent", func() string {
					w.exec(`UPDATE mailboxes SET receive_at = '-infinity', receive_lease = NULL`)
					w.engine.ReceiveOnce(w.ctx)
					return w.statuses()["ann@away.test"]
				})
				if n := w.mails("ann@away.test"); n != 1 {
					t.Errorf("ann got %d mails", n)
				}
				w.inboxGets(replyOf(w.arrivedAt("ann@away.test")[0].Get("Message-ID")))
				w.engine.ReceiveOnce(w.ctx)
				ann := rows[uuid.UUID](w, `SELECT id FROM prospects WHERE email = 'ann@away.test'`)[0]
				if got := w.history(ann); !slices.Contains(got, "replied") {
					t.Errorf("history %v", got)
				}
			})
		}
	}
}

// mailbox state, as its owner sees it.
func (w *world) ownState() (status outreach.MailboxStatus, problem string) {
	w.t.Helper()
	boxes, err := w.ListMailboxes(w.ctx, w.ws)
	must(w.t, err)
	return boxes[0].Status, value(boxes[0].LastError)
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// A provider that refuses the login tells the owner in one sentence what to correct. No prospect
// bounces, and sending continues afterwards.
func TestProviderRefusesLogins(t *testing.T) {
	t.Parallel()
	for advice, q := range map[string]sandbox.AccountQuirks{
		"The provider no longer accepts passwords; connect the mailbox with the provider's button": {NoPasswords: true},
		"Ask your administrator to enable SMTP AUTH for this mailbox":                              {NoSMTPAuth: true},
	} {
		t.Run(advice, func(t *testing.T) {
			t.Parallel()
			w := provided(t, q)
			w.smallCampaign("ann@away.test", "bob@away.test")
			for range 3 {
				w.engine.SendOnce(w.ctx)
				w.engine.ReceiveOnce(w.ctx)
			}
			if status, problem := w.ownState(); status != outreach.MailboxError || !strings.Contains(problem, advice) {
				t.Errorf("the mailbox is %s: %q", status, problem)
			}
			bad := rows[string](w, `SELECT type FROM events UNION ALL SELECT p.status FROM prospects p WHERE p.status = 'bounced'
UNION ALL SELECT s.reason FROM suppressions s UNION ALL SELECT m.status FROM messages m WHERE m.status <> 'claimed'`)
			if len(bad) > 0 {
				t.Errorf("it cost the prospects %v", bad)
			}
			w.mail.SetAccountQuirks(sender, sandbox.AccountQuirks{})
			w.goesOn("ann@away.test", "bob@away.test")
		})
	}
}

// goesOn waits until each address has its one mail, with all waits over.
func (w *world) goesOn(emails ...string) {
	w.t.Helper()
	for _, email := range emails {
		eventually(w, "mails to "+email, 1, func() int {
			w.exec(`UPDATE mailboxes SET look_at = '-infinity', receive_at = '-infinity', receive_lease = NULL`)
			w.exec(`UPDATE messages SET lease_until = now() - interval '1 second' WHERE status = 'claimed' AND holder IS NULL`)
			w.engine.ReceiveOnce(w.ctx)
			w.engine.SendOnce(w.ctx)
			return w.mails(email)
		})
	}
	if status, problem := w.ownState(); status != outreach.MailboxConnected || problem != "" {
		w.t.Errorf("the mailbox is %s: %q", status, problem)
	}
}

// A provider that asks to try again later changes nothing: the mailbox stays connected, the
// messages wait, and go out once when it takes them.
func TestProviderThrottlesSending(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]sandbox.Throttled{
		"login": sandbox.ThrottleLogin, "MAIL": sandbox.ThrottleMail, "dot": sandbox.ThrottleDot,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := provided(t, sandbox.AccountQuirks{Throttled: at})
			w.smallCampaign("ann@away.test")
			w.engine.SendOnce(w.ctx)
			w.engine.ReceiveOnce(w.ctx)
			if status, problem := w.ownState(); status != outreach.MailboxConnected || problem != "" {
				t.Errorf("the mailbox is %s: %q", status, problem)
			}
			wait := rows[time.Duration](w, `SELECT lease_until - now() FROM messages WHERE status = 'claimed' AND holder IS NULL`)
			if len(wait) != 1 || wait[0] < 10*time.Minute {
				t.Fatalf("the message waits %v", wait)
			}
			w.mail.SetAccountQuirks(sender, sandbox.AccountQuirks{})
			w.goesOn("ann@away.test")
		})
	}
}

// The same for reading: no mail is lost or skipped. After half an hour the owner is told, until the
// mailbox can be read again.
func TestProviderThrottlesReading(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]sandbox.Throttled{"login": sandbox.ThrottleIMAP, "folders": sandbox.ThrottleRead} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := provided(t, sandbox.AccountQuirks{IDs: sandbox.ReplaceIDs})
			w.smallCampaign("ann@away.test")
			w.engine.SendOnce(w.ctx)
			w.inboxGets(replyOf(w.arrivedAt("ann@away.test")[0].Get("Message-ID")))
			w.mail.SetAccountQuirks(sender, sandbox.AccountQuirks{Throttled: at})
			w.engine.ReceiveOnce(w.ctx)
			if status, problem := w.ownState(); status != outreach.MailboxConnected || problem != "" {
				t.Errorf("the mailbox is %s: %q", status, problem)
			}
			if n := rows[int](w, `SELECT count(*)::int FROM mailboxes WHERE receive_at > now() - interval '1 minute'`)[0]; n != 1 {
				t.Error("the mailbox is read again without a wait")
			}
			w.clock.Advance(outreach.DeferralAllowed)
			w.readersDue()
			w.engine.ReceiveOnce(w.ctx)
			if status, problem := w.ownState(); status != outreach.MailboxError || !strings.HasPrefix(problem, "IMAP: ") {
				t.Errorf("after half an hour the mailbox is %s: %q", status, problem)
			}
			w.mail.SetAccountQuirks(sender, sandbox.AccountQuirks{})
			w.readersDue()
			w.engine.ReceiveOnce(w.ctx)
			w.told("when it can be read again", "")
			if n := rows[int](w, `SELECT count(*)::int FROM replies WHERE prospect_id IS NOT NULL`)[0]; n != 1 {
				t.Errorf("%d replies", n)
			}
		})
	}
}

// If the Sent folder cannot be read, the inbox is read anyway, and the owner gets the reason.
func TestInboxIsReadWithoutSentFolder(t *testing.T) {
	t.Parallel()
	w := provided(t, sandbox.AccountQuirks{CutsSent: true})
	w.smallCampaign("ann@away.test")
	w.engine.SendOnce(w.ctx)
	w.inboxGets(replyOf(w.arrivedAt("ann@away.test")[0].Get("Message-ID")))
	w.engine.ReceiveOnce(w.ctx)
	if n := rows[int](w, `SELECT count(*)::int FROM replies WHERE prospect_id IS NOT NULL`)[0]; n != 1 {
		t.Errorf("%d replies", n)
	}
	if status, problem := w.ownState(); status != outreach.MailboxError || problem != "IMAP: connection closed by the server" {
		t.Errorf("the mailbox is %s: %q", status, problem)
	}
}
