//go:build full

package realtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/mail"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"outreach"
	"outreach/devstack/testdb"
	client "outreach/mail"
	"outreach/mail/engine"
	"outreach/storage"
	"outreach/storage/sending"
	"outreach/storage/stores"
	"outreach/webhook"
)

const (
	me  = "me@acme.example"
	ada = "ada@prospects.example"
	bob = "bob@prospects.example"
)

// world joins the real servers, a database of the test's own and the engine. Its
// clock stands an offset ahead of the real one.
type world struct {
	*stores.Stores
	*servers
	t      testing.TB
	ctx    context.Context
	sql    *pgxpool.Pool
	ws     uuid.UUID
	ahead  time.Duration // moved between ticks only
	ring   *outreach.Keyring
	engine *engine.Engine
}

var loopback = client.Network{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}

func newWorld(t testing.TB, s *servers) *world {
	t.Helper()
	key := make([]byte, 32)
	_, _ = rand.Read(key)
	ring, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString(key))
	must(t, err)
	w := &world{t: t, ctx: t.Context(), servers: s, ring: ring}
	url := testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate})
	w.Stores, err = stores.Open(w.ctx,
		storage.Config{URL: url, Keyring: ring, BaseURL: "http://127.0.0.1", Now: w.now, MaxConns: 4}, webhook.Encode)
	must(t, err)
	t.Cleanup(w.Stores.Close)
	w.sql, err = pgxpool.New(w.ctx, url)
	must(t, err)
	t.Cleanup(w.sql.Close)
	w.ws, err = w.CreateWorkspace(w.ctx, "Acme")
	must(t, err)
	_, err = w.CreateSubscription(w.ctx,
		outreach.Subscription{WorkspaceID: w.ws, URL: "https://hooks.test/in", Events: outreach.SubscriptionEvents, Enabled: true}, "whsec_test")
	must(t, err)
	w.engine = engine.New(w.config())
	return w
}

func (w *world) now() time.Time { return time.Now().UTC().Add(w.ahead) }

func (w *world) config() engine.Config {
	return engine.Config{
		Store: w.Stores, Withdrawn: sending.ErrWithdrawn, Network: loopback, Now: w.now,
		SendInterval: 50 * time.Millisecond, ReceiveInterval: 50 * time.Millisecond,
		Composer: &engine.Composer{BaseURL: "http://127.0.0.1", Keyring: w.ring},
	}
}

// runs lets an engine work until what() gives want, and stops it in order.
func runs[T any](w *world, what string, want T, look func() T) {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.ctx)
	ended := make(chan error, 1)
	e := engine.New(w.config())
	go func() { ended <- e.Run(ctx) }()
	got := poll(want, look)
	stop()
	must(w.t, <-ended)
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

func eventually[T any](w *world, what string, want T, look func() T) {
	w.t.Helper()
	if diff := cmp.Diff(want, poll(want, look)); diff != "" {
		w.t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// poll looks until it sees want, for a minute at most, and gives what it saw last.
func poll[T any](want T, look func() T) T {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if got := look(); cmp.Equal(want, got) || time.Now().After(deadline) {
			return got
		}
	}
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	_, err := w.sql.Exec(w.ctx, sql, args...)
	must(w.t, err)
}

func rows[T any](w *world, sql string, args ...any) []T {
	w.t.Helper()
	found, err := w.sql.Query(w.ctx, sql, args...)
	must(w.t, err)
	all, err := pgx.CollectRows(found, pgx.RowTo[T])
	must(w.t, err)
	return all
}

// mailbox connects an account; port is that of its submission server.
func (w *world) mailbox(email string, port int) outreach.Mailbox {
	w.t.Helper()
	m := outreach.NewMailbox()
	m.WorkspaceID, m.Email, m.SMTP, m.IMAP, m.MinGapSeconds, m.DailyLimit = w.ws, email, w.smtp(email), w.imap(email), 0, 1000
	m.SMTP.Port = port
	m, err := w.CreateMailbox(w.ctx, m)
	must(w.t, err)
	return m
}

// campaign is active at any hour of any day.
func (w *world) campaign(box outreach.Mailbox, steps ...outreach.Step) outreach.Campaign {
	w.t.Helper()
	c := outreach.NewCampaign()
	c.WorkspaceID, c.Name, c.MailboxIDs, c.Steps = w.ws, "Autumn", []uuid.UUID{box.ID}, steps
	c.SendDays, c.SendFrom, c.SendUntil = outreach.Weekdays, "00:00", "23:59"
	c, err := w.CreateCampaign(w.ctx, c)
	must(w.t, err)
	c, err = w.ActivateCampaign(w.ctx, w.ws, c.ID)
	must(w.t, err)
	return c
}

func (w *world) enroll(c outreach.Campaign, email string) outreach.Enrolled {
	w.t.Helper()
	e, err := w.Enroll(w.ctx, outreach.EnrollRequest{WorkspaceID: w.ws, CampaignID: c.ID, Change: func(p *outreach.Prospect) {
		p.Email, p.FirstName = email, new("Ada")
	}})
	must(w.t, err)
	return e
}

// history is what happened to a prospect, in the order in which it was recorded.
func (w *world) history(e outreach.Enrolled) []string {
	w.t.Helper()
	return rows[string](w, `
SELECT type || coalesce(' ' || (metadata->>'step'), '') FROM events WHERE prospect_id = $1 ORDER BY occurred_at, id`, e.Prospect.ID)
}

// fate is the outcome for one person.
type fate struct {
	Enrollment outreach.EnrollmentStatus
	Prospect   outreach.ProspectStatus
	Suppressed bool
	History    []string
}

func (w *world) fate(e outreach.Enrolled) fate {
	w.t.Helper()
	enrollment, err := w.Enrollment(w.ctx, w.ws, e.Enrollment.ID)
	must(w.t, err)
	p, err := w.Prospect(w.ctx, w.ws, e.Prospect.ID)
	must(w.t, err)
	suppressed := rows[bool](w, `SELECT EXISTS (SELECT FROM suppressions WHERE email_key = $1)`, p.Email)[0]
	return fate{enrollment.Status, p.Status, suppressed, w.history(e)}
}

// write sends a message to a mailbox from outside, over the MX.
func (w *world) write(from, to string, raw string) {
	w.t.Helper()
	server := outreach.MailServer{Host: "127.0.0.1", Port: w.MX, Security: outreach.SecurityNone}
	out, err := client.Send(w.ctx, client.SMTPConfig{Server: server, Network: loopback}, client.Envelope{From: from, To: to},
		[]byte(strings.ReplaceAll(raw, "\n", "\r\n")), func(context.Context) error { return nil })
	must(w.t, err)
	if out.Status != client.StatusAccepted {
		w.t.Fatalf("message from %s was %s: %s", from, out.Status, out.Text)
	}
}

// answer is a reply to the message with this Message-ID.
func answer(from, id, to, text string) string {
	return fmt.Sprintf("From: %s\nTo: %s\nMessage-ID: <%s>\nIn-Reply-To: %s\nReferences: %s\nSubject: Re: Hello\nDate: %s\n\n%s\n",
		from, me, id, to, to, time.Now().Format(time.RFC1123Z), text)
}

// inbox waits for n messages and gives their headers, oldest first by Date.
func (w *world) inbox(email string, n int) []mail.Header {
	w.t.Helper()
	eventually(w, "messages to "+email, n, func() int { return len(w.messages(email, "")) })
	var all []mail.Header
	for _, raw := range w.messages(email, "") {
		m, err := mail.ReadMessage(bytes.NewReader([]byte(raw)))
		must(w.t, err)
		all = append(all, m.Header)
	}
	return all
}

// quiet waits until Postfix has nothing under way any more.
func (w *world) quiet() {
	w.t.Helper()
	eventually(w, "messages in Postfix's queue", 0, func() int {
		n := 0
		for _, queue := range []string{"incoming", "active", "deferred", "maildrop"} {
			_ = filepath.WalkDir(w.path("queue", queue), func(_ string, entry os.DirEntry, err error) error {
				if err == nil && !entry.IsDir() {
					n++
				}
				return nil
			})
		}
		return n
	})
}
