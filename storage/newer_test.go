package storage_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// newerStage is a stage after the next migration.
func newerStage(t *testing.T) *stage {
	t.Helper()
	s := newStage(t)
	text := got(os.ReadFile("testdata/next/00003_next.sql"))(t)
	conn := got(pgx.Connect(s.ctx, s.url))(t)
	defer conn.Close(context.WithoutCancel(s.ctx))
	got(conn.PgConn().Exec(s.ctx, string(text)).ReadAll())(t)
	s.open() // statements were planned on the columns before
	return s
}

// row is a whole row, as text.
func (s *stage) row(table string, id uuid.UUID) string {
	s.t.Helper()
	return ask[string](s, `SELECT t::text FROM `+table+` t WHERE workspace_id = $1 AND id = $2`, s.ws, id)
}

// keeps fails if do changes the row.
func (s *stage) keeps(table string, id uuid.UUID, do func()) {
	s.t.Helper()
	before := s.row(table, id)
	do()
	same(s.t, "a row of "+table, s.row(table, id), before)
}

// A message of a kind that a newer program has added is its own: this one does not claim it, send
// it, settle it, withdraw it, or show it as an answer that waits.
func TestMessagesOfNewerKinds(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]string{
		"due":          `status = 'scheduled', send_at = '2020-01-01'`,
		"left claimed": `status = 'scheduled', send_at = '2020-01-01', holder = 'x', lease_until = '2020-01-01'`,
		"left committing": `status = 'scheduled', send_at = '2020-01-01', holder = 'x', lease_until = '2020-01-01',
			committed_at = '2020-01-01'`,
		"left like a step":      `status = 'claimed', holder = 'x', lease_until = '2020-01-01'`,
		"lost like a step":      `status = 'claimed', holder = 'x', lease_until = '2020-01-01', committed_at = '2020-01-01'`,
		"unknown":               `status = 'unknown', sent_at = now()`,
		"in a state of its own": `status = 'recalled', lease_until = '2020-01-01'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newerStage(t).talk()
			m := s.answer(s.text("Hello"))
			s.exec(`UPDATE messages SET kind = 'forward', `+set+` WHERE id = $1`, m.ID)
			s.keeps("messages", m.ID, func() {
				s.clock.Advance(24 * time.Hour)
				same(t, "claimed answers", len(s.due()), 0)
				if out := s.claim(s.box); out != nil {
					t.Errorf("the mailbox sends %v", out)
				}
				same(t, "swept answers", got(s.SweepAnswers(s.ctx))(t), 0)
				same(t, "swept steps", got(s.SweepSteps(s.ctx))(t), 0)
				same(t, "unknown messages", len(got(s.Unknowns(s.ctx, outreach.MailboxRef{WorkspaceID: s.ws, ID: s.box.ID}))(t)), 0)
				same(t, "waiting answers", len(got(s.WaitingAnswers(s.ctx, s.ws, s.p.ID))(t)), 0)
				if err := s.WithdrawAnswer(s.ctx, s.ws, m.ID); err == nil {
					t.Error("it was withdrawn")
				}
				refused(t, second(s.ResolveMessage(s.ctx, s.ws, m.ID, outreach.ResolvedSent)), outreach.CodeNotFound)
			})
		})
	}
}

// A reply to such a message is a reply of the prospect.
func TestReplyToNewerKind(t *testing.T) {
	t.Parallel()
	s := newerStage(t).talk()
	m := s.answer(s.text("Hello"))
	s.exec(`UPDATE messages SET kind = 'forward', status = 'unknown', sent_at = now() WHERE id = $1`, m.ID)
	about := outreach.Outgoing{ID: m.ID, WorkspaceID: s.ws, MessageID: m.MessageID}
	s.keeps("messages", m.ID, func() {
		for _, kind := range []outreach.ReceivedKind{outreach.ReceivedReply, outreach.ReceivedAutomatic, outreach.ReceivedBounce,
			outreach.ReceivedComplaint} {
			s.ingest(s.box, s.received(s.box, kind, "ann@x.test", &about))
		}
	})
	same(t, "who replied", s.lastReply().ProspectID, &s.p.ID)
}

// An enrollment in a state that a newer program has added neither runs nor has ended.
func TestEnrollmentsInNewerStates(t *testing.T) {
	t.Parallel()
	s := newerStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0, 60)...)
	p := s.prospect("ann@x.test")
	e := s.enroll(c, p)
	s.exec(`UPDATE enrollments SET status = 'nurturing' WHERE id = $1`, e.ID)
	same(t, "shown by its own name", s.enrollment(e).Status, outreach.EnrollmentStatus("nurturing"))
	s.keeps("enrollments", e.ID, func() {
		s.clock.Advance(48 * time.Hour)
		if out := s.claim(box); out != nil {
			t.Errorf("it is sent: %v", out)
		}
		again := outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, ProspectID: &p.ID, Restart: true}
		same(t, "enrolled again", got(s.Enroll(s.ctx, again))(t).Enrollment.ID, e.ID)
		refused(t, second(s.PauseEnrollment(s.ctx, s.ws, e.ID)), outreach.CodeInvalidState)
		refused(t, second(s.ResumeEnrollment(s.ctx, s.ws, e.ID, true)), outreach.CodeInvalidState)
		refused(t, second(s.StopEnrollment(s.ctx, s.ws, e.ID)), outreach.CodeInvalidState)
		s.ingest(box, s.received(box, outreach.ReceivedReply, "ann@x.test", nil))
		s.exec(`UPDATE enrollments SET hold_until = '2020-01-01' WHERE hold_until IS NOT NULL`)
		got(s.ContinueFinished(s.ctx, s.ws, c.ID))(t)
	})
}

// A hold of a newer kind stays until its program ends it.
func TestHoldOfNewerKind(t *testing.T) {
	t.Parallel()
	s := newerStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0)...)
	e := s.enroll(c, s.prospect("ann@x.test"))
	s.exec(`UPDATE enrollments SET status = 'held', hold_kind = 'review', hold_reason = 'in review' WHERE id = $1`, e.ID)
	s.keeps("enrollments", e.ID, func() {
		s.clock.Advance(48 * time.Hour)
		got(s.NoteCheck(s.ctx, s.ws, box.ID, nil))(t)
		if out := s.claim(box); out != nil {
			t.Errorf("it is sent: %v", out)
		}
	})
}

// A mailbox in a newer state, or with a newer login, is not read and does not send, and nothing
// that happens to it changes its state.
func TestMailboxesOfNewerKinds(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]string{"state": `status = 'retired'`, "login": `auth = 'certificate'`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newerStage(t)
			box := s.mailbox("me@acme.test")
			s.enroll(s.campaign("C", box, steps(0)...), s.prospect("ann@x.test"))
			s.exec(`UPDATE mailboxes SET ` + set)
			s.keeps("mailboxes", box.ID, func() {
				same(t, "senders", got(s.Senders(s.ctx))(t), nil, cmpopts.EquateEmpty())
				read := outreach.ReadRequest{Holder: "a", Limit: 9, Share: 9, Every: time.Hour}
				same(t, "readers", got(s.Readers(s.ctx, read))(t), nil, cmpopts.EquateEmpty())
			})
		})
	}
	s := newerStage(t)
	box := s.mailbox("me@acme.test")
	s.exec(`UPDATE mailboxes SET status = 'retired', receive_holder = 'a'`)
	got(s.NoteCheck(s.ctx, s.ws, box.ID, nil))(t)
	got(s.NoteCheck(s.ctx, s.ws, box.ID, new("login refused")))(t)
	must(t, s.NoteFailure(s.ctx, s.ws, box.ID, "login refused"))
	must(t, s.DoneReading(s.ctx, s.ws, box.ID, "a", nil))
	refused(t, second(s.PauseMailbox(s.ctx, s.ws, box.ID)), outreach.CodeInvalidState)
	refused(t, second(s.ResumeMailbox(s.ctx, s.ws, box.ID)), outreach.CodeInvalidState)
	same(t, "shown by its own name", got(s.Mailbox(s.ctx, s.ws, box.ID))(t).Status, outreach.MailboxStatus("retired"))
}

// A suppression for a newer reason suppresses.
func TestSuppressionForNewerReason(t *testing.T) {
	t.Parallel()
	s := newerStage(t).talk()
	_, err := s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("ann@x.test")})
	must(t, err)
	s.exec(`UPDATE suppressions SET reason = 'legal'`)
	c := s.draft("Other", s.box, steps(0)...)
	err = second(s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, ProspectID: &s.p.ID}))
	refused(t, err, outreach.CodeProspectSuppressed)
	refused(t, second(s.CreateAnswer(s.ctx, s.text("Hello"), answerMail{})), outreach.CodeProspectSuppressed)
}

// What a newer role allows is not known: its member is signed out here.
func TestMemberWithNewerRole(t *testing.T) {
	t.Parallel()
	s := newerStage(t)
	user := got(s.AddUser(s.ctx, s.ws, "u@x.test", "hash", outreach.RoleMember, false))(t)
	must(t, s.signIn(1, outreach.Viewer{ID: user, WorkspaceID: s.ws}, "hash"))
	if s.viewer(t, 1) == nil {
		t.Fatal("a member is signed out")
	}
	s.exec(`UPDATE members SET role = 'reader' WHERE user_id = $1`, user)
	if v := s.viewer(t, 1); v != nil {
		t.Errorf("a reader is signed in as %+v", v)
	}
	refused(t, second(s.Login(s.ctx, "u@x.test")), outreach.CodeNotFound)
}

// Events of newer types stand in the history by their own names and change no temperature.
func TestEventsOfNewerTypes(t *testing.T) {
	t.Parallel()
	s := newerStage(t)
	p := s.prospect("ann@x.test")
	s.exec(`INSERT INTO events (id, workspace_id, type, occurred_at, prospect_id, metadata)
		VALUES (gen_random_uuid(), $1, 'called', now(), $2, '{"seconds": 40}')`, s.ws, p.ID)
	shown := got(s.ListHistory(s.ctx, s.ws, p.ID, outreach.Page{Limit: 9}))(t).Rows
	same(t, "events", len(shown), 1)
	same(t, "type", shown[0].Type, outreach.EventType("called"))
	same(t, "metadata", shown[0].Metadata, map[string]any{"seconds": 40.0})
}

// Retention deletes what it knows to be old and settled.
func TestRetentionKeepsNewerKinds(t *testing.T) {
	t.Parallel()
	s := newerStage(t)
	s.exec(`INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, status,
			created_at)
		VALUES ('00000000-0000-7000-8000-000000000001', $1, gen_random_uuid(), 'called', gen_random_uuid(), 'called', '', '', '', 'withheld',
			'2020-01-01')`, s.ws)
	s.exec(`INSERT INTO hits (id, workspace_id, kind, occurred_at, scanner)
		VALUES ('00000000-0000-7000-8000-000000000002', $1, 'download', '2020-01-01', 'held')`, s.ws)
	same(t, "deliveries", got(s.Retention(s.ctx, time.Hour))(t), 0)
	same(t, "hits", got(s.ExpireHits(s.ctx, time.Now()))(t), 0)
}
