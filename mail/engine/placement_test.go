package engine_test

import (
	"bytes"
	"context"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/mail/engine"
)

// placementsOnly in its environment makes the process work on placement checks.
const placementsOnly = "ENGINE_TEST_PLACEMENTS"

func (m *mortal) ClaimPlacementChecks(ctx context.Context, most int) ([]outreach.PlacementCheck, error) {
	m.pass(beforeClaim)
	all, err := m.Store.ClaimPlacementChecks(ctx, most)
	if len(all) > 0 {
		m.pass(afterClaim)
	}
	return all, err
}

func (m *mortal) CommitPlacement(ctx context.Context, check outreach.Ref, at time.Time) error {
	m.pass(beforeCommit)
	err := m.Store.CommitPlacement(ctx, check, at)
	m.pass(afterCommit)
	return err
}

func (m *mortal) NotePlacement(ctx context.Context, check outreach.Ref, r outreach.PlacementResult) (outreach.PlacementCheck, error) {
	m.pass(beforeSettle)
	c, err := m.Store.NotePlacement(ctx, check, r)
	m.pass(afterSettle)
	return c, err
}

func (w *world) placement(from, to outreach.Mailbox) uuid.UUID {
	w.t.Helper()
	c, err := w.CreatePlacementCheck(w.ctx, outreach.PlacementCheck{WorkspaceID: w.ws, MailboxID: from.ID, ToMailboxID: to.ID})
	must(w.t, err)
	return c.ID
}

func (w *world) placed(id uuid.UUID) outreach.PlacementCheck {
	w.t.Helper()
	c, err := w.PlacementCheck(w.ctx, w.ws, id)
	must(w.t, err)
	return c
}

// lookAgain makes what waits due.
func (w *world) lookAgain() {
	w.t.Helper()
	w.exec(`UPDATE placement_checks SET look_at = '-infinity' WHERE look_at IS NOT NULL`)
	w.engine.PlaceOnce(w.ctx)
}

func TestPlacement(t *testing.T) {
	t.Parallel()
	type verdicts struct {
		Folder, SPF, DKIM, DMARC string
		Domain                   string // what the sending domain says of DKIM
	}
	for name, c := range map[string]struct {
		from, to string
		want     verdicts
	}{
		"inbox of another domain": {"a@acme.test", "b@far.test", verdicts{"inbox", "pass", "pass", "pass", "pass"}},
		"junk":                    {"a@acme.test", "junk@far.test", verdicts{"junk", "pass", "pass", "pass", "pass"}},
		"not signed":              {"a@unsigned.test", "b@far.test", verdicts{"inbox", "pass", "none", "fail", "none"}},
		"the same domain":         {"a@acme.test", "b@acme.test", verdicts{"inbox", "pass", "pass", "pass", "unknown"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, time.Now().UTC().Truncate(time.Second), time.Millisecond)
			from, to := w.mailbox(c.from, nil), w.mailbox(c.to, nil)
			id := w.placement(from, to)
			w.engine.PlaceOnce(w.ctx)
			if got := w.placed(id); got.Status != outreach.PlacementWaiting || got.SentAt == nil {
				t.Fatalf("after sending: %+v", got)
			}
			w.clock.Advance(3 * time.Second)
			w.engine.PlaceOnce(w.ctx)
			got := w.placed(id)
			if got.Status != outreach.PlacementArrived || got.Seconds == nil || *got.Seconds != 0 {
				t.Fatalf("after looking: %+v", got)
			}
			domains, err := w.ListSendingDomains(w.ctx, w.ws, outreach.Page{Limit: 10})
			must(t, err)
			seen := verdicts{Folder: string(*got.Folder), SPF: string(got.Authentication.SPF),
				DKIM: string(got.Authentication.DKIM), DMARC: string(got.Authentication.DMARC)}
			for _, d := range domains.Rows {
				if d.Domain == outreach.EmailDomain(c.from) {
					seen.Domain = string(d.DKIM.Result)
				}
			}
			if diff := cmp.Diff(c.want, seen); diff != "" {
				t.Error(diff)
			}
			w.leavesNoTrace(from, to)
		})
	}
}

// leavesNoTrace fails if a check counts on a limit, is a reply or raises an event.
func (w *world) leavesNoTrace(from, to outreach.Mailbox) {
	w.t.Helper()
	_, err := w.CreateProspect(w.ctx, outreach.Prospect{WorkspaceID: w.ws, Email: from.Email})
	must(w.t, err)
	w.engine.ReceiveOnce(w.ctx)
	for _, table := range []string{"replies", "events", "messages"} {
		if n := rows[int](w, `SELECT count(*)::int FROM `+table); n[0] != 0 {
			w.t.Errorf("%d rows in %s", n[0], table)
		}
	}
	box, err := w.Mailbox(w.ctx, w.ws, from.ID)
	must(w.t, err)
	if box.SentToday != 0 {
		w.t.Errorf("sent_today of %s is %d", box.Email, box.SentToday)
	}
	if n := rows[int](w, `SELECT count(*)::int FROM mailbox_folders WHERE mailbox_id = $1 AND folder = 'inbox'`, to.ID); n[0] != 1 {
		w.t.Errorf("the mailbox %s was not read", to.Email)
	}
}

// A folder of the owner's own is other. Where a provider has replaced the Message-ID,
// the second id finds the mail.
func TestPlacementInAnotherFolder(t *testing.T) {
	t.Parallel()
	for name, replaced := range map[string]bool{"own id": false, "replaced id": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, time.Now().UTC(), time.Millisecond)
			from, to := w.mailbox("a@acme.test", nil), w.mailbox("b@far.test", nil)
			w.exec(`UPDATE mailboxes SET email = 'c@elsewhere.test', email_key = 'c@elsewhere.test' WHERE id = $1`, to.ID)
			id := w.placement(from, to)
			w.engine.PlaceOnce(w.ctx)
			sent := w.mail.Received()[0]
			raw, err := sent.Raw()
			must(t, err)
			if replaced {
				raw = bytes.Replace(raw, []byte(sent.MessageID), []byte("<other@provider.test>"), 1)
			}
			to, err = w.MailboxWithPasswords(w.ctx, w.ws, to.ID)
			must(t, err)
			file(t, to.IMAP, "Filed/Checks", raw)
			w.lookAgain()
			if got := w.placed(id); got.Status != outreach.PlacementArrived || *got.Folder != outreach.PlacementOther {
				t.Errorf("%+v", got)
			}
		})
	}
}

// Between two domains of one tenant Exchange signs and checks nothing, which says nothing about DKIM.
func TestPlacementWithinOneTenant(t *testing.T) {
	t.Parallel()
	w := newWorld(t, time.Now().UTC(), time.Millisecond)
	from, to := w.mailbox("a@acme.test", nil), w.mailbox("b@outlook.com", nil)
	w.exec(`UPDATE mailboxes SET email = 'c@outlook.com', email_key = 'c@outlook.com' WHERE id = $1`, to.ID)
	id := w.placement(from, to)
	w.engine.PlaceOnce(w.ctx)
	raw, err := w.mail.Received()[0].Raw()
	must(t, err)
	to, err = w.MailboxWithPasswords(w.ctx, w.ws, to.ID)
	must(t, err)
	file(t, to.IMAP, "Filed/Checks", append([]byte("X-MS-Exchange-Organization-AuthAs: Internal\r\n"+
		"Authentication-Results: dkim=none (message not signed) header.d=none;dmarc=none\r\n"), raw...))
	w.lookAgain()
	got := w.placed(id)
	if got.Status != outreach.PlacementArrived || got.Authentication.DKIM != outreach.RecordUnknown {
		t.Errorf("%+v with %+v", got, got.Authentication)
	}
	domains, err := w.ListSendingDomains(w.ctx, w.ws, outreach.Page{Limit: 10})
	must(t, err)
	for _, d := range domains.Rows {
		if d.Domain == "acme.test" && d.DKIM.Result != outreach.RecordUnknown {
			t.Errorf("DKIM of the domain is %s: %s", d.DKIM.Result, d.DKIM.Detail)
		}
	}
}

func TestPlacementThatIsMissing(t *testing.T) {
	t.Parallel()
	t.Run("nowhere", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, time.Now().UTC(), time.Millisecond)
		from, to := w.mailbox("a@acme.test", nil), w.mailbox("b@far.test", nil)
		w.exec(`UPDATE mailboxes SET email = 'c@elsewhere.test', email_key = 'c@elsewhere.test' WHERE id = $1`, to.ID)
		id := w.placement(from, to)
		for range 4 {
			w.lookAgain()
		}
		if got := w.placed(id); got.Status != outreach.PlacementWaiting || got.Looks != 4 {
			t.Fatalf("it is still time: %+v", got)
		}
		w.clock.Advance(outreach.PlacementLimit)
		w.lookAgain()
		got := w.placed(id)
		if got.Status != outreach.PlacementMissing || got.Detail == nil || !strings.Contains(*got.Detail, "not found") {
			t.Errorf("%+v", got)
		}
		if n := w.mails("c@elsewhere.test"); n != 1 {
			t.Errorf("%d mails", n)
		}
	})
	for name, c := range map[string]struct {
		play   script
		status outreach.PlacementStatus // while it is time
		detail string                   // at the end
	}{
		"refused":      {at("RCPT", "550 5.7.1 not you"), outreach.PlacementMissing, "550 5.7.1 not you"},
		"greylisted":   {at("RCPT", "451 4.7.1 later"), outreach.PlacementWaiting, "451 4.7.1 later"},
		"dot refused":  {at(".", "554 5.7.1 spam"), outreach.PlacementMissing, "554 5.7.1 spam"},
		"dot deferred": {at(".", "451 4.3.0 busy"), outreach.PlacementMissing, "451 4.3.0 busy"},
		"no server":    {at("connect", ""), outreach.PlacementWaiting, "SMTP: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, time.Now().UTC(), time.Millisecond)
			server := startSMTP(t, c.play)
			from := w.mailbox("a@acme.test", func(m *outreach.Mailbox) { m.SMTP = server.MailServer })
			id := w.placement(from, w.mailbox("b@far.test", nil))
			w.engine.PlaceOnce(w.ctx)
			if got := w.placed(id); got.Status != c.status {
				t.Fatalf("at first: %+v", got)
			}
			w.clock.Advance(outreach.PlacementLimit)
			w.lookAgain()
			got := w.placed(id)
			if got.Status != outreach.PlacementMissing || got.Detail == nil || !strings.Contains(*got.Detail, c.detail) {
				t.Errorf("at the end: %+v", got)
			}
		})
	}
}

// A process dies at each boundary of a check. Nothing is sent twice, and what was sent
// is found.
func TestPlacementDeaths(t *testing.T) {
	t.Parallel()
	for where, want := range map[boundary]struct {
		mails  int
		status outreach.PlacementStatus
	}{
		beforeClaim:  {1, outreach.PlacementArrived},
		afterClaim:   {1, outreach.PlacementArrived},
		beforeCommit: {1, outreach.PlacementArrived},
		afterCommit:  {0, outreach.PlacementMissing},
		beforeSettle: {1, outreach.PlacementArrived},
		afterSettle:  {1, outreach.PlacementArrived},
	} {
		t.Run(string(where), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, time.Now().UTC(), time.Millisecond)
			all := w.mail.Prospects() // gets what is sent to unknown addresses
			to := w.mailbox("catch@away.test", func(m *outreach.Mailbox) { m.Email, m.IMAP = "b@away.test", all.IMAP })
			id := w.placement(w.mailbox("a@acme.test", nil), to)
			w.dies(where, 1, time.Minute, placementsOnly)
			for range 3 {
				w.lookAgain()
			}
			w.clock.Advance(outreach.PlacementLimit + time.Minute) // the process that died had a clock of its own
			w.lookAgain()
			if got := w.placed(id); got.Status != want.status {
				t.Errorf("%+v", got)
			}
			if n := w.mails("b@away.test"); n != want.mails {
				t.Errorf("%d mails, want %d", n, want.mails)
			}
		})
	}
}

// Of several engines one sends a mail.
func TestPlacementByOneProcess(t *testing.T) {
	t.Parallel()
	w := newWorld(t, time.Now().UTC(), time.Millisecond)
	all := w.mail.Prospects()
	to := w.mailbox("catch@away.test", func(m *outreach.Mailbox) { m.Email, m.IMAP = "b@away.test", all.IMAP })
	w.placement(w.mailbox("a@acme.test", nil), to)
	done := make(chan struct{})
	for range 4 {
		e := engine.New(configOf(t, w.Stores, w.secret, w.clock.Now))
		go func() {
			e.PlaceOnce(w.ctx)
			done <- struct{}{}
		}()
	}
	for range 4 {
		<-done
	}
	if n := w.mails("b@away.test"); n != 1 {
		t.Errorf("%d mails", n)
	}
}

// file puts a message into a folder that it makes.
func file(t *testing.T, server outreach.MailServer, folder string, raw []byte) {
	t.Helper()
	client, err := imapclient.DialInsecure(net.JoinHostPort(server.Host, strconv.Itoa(server.Port)), nil)
	must(t, err)
	defer func() { _ = client.Close() }()
	must(t, client.Login(server.Username, server.Password).Wait())
	must(t, client.Create(folder, nil).Wait())
	put := client.Append(folder, int64(len(raw)), nil)
	_, err = put.Write(raw)
	must(t, err)
	must(t, put.Close())
	_, err = put.Wait()
	must(t, err)
}
