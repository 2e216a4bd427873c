package engine_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/internal/testkit"
	"outreach/mail"
	"outreach/mail/engine"
	"outreach/sandbox"
	"outreach/storage"
	"outreach/storage/sending"
	"outreach/storage/stores"
	"outreach/webhook"
)

// world is a database and a mail server of a test's own, with one workspace and
// an engine between them.
type world struct {
	*stores.Stores
	t      testing.TB
	ctx    context.Context
	url    string
	secret string
	sql    *pgxpool.Pool
	mail   *sandbox.MailServer
	ws     uuid.UUID
	clock  *testkit.Clock
	engine *engine.Engine
}

// loopback opens the addresses of the sandbox.
var loopback = mail.Network{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}

func newWorld(t testing.TB, at time.Time, personaDelay time.Duration) *world {
	t.Helper()
	return newWorldAt(t, testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate}), at, personaDelay)
}

// newWorldAt is newWorld on an existing database.
func newWorldAt(t testing.TB, url string, at time.Time, personaDelay time.Duration) *world {
	t.Helper()
	key := make([]byte, 32)
	rand.Read(key)
	w := &world{t: t, ctx: t.Context(), clock: testkit.NewClock(at), url: url, secret: base64.StdEncoding.EncodeToString(key)}
	var err error
	w.Stores = openStore(t, w.url, w.secret, w.clock.Now)
	w.sql, err = pgxpool.New(w.ctx, w.url)
	must(t, err)
	t.Cleanup(w.sql.Close)
	w.mail, err = sandbox.StartMailServer(context.WithoutCancel(w.ctx),
		sandbox.Config{Dir: t.TempDir(), Now: w.clock.Now, Delay: personaDelay})
	must(t, err)
	t.Cleanup(func() { must(t, w.mail.Close()) })
	w.ws, err = w.CreateWorkspace(w.ctx, "Acme")
	must(t, err)
	w.engine = engine.New(configOf(t, w.Stores, w.secret, w.clock.Now))
	return w
}

func openStore(t testing.TB, url, secret string, now func() time.Time) *stores.Stores {
	t.Helper()
	db, err := stores.Open(t.Context(), storage.Config{
		URL: url, Keyring: keyring(t, secret), BaseURL: "http://127.0.0.1", Now: now, MaxConns: maxConns(t),
	}, webhook.Encode)
	must(t, err)
	t.Cleanup(db.Close)
	return db
}

func keyring(t testing.TB, secret string) *outreach.Keyring {
	t.Helper()
	ring, err := outreach.ParseKeyring(secret)
	must(t, err)
	return ring
}

// configOf has so short an interval of receiving that every tick reads.
func configOf(t testing.TB, store engine.Store, secret string, now func() time.Time) engine.Config {
	t.Helper()
	return engine.Config{
		Store: store, Withdrawn: sending.ErrWithdrawn, Network: loopback, Now: now, ReceiveInterval: time.Microsecond,
		Composer: &engine.Composer{BaseURL: "http://127.0.0.1", Keyring: keyring(t, secret)},
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	_, err := w.sql.Exec(w.ctx, sql, args...)
	must(w.t, err)
}

// rows reads the one column of a query.
func rows[T any](w *world, sql string, args ...any) []T {
	w.t.Helper()
	found, err := w.sql.Query(w.ctx, sql, args...)
	must(w.t, err)
	all, err := pgx.CollectRows(found, pgx.RowTo[T])
	must(w.t, err)
	return all
}

// mailbox connects an account of the sandbox that may send without a pause.
func (w *world) mailbox(email string, change func(*outreach.Mailbox)) outreach.Mailbox {
	w.t.Helper()
	account, err := w.mail.AddMailbox(email, "a secret")
	must(w.t, err)
	m := outreach.NewMailbox()
	m.WorkspaceID, m.Email, m.SMTP, m.IMAP, m.MinGapSeconds, m.DailyLimit = w.ws, email, account.SMTP, account.IMAP, 0, 100_000
	if change != nil {
		change(&m)
	}
	m, err = w.CreateMailbox(w.ctx, m)
	must(w.t, err)
	return m
}

// campaign is an active one; change narrows it from any time of any day.
func (w *world) campaign(change func(*outreach.Campaign), boxes ...outreach.Mailbox) outreach.Campaign {
	w.t.Helper()
	c := outreach.NewCampaign()
	c.WorkspaceID, c.Name = w.ws, "Autumn"
	c.SendDays, c.SendFrom, c.SendUntil = outreach.Weekdays, "00:00", "23:59"
	for _, box := range boxes {
		c.MailboxIDs = append(c.MailboxIDs, box.ID)
	}
	change(&c)
	c, err := w.CreateCampaign(w.ctx, c)
	must(w.t, err)
	c, err = w.ActivateCampaign(w.ctx, w.ws, c.ID)
	must(w.t, err)
	return c
}

func (w *world) enroll(c outreach.Campaign, email string, change func(*outreach.Prospect)) outreach.Enrolled {
	w.t.Helper()
	e, err := w.Enroll(w.ctx, outreach.EnrollRequest{WorkspaceID: w.ws, CampaignID: c.ID, Change: func(p *outreach.Prospect) {
		p.Email, p.FirstName = email, new("Ada")
		if change != nil {
			change(p)
		}
	}})
	must(w.t, err)
	return e
}

// eventually polls until what is true; at the deadline it tells what was last.
func eventually[T any](w *world, what string, want T, look func() T) {
	w.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		diff := cmp.Diff(want, look())
		if diff == "" {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("%s (-want +got):\n%s\n%s", what, diff, strings.Join(w.stands(), "\n"))
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// stands is where messages and mailboxes stand.
func (w *world) stands() []string {
	w.t.Helper()
	return rows[string](w, `
SELECT 'message ' || status || coalesce(' ' || smtp_response, '') FROM messages
UNION ALL SELECT 'mailbox ' || status || coalesce(' ' || last_error, '') || ', read from ' || receive_at ||
	coalesce(', by ' || receive_holder, '') FROM mailboxes`)
}

// history is what happened to a prospect, oldest first.
func (w *world) history(prospect uuid.UUID) []string {
	w.t.Helper()
	return rows[string](w, `
SELECT type || coalesce(' ' || (metadata->>'step'), '') FROM events WHERE prospect_id = $1 ORDER BY occurred_at, id`, prospect)
}

func (w *world) enrollment(e outreach.Enrolled) outreach.Enrollment {
	w.t.Helper()
	found, err := w.Enrollment(w.ctx, w.ws, e.Enrollment.ID)
	must(w.t, err)
	return found
}

// mails counts what a prospect got over SMTP.
func (w *world) mails(email string) (n int) {
	for _, r := range w.mail.Received() {
		if r.To == email {
			n++
		}
	}
	return n
}

// maxConns is small in tests, of which many run at once.
func maxConns(t testing.TB) int32 {
	if _, bench := t.(*testing.B); bench {
		return 20
	}
	return 4
}
