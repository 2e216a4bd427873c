package storage_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Steps of 30 UTC days count, with what people answered and what came back from them, on the day of
// the step. Programs, answers, older steps and other mailboxes do not.
func TestActivityOfMailboxes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(friday)
	box, idle := s.mailbox("me@acme.test"), s.mailbox("idle@acme.test")
	c := s.campaign("C", box, steps(0)...)
	step := func(email string) *outreach.Outgoing {
		s.enroll(c, s.prospect(email))
		return s.send(box)
	}
	activity := func() outreach.MailboxActivity {
		both := got(s.ActivityOf(s.ctx, s.ws, []uuid.UUID{box.ID, idle.ID, c.ID}))(t)
		same(t, "the idle one", []any{len(both), both[idle.ID].ActivityCounts, both[idle.ID].LastSentAt, len(both[idle.ID].Days)},
			[]any{2, outreach.ActivityCounts{}, (*time.Time)(nil), 30})
		return both[box.ID]
	}
	first := step("ann@x.test")
	at := s.clock.Now()
	s.bounceFirst(c, box, "gone", 1)
	machine := step("bot@x.test")
	s.ingest(box, s.received(box, outreach.ReceivedAutomatic, "bot@x.test", machine))
	s.clock.Advance(24 * time.Hour)
	s.replyTo(box, "ann@x.test", first, nil)
	s.replyTo(box, "ann@x.test", first, nil)
	s.exec(`UPDATE messages SET complained = true WHERE id = $1`, machine.ID)
	for name, external := range map[string]bool{"by us": false, "elsewhere": true} {
		s.exec(`INSERT INTO messages (id, workspace_id, kind, reply_id, send_at, prospect_id, mailbox_id, recipient, subject,
				body_text, message_id, status, sent_at, external)
			SELECT uuid_v7(), workspace_id, 'answer', uuid_v7(), sent_at, prospect_id, mailbox_id, recipient, '', '', $2, 'sent',
				sent_at, $3
			FROM messages WHERE id = $1`, first.ID, name, external)
	}
	counts := outreach.ActivityCounts{Attempted: 3, Bounced: 1, Complained: 1, Replied: 1}
	now := activity()
	same(t, "totals", now.ActivityCounts, counts)
	same(t, "last sent", now.LastSentAt, &at)
	same(t, "days", now.Days[28:], []outreach.ActivityDay{{Date: "2026-11-20", ActivityCounts: counts}, {Date: "2026-11-21"}})
	same(t, "of another workspace", len(got(s.ActivityOf(s.ctx, s.room(t).ws, []uuid.UUID{box.ID}))(t)), 0)

	s.clock.Advance(28 * 24 * time.Hour)
	same(t, "on the last day", activity().ActivityCounts, counts)
	s.clock.Advance(24 * time.Hour)
	now = activity()
	same(t, "a day later", now.ActivityCounts, outreach.ActivityCounts{})
	same(t, "last sent still", now.LastSentAt, &at)
}
