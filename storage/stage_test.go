package storage_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/internal/testkit"
	"outreach/storage"
	"outreach/storage/stores"
	"outreach/webhook"
)

// stage is a database of a test's own with one workspace, a clock that the test
// moves, a record of the statements, and a second way in for what the store has
// no method for.
type stage struct {
	*stores.Stores
	t     *testing.T
	ctx   context.Context
	url   string
	ring  *outreach.Keyring
	sql   *pgxpool.Pool
	ws    uuid.UUID
	clock *testkit.Clock
	said  *statements
}

func newStage(t *testing.T) *stage {
	t.Helper()
	return stageAt(t, testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate}))
}

// stageAt is a stage in the database at url.
func stageAt(t *testing.T, url string) *stage {
	t.Helper()
	s := &stage{t: t, ctx: t.Context(), ring: freshKeyring(t), said: &statements{},
		clock: testkit.NewClock(time.Now().UTC().Truncate(time.Second))}
	s.url = url
	s.open()
	var err error
	s.ws, err = s.CreateWorkspace(s.ctx, "Acme")
	must(t, err)
	s.exec(`UPDATE workspaces SET contact_gap_hours = 0`) // tests of the gap between campaigns set it
	return s
}

// open connects the store, anew when it was connected before.
func (s *stage) open() {
	s.t.Helper()
	db, err := stores.Open(s.ctx, storage.Config{
		URL: s.url, Keyring: s.ring, BaseURL: "http://127.0.0.1",
		Now: s.clock.Now, MaxConns: 4, Tracer: s.said,
	}, webhook.Encode)
	must(s.t, err)
	s.t.Cleanup(db.Close)
	s.Stores = db
	s.sql, err = pgxpool.New(s.ctx, s.url)
	must(s.t, err)
	s.t.Cleanup(s.sql.Close)
}

// room is a workspace of a subtest's own in the same database. The clock is
// shared: who moves it needs a stage.
func (s *stage) room(t *testing.T) *stage {
	t.Helper()
	own := *s
	own.t, own.ctx = t, t.Context()
	own.ws = got(s.CreateWorkspace(own.ctx, t.Name()))(t)
	own.exec(`UPDATE workspaces SET contact_gap_hours = 0 WHERE id = $1`, own.ws)
	return &own
}

func freshKeyring(t testing.TB) *outreach.Keyring {
	t.Helper()
	key := make([]byte, 32)
	rand.Read(key)
	ring, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString(key))
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

// statement is one call as Postgres got it.
type statement struct {
	sql  string
	args []any
}

// statements keeps what was said to the database since the last take.
type statements struct {
	mu  sync.Mutex
	all []statement
}

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, statement{data.SQL, data.Args})
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (s *statements) take() []statement {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.all
	s.all = nil
	return all
}

func (s *stage) exec(sql string, args ...any) {
	s.t.Helper()
	_, err := s.sql.Exec(s.ctx, sql, args...)
	must(s.t, err)
}

// ask reads one value.
func ask[T any](s *stage, sql string, args ...any) (value T) {
	s.t.Helper()
	must(s.t, s.sql.QueryRow(s.ctx, sql, args...).Scan(&value))
	return value
}

// rows reads the one column of a query.
func rows[T any](s *stage, sql string, args ...any) []T {
	s.t.Helper()
	found, err := s.sql.Query(s.ctx, sql, args...)
	must(s.t, err)
	all, err := pgx.CollectRows(found, pgx.RowTo[T])
	must(s.t, err)
	return all
}

func got[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		must(t, err)
		return value
	}
}

func refused(t *testing.T, err error, want outreach.Code) {
	t.Helper()
	if code := outreach.CodeOf(err); err == nil || code != want {
		t.Fatalf("got %v, want a refusal with %s", err, want)
	}
}

func same[T any](t *testing.T, what string, got, want T, options ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, options...); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// faults returns the paths and codes of the faults in err.
func faults(t *testing.T, err error) []string {
	t.Helper()
	refusal, ok := errors.AsType[*outreach.Error](err)
	if !ok {
		t.Fatalf("got %v, want a refusal", err)
	}
	var at []string
	for _, field := range refusal.Fields {
		at = append(at, fmt.Sprintf("%s %s", field.Pointer(), field.Code))
	}
	return at
}

func (s *stage) prospect(email string) outreach.Prospect {
	s.t.Helper()
	return got(s.CreateProspect(s.ctx, outreach.Prospect{WorkspaceID: s.ws, Email: email}))(s.t)
}

func (s *stage) mailbox(email string) outreach.Mailbox {
	s.t.Helper()
	m := outreach.NewMailbox()
	m.WorkspaceID, m.Email, m.MinGapSeconds = s.ws, email, 0
	m.SMTP = outreach.MailServer{Host: "smtp.test", Port: 465, Username: "u", Password: "smtp secret", Security: outreach.SecurityTLS}
	m.IMAP = outreach.MailServer{Host: "imap.test", Port: 993, Username: "u", Password: "imap secret", Security: outreach.SecurityTLS}
	return got(s.CreateMailbox(s.ctx, m))(s.t)
}

// steps are plain steps with their delays in minutes.
func steps(delays ...int) []outreach.Step {
	made := make([]outreach.Step, len(delays))
	for i, delay := range delays {
		made[i] = outreach.Step{DelayMinutes: delay, Subject: new(fmt.Sprintf("Step %d", i+1)), BodyText: new("Hello")}
	}
	return made
}

// campaign is an active one that may send at any time.
func (s *stage) campaign(name string, box outreach.Mailbox, steps ...outreach.Step) outreach.Campaign {
	s.t.Helper()
	c := s.draft(name, box, steps...)
	return got(s.ActivateCampaign(s.ctx, s.ws, c.ID))(s.t)
}

func (s *stage) draft(name string, box outreach.Mailbox, steps ...outreach.Step) outreach.Campaign {
	s.t.Helper()
	c := outreach.NewCampaign()
	c.WorkspaceID, c.Name, c.Steps, c.MailboxIDs = s.ws, name, steps, []uuid.UUID{box.ID}
	c.SendDays, c.SendFrom, c.SendUntil = outreach.Weekdays, "00:00", "23:59"
	return got(s.CreateCampaign(s.ctx, c))(s.t)
}

func (s *stage) enroll(c outreach.Campaign, p outreach.Prospect) outreach.Enrollment {
	s.t.Helper()
	return got(s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, ProspectID: &p.ID}))(s.t).Enrollment
}

func (s *stage) enrollment(e outreach.Enrollment) outreach.Enrollment {
	s.t.Helper()
	return got(s.Enrollment(s.ctx, s.ws, e.ID))(s.t)
}

func (s *stage) status(p outreach.Prospect) outreach.ProspectStatus {
	s.t.Helper()
	return got(s.Prospect(s.ctx, s.ws, p.ID))(s.t).Status
}

func (s *stage) subscribe(events ...outreach.SubscriptionEvent) outreach.Subscription {
	s.t.Helper()
	return got(s.CreateSubscription(s.ctx, outreach.Subscription{
		WorkspaceID: s.ws, URL: "https://hooks.test/in", Events: events, Enabled: true,
	}, "whsec_test"))(s.t).Subscription
}

// subjectOf is the subject of a step, or that of its thread.
func subjectOf(d outreach.Draft) string {
	switch {
	case d.Step.Subject != nil:
		return *d.Step.Subject
	case d.BouncedSubject != "":
		return d.BouncedSubject
	}
	return d.ThreadSubject
}

// plainCompose writes a message without looking at templates.
func plainCompose(d outreach.Draft) (outreach.Composed, error) {
	return outreach.Composed{MessageID: "<" + d.ID.String() + "@test>", Subject: subjectOf(d), Text: *d.Step.BodyText,
		Raw:  []byte("raw of " + d.ID.String()),
		Root: d.Step.Subject != nil || len(d.Thread) == 0}, nil
}

// claim takes the next message of a mailbox, nil when there is none, or no mailbox.
func (s *stage) claim(box outreach.Mailbox) *outreach.Outgoing {
	s.t.Helper()
	out, err := s.ClaimSend(s.ctx, box, "me", plainCompose)
	if errors.Is(err, outreach.ErrMailboxBusy) {
		return nil
	}
	must(s.t, err)
	return out
}

// send carries the next message of a mailbox through the whole ledger.
func (s *stage) send(box outreach.Mailbox) *outreach.Outgoing {
	s.t.Helper()
	return s.sendWith(box, outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"})
}

func (s *stage) sendWith(box outreach.Mailbox, result outreach.SendResult) *outreach.Outgoing {
	s.t.Helper()
	out := s.claim(box)
	if out == nil {
		s.t.Fatal("the mailbox has nothing to send")
	}
	must(s.t, s.CommitMessage(s.ctx, out.Ref(), "me"))
	must(s.t, s.SettleMessage(s.ctx, out.Ref(), "me", result))
	return out
}

// event is a recorded fact as far as tests look at it.
type event struct {
	Type     string
	Interest *string
	Metadata map[string]any
}

// events returns what was recorded about a prospect, oldest first.
func (s *stage) events(prospect uuid.UUID) []event {
	s.t.Helper()
	found, err := s.sql.Query(s.ctx, `
SELECT type, interest, metadata FROM events WHERE workspace_id = $1 AND prospect_id = $2 ORDER BY id`, s.ws, prospect)
	must(s.t, err)
	all, err := pgx.CollectRows(found, pgx.RowToStructByPos[event])
	must(s.t, err)
	return all
}

func (s *stage) eventTypes(prospect uuid.UUID) []string {
	s.t.Helper()
	return rows[string](s, `SELECT type FROM events WHERE workspace_id = $1 AND prospect_id = $2 ORDER BY id`, s.ws, prospect)
}

// queued returns the kinds of the deliveries that were made, oldest first.
func (s *stage) queued() []string {
	s.t.Helper()
	return rows[string](s, `SELECT subscription_event FROM deliveries WHERE workspace_id = $1 ORDER BY created_at, id`, s.ws)
}

// received is a reply to a sent message.
func (s *stage) received(box outreach.Mailbox, kind outreach.ReceivedKind, from string, about *outreach.Outgoing) outreach.Received {
	in := outreach.Received{Key: uuid.NewString(), Kind: kind, From: from, Subject: new("Re"), Text: "words"}
	if about != nil {
		in.References = []string{about.MessageID}
	}
	return in
}

// inboxAt is a position in the inbox.
func inboxAt(uid uint32) outreach.FolderPosition {
	return outreach.FolderPosition{Folder: "inbox", UIDValidity: 1, UID: uid}
}

func (s *stage) ingest(box outreach.Mailbox, in outreach.Received) {
	s.t.Helper()
	same(s.t, "ingested now", got(s.Ingest(s.ctx, box, []outreach.Received{in}, inboxAt(1)))(s.t), []bool{true})
}

// replyTo ingests a person's reply and gives it.
func (s *stage) replyTo(box outreach.Mailbox, from string, about *outreach.Outgoing, interest *outreach.Interest) outreach.Reply {
	s.t.Helper()
	in := s.received(box, outreach.ReceivedReply, from, about)
	in.Interest = interest
	s.ingest(box, in)
	return s.lastReply()
}

func (s *stage) lastReply() outreach.Reply {
	s.t.Helper()
	list := got(s.ListReplies(s.ctx, s.ws, outreach.ReplyFilter{}, outreach.Page{Limit: 1}))(s.t)
	if len(list.Rows) == 0 {
		s.t.Fatal("there is no reply")
	}
	return list.Rows[0]
}

func ids(list ...uuid.UUID) []uuid.UUID { return list }

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }
