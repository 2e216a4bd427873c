package storage_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/storage"
	"outreach/tracking/hit"
)

// figures are the statistics that the scene's campaign and workspace show.
type figures struct {
	Stats    outreach.CampaignStats
	Report   outreach.CampaignReport
	Overview outreach.Overview
}

func (s *scene) figures() figures {
	s.t.Helper()
	return figures{
		got(s.CampaignStats(s.ctx, s.ws, s.c.ID, allFigures))(s.t),
		got(s.CampaignReport(s.ctx, s.ws, s.c.ID, 90))(s.t),
		got(s.Overview(s.ctx, s.ws, 45))(s.t),
	}
}

// age moves the events of the workspace into the past.
func (s *scene) age(by string) {
	s.exec(`UPDATE events SET occurred_at = occurred_at - $2::interval WHERE workspace_id = $1`, s.ws, by)
}

// Old events are deleted by weeks, and every statistic stays as it was. Newer events stay, and those
// of the day after are added to what was kept.
func TestDropEvents(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	s, other := house.room(t).scene(), house.room(t).scene()
	s.replyTo(s.box, "ann@x.test", s.out, new(outreach.InterestPositive))
	s.age("40 days")
	other.age("40 days")
	before, foreign := s.figures(), other.figures()
	same(t, "dropped early", got(s.DropEvents(s.ctx, time.Now().Add(-60*24*time.Hour)))(t), 0)
	if dropped := got(s.DropEvents(s.ctx, time.Now()))(t); dropped == 0 {
		t.Fatal("no partition was dropped")
	}
	same(t, "events", ask[int](s.stage, `SELECT count(*)::int FROM events`), 0)
	same(t, "figures", s.figures(), before)
	same(t, "those of another workspace", other.figures(), foreign)
	same(t, "replied", before.Stats.Replied, 1)
	same(t, "dropped again", got(s.DropEvents(s.ctx, time.Now()))(t), 0)

	// The same person replies again: one more event, no further person.
	s.replyTo(s.box, "ann@x.test", s.out, nil)
	after := s.figures()
	same(t, "replied", after.Stats.Replied, 1)
	same(t, "replies of the period", after.Overview.Totals.Replied, before.Overview.Totals.Replied+1)
}

// An unsubscribe whose event was deleted is not an event again, even if the suppression was lifted.
func TestUnsubscribedBeforeRetention(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	ref := s.out.Ref()
	must(t, s.Unsubscribe(s.ctx, ref, hit.Visitor{At: s.clock.Now()}))
	s.age("40 days")
	got(s.DropEvents(s.ctx, time.Now()))(t)
	must(t, s.Unsubscribe(s.ctx, ref, hit.Visitor{At: s.clock.Now()}))
	same(t, "events", s.eventTypes(s.p.ID), []string{})
	same(t, "unsubscribed", s.figures().Stats.Unsubscribed, 1)
}

// While a backup reads the table nothing is dropped, events are stored, and the next call drops.
func TestDropEventsBesideABackup(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.storeEventAt(t, time.Now().Add(-40*24*time.Hour))
	release := s.hold(t, `LOCK TABLE events IN ACCESS SHARE MODE`)
	if _, err := s.DropEvents(s.ctx, time.Now()); !errors.Is(err, storage.ErrPartitionBusy) {
		t.Fatalf("dropped beside the backup: %v", err)
	}
	s.storeEventAt(t, time.Now())
	same(t, "events", ask[int](s, `SELECT count(*)::int FROM events`), 2)
	release()
	if dropped := got(s.DropEvents(s.ctx, time.Now()))(t); dropped == 0 {
		t.Fatal("no partition was dropped")
	}
	same(t, "events", ask[int](s, `SELECT count(*)::int FROM events`), 1)
	same(t, "counted", ask[int](s, `SELECT sum(count)::int FROM event_counts`), 1)
}

// The words of old mail are deleted, that of another age and on its way stays. Statistics stay, a
// follow-up continues its thread, and the unsubscribe link works.
func TestEmptyMail(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	s, other := house.room(t).scene(), house.room(t).scene()
	s.replyTo(s.box, "ann@x.test", s.out, new(outreach.InterestPositive))
	words := func(s *scene) string {
		return ask[string](s.stage, `SELECT coalesce(string_agg(m.body_text || m.words, ''), '') || coalesce((SELECT
			string_agg(r.body_text || coalesce(r.full_text, '') || r.words || coalesce(r.subject, ''), '')
			FROM replies r WHERE r.workspace_id = $1), '') FROM messages m WHERE m.workspace_id = $1`, s.ws)
	}
	kept := words(other)
	s.exec(`UPDATE messages SET sent_at = sent_at - interval '200 days' WHERE workspace_id = $1`, s.ws)
	s.exec(`UPDATE replies SET received_at = received_at - interval '200 days' WHERE workspace_id = $1`, s.ws)
	days := func(n int) time.Time { return s.clock.Now().Add(-time.Duration(n) * 24 * time.Hour) }
	must(t, s.EmptyMail(s.ctx, days(230)))
	before, whole := s.figures(), words(s)
	if whole == "" {
		t.Fatal("emptied early")
	}
	must(t, s.EmptyMail(s.ctx, days(180)))
	same(t, "words", words(s), "")
	same(t, "words of another workspace", words(other), kept)
	same(t, "figures", s.figures(), before)
	same(t, "where the texts begin", *got(s.Me(s.ctx, s.ws))(t).MailKeptFrom, days(180).Truncate(24*time.Hour))
	must(t, s.EmptyMail(s.ctx, days(179)))
	if ask[string](s.stage, `SELECT subject FROM messages WHERE workspace_id = $1`, s.ws) == "" {
		t.Error("the subject of the thread is gone")
	}
	must(t, s.Unsubscribe(s.ctx, s.out.Ref(), hit.Visitor{At: s.clock.Now()}))
	same(t, "suppressed", s.suppressed(), []string{"unsubscribed ann@x.test"})
}

// A thousand mails are a batch; more take several, and each notes how far it came.
func TestEmptyManyMails(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	s.exec(`INSERT INTO replies (id, workspace_id, mailbox_id, sender, body_text, automatic, received_at)
		SELECT uuid_v7(), $1, $2, 'x@x.test', 'words', false, $3::timestamptz - interval '300 days' + n * interval '1 second'
		FROM generate_series(1, 2500) n`, s.ws, s.box.ID, s.clock.Now())
	must(t, s.EmptyMail(s.ctx, s.clock.Now().Add(-200*24*time.Hour)))
	same(t, "left", ask[int](s.stage, `SELECT count(*)::int FROM replies WHERE body_text = 'words'`), 0)
}

// Retention looks at the workspaces that may have something old, and at no others.
func TestRetentionLooksWhereSomethingIsOld(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for name, kind := range map[string]struct {
		add    string // of workspace $1, at $2, with the id $3
		left   string
		retire func(s *stage, age time.Duration) error
	}{
		"deliveries": {`
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, status, created_at)
VALUES ($3, $1, uuid_v7(), 'sent', uuid_v7(), 'sent', '', '', '', 'delivered', $2)`,
			`SELECT count(*)::int FROM deliveries`,
			func(s *stage, age time.Duration) error { return second(s.Retention(s.ctx, age)) }},
		"clicks": {`
INSERT INTO hits (id, workspace_id, kind, occurred_at) VALUES ($3, $1, 'click', $2)`,
			`SELECT count(*)::int FROM hits`,
			func(s *stage, age time.Duration) error { return second(s.ExpireHits(s.ctx, s.clock.Now().Add(-age))) }},
		"failed sign-ins": {`
INSERT INTO audit_log (id, workspace_id, at, actor, action) VALUES ($3, $1, $2, 'ann@x.test', 'sign_in_failed')`,
			`SELECT count(*)::int FROM audit_log`,
			func(s *stage, age time.Duration) error {
				return second(s.ExpireSignIns(s.ctx, s.clock.Now().Add(-age)))
			}},
		"mail": {`
INSERT INTO replies (id, workspace_id, mailbox_id, sender, body_text, automatic, received_at)
SELECT $3, $1, m.id, 'ann@x.test', 'words', false, $2 FROM mailboxes m WHERE m.workspace_id = $1`,
			`SELECT count(*)::int FROM replies WHERE body_text <> ''`,
			func(s *stage, age time.Duration) error { return s.EmptyMail(s.ctx, s.clock.Now().Add(-age)) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			old, young, idle := s.room(t), s.room(t), s.room(t)
			for _, room := range []*stage{old, young, idle} {
				room.mailbox("me@acme.test")
			}
			add := func(room *stage, age time.Duration) {
				at := s.clock.Now().Add(-age)
				s.exec(kind.add, room.ws, at, idAt(at))
			}
			add(old, 100*day)
			add(old, 2*day)
			add(young, 40*day)
			// retire returns the workspaces that it looked at.
			retire := func(age time.Duration, left int) map[uuid.UUID]bool {
				t.Helper()
				s.said.take()
				must(t, kind.retire(s, age))
				same(t, "left", ask[int](s, kind.left), left)
				looked := map[uuid.UUID]bool{}
				for _, said := range s.said.take() {
					for _, arg := range said.args {
						if id, ok := arg.(uuid.UUID); ok && slices.Contains([]uuid.UUID{s.ws, old.ws, young.ws, idle.ws}, id) {
							looked[id] = true
						}
					}
				}
				return looked
			}
			same(t, "the first time", len(retire(90*day, 2)), 4)
			same(t, "with nothing due", retire(90*day, 2), map[uuid.UUID]bool{})
			same(t, "with one due", retire(30*day, 1), map[uuid.UUID]bool{young.ws: true})
			same(t, "with the other due", retire(day, 0), map[uuid.UUID]bool{old.ws: true})
		})
	}
}

// idAt returns an id that was made at the given time (RFC 9562, section 5.7).
func idAt(at time.Time) uuid.UUID {
	id := uuid.Must(uuid.NewV7())
	for i := range 6 {
		id[i] = byte(at.UnixMilli() >> (40 - 8*i))
	}
	return id
}

// Only failed sign-ins are deleted from the audit log.
func TestExpireSignIns(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, action := range outreach.AuditActions {
		must(t, s.RecordAudit(s.ctx, outreach.AuditEntry{WorkspaceID: s.ws, Actor: "ann@x.test", Action: action}))
	}
	same(t, "deleted early", got(s.ExpireSignIns(s.ctx, s.clock.Now()))(t), 0)
	s.clock.Advance(time.Hour)
	same(t, "deleted", got(s.ExpireSignIns(s.ctx, s.clock.Now()))(t), 1)
	same(t, "left", ask[int](s, `SELECT count(*)::int FROM audit_log WHERE action <> 'sign_in_failed'`), len(outreach.AuditActions)-1)
	same(t, "failed sign-ins left", len(s.audit(t, outreach.AuditFilter{Action: new(outreach.AuditSignInFailed)})), 0)
}
