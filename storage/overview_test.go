package storage_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Days are UTC days, whatever the time zone of the server.
func TestOverviewCountsDays(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.exec(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone TO ''Pacific/Auckland''', current_database()); END $$`)
	s.open()
	s.clock.Set(time.Date(2026, 11, 20, 0, 30, 0, 0, time.UTC))
	for _, e := range []struct{ at, kind, interest string }{
		{"2026-11-16T23:59:59Z", "sent", ""}, // before both periods
		{"2026-11-17T00:00:00Z", "bounced", ""}, {"2026-11-18T23:59:59Z", "sent", ""},
		{"2026-11-19T00:00:00Z", "sent", ""}, {"2026-11-19T12:00:00Z", "replied", "positive"}, {"2026-11-19T23:59:59Z", "replied", "negative"},
		{"2026-11-20T00:00:00Z", "clicked", ""}, {"2026-11-20T00:10:00Z", "unsubscribed", ""}, {"2026-11-20T00:20:00Z", "offer_read", ""},
	} {
		s.exec(`
INSERT INTO events (id, workspace_id, type, occurred_at, interest)
VALUES (gen_random_uuid(), $1, $2, $3, nullif($4, ''))`, s.ws, e.kind, e.at, e.interest)
		s.exec(`INSERT INTO events (id, workspace_id, type, occurred_at) VALUES (gen_random_uuid(), gen_random_uuid(), $1, $2)`, e.kind, e.at)
	}
	c := s.draft("C", s.mailbox("me@acme.test"))
	s.exec(`INSERT INTO opens VALUES ($1, $2, '2026-11-20', 5), ($1, $2, '2026-11-18', 2)`, s.ws, c.ID)
	o := got(s.Overview(s.ctx, s.ws, 2))(t)
	same(t, "days", o.Days, []outreach.DayCounts{{Date: "2026-11-19", Sent: 1, Replied: 2, Positive: 1}, {Date: "2026-11-20", Opens: 5}})
	same(t, "totals", o.Totals, outreach.Totals{Sent: 1, Replied: 2, Positive: 1, Clicked: 1, Unsubscribed: 1, Opens: 5})
	same(t, "the period before", o.Previous, outreach.Totals{Sent: 1, Bounced: 1, Opens: 2})
	same(t, "set up so far", o.Setup, outreach.Setup{Mailbox: true})
	same(t, "reason", o.NotSendingReason, new("No campaign is active."))
}

func TestOverviewOfToday(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	must(t, s.SetTrackingDomain(s.ctx, s.ws, "go.acme.test", outreach.TrackingDomainVerified))
	r := s.replyTo(s.box, "ann@x.test", s.out, nil)
	o := got(s.Overview(s.ctx, s.ws, 1))(t)
	same(t, "all set", o.Setup, outreach.Setup{Mailbox: true, Prospects: true, Campaign: true, TrackingDomain: true, Webhook: true})
	same(t, "numbers", []int{o.SentLastHour, o.UnreadReplies, o.Totals.Sent, o.Totals.Replied}, []int{1, 1, 1, 1})
	got(s.MarkRepliesDone(s.ctx, s.ws, []uuid.UUID{r.ID}, true))(t)
	s.clock.Advance(2 * time.Hour)
	o = got(s.Overview(s.ctx, s.ws, 1))(t)
	same(t, "later", []int{o.SentLastHour, o.UnreadReplies}, []int{0, 0})
}

func TestAttention(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box, broken := s.mailbox("me@acme.test"), s.mailbox("broken@acme.test")
	must(t, s.NoteFailure(s.ctx, s.ws, broken.ID, "login refused"))
	sub := s.subscribe(outreach.OnSent)
	c := s.campaign("C", box, steps(0)...)
	s.enroll(c, s.prospect("sent@x.test"))
	s.send(box)
	s.exec(`UPDATE deliveries SET status = 'failed', error = 'http 503'`)
	s.enroll(c, s.prospect("lost@x.test"))
	out := s.sendWith(box, outreach.SendResult{Kind: outreach.SendUnknown, Response: "connection lost"})
	var found []outreach.AttentionKind
	subjects := map[outreach.AttentionKind]uuid.UUID{}
	for _, a := range got(s.Attention(s.ctx, s.ws))(t) {
		found = append(found, a.Kind)
		subjects[a.Kind] = a.SubjectID
	}
	same(t, "mailboxes first, the held person not beside the message", found,
		[]outreach.AttentionKind{"mailbox_error", "message_unknown", "endpoint_failing"})
	same(t, "subjects", subjects,
		map[outreach.AttentionKind]uuid.UUID{"mailbox_error": broken.ID, "endpoint_failing": sub.ID,
			"message_unknown": out.ID})
}

// A mailbox warns from half of a bound on, until it is paused, and anew after a person resumed it.
func TestHealthOfMailboxes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(friday)
	box, other := s.mailbox("me@acme.test"), s.mailbox("other@acme.test")
	k := s.campaign("C", box, steps(0)...)
	health := func() outreach.MailboxHealth {
		both := got(s.HealthOf(s.ctx, s.ws, []uuid.UUID{box.ID, other.ID, k.ID}))(t)
		same(t, "the other one", []any{len(both), both[other.ID].Attempted, len(both[other.ID].Days)}, []any{2, 0, 8})
		return both[box.ID]
	}
	warnings := func() (all []string) {
		for _, a := range got(s.Attention(s.ctx, s.ws))(t) {
			if a.Kind == outreach.AttentionMailboxWarning {
				all = append(all, a.Title+": "+a.Detail)
			}
		}
		return all
	}
	s.enroll(k, s.prospect("ann@x.test"))
	s.send(box)
	s.bounceFirst(k, box, "a", 2)
	same(t, "below half", []any{health().Warning, warnings()}, []any{(*string)(nil), []string(nil)})
	s.clock.Advance(24 * time.Hour)
	s.bounceFirst(k, box, "b", 1)
	const why = "3 of 4 messages of the last 7 days came back from their recipients. At 8, or at 5 % of 50 and more, the mailbox is " +
		"paused. Check the addresses."
	now := health()
	same(t, "half", []any{now.Warning, warnings()}, []any{new(why), []string{"3 bounces in 4 messages on me@acme.test: " + why}})
	same(t, "figures", []int{now.Attempted, now.Bounced, now.Complained, now.BounceBound, now.ComplaintBound}, []int{4, 3, 0, 8, 2})
	same(t, "days", now.Days[6:], []outreach.HealthDay{{Date: "2026-11-20", Attempted: 3, Bounced: 2},
		{Date: "2026-11-21", Attempted: 1, Bounced: 1}})
	room := s.room(t)
	same(t, "of another workspace", len(got(s.HealthOf(s.ctx, room.ws, []uuid.UUID{box.ID}))(t)), 0)

	s.bounceFirst(k, box, "c", 5)
	same(t, "paused", []any{health().Bounced, health().Warning, warnings()}, []any{8, (*string)(nil), []string(nil)})
	s.clock.Advance(time.Minute)
	got(s.ResumeMailbox(s.ctx, s.ws, box.ID))(t)
	same(t, "resumed", health().Attempted, 0)
}

// What waits is what people wrote and is not done; the count stops at 100.
func TestWaitingReplies(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	waiting := func() int { return got(s.WaitingReplies(s.ctx, s.ws))(t) }
	same(t, "none", waiting(), 0)
	reply := s.replyTo(s.box, "ann@x.test", s.out, nil)
	s.ingest(s.box, s.received(s.box, outreach.ReceivedAutomatic, "ann@x.test", s.out))
	same(t, "one, and a machine's", waiting(), 1)
	got(s.MarkRepliesDone(s.ctx, s.ws, []uuid.UUID{reply.ID}, true))(t)
	same(t, "dealt with", waiting(), 0)
	s.exec(`
INSERT INTO replies (id, workspace_id, prospect_id, mailbox_id, sender, body_text, automatic)
SELECT gen_random_uuid(), $1, $2, $3, 'a', 'b', false FROM generate_series(1, 120)`, s.ws, s.p.ID, s.box.ID)
	same(t, "many", waiting(), 100)
}

func TestTrackingDomain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	domain := func() *outreach.TrackingDomain { return got(s.TrackingDomain(s.ctx, s.ws))(t) }
	same(t, "none", domain(), nil)
	first := s.clock.Now()
	for _, c := range []struct {
		host   string
		status outreach.TrackingDomainStatus
		want   *time.Time
	}{
		{"a.test", "pending", nil}, {"a.test", "verified", &first}, {"a.test", "verified", &first}, {"a.test", "pending", nil},
		{"a.test", "verified", new(first.Add(4 * time.Hour))}, {"b.test", "verified", new(first.Add(5 * time.Hour))},
	} {
		if c.want != nil && *c.want != first {
			s.clock.Set(*c.want)
		}
		must(t, s.SetTrackingDomain(s.ctx, s.ws, c.host, c.status))
		same(t, "domain", domain(), &outreach.TrackingDomain{Host: c.host, Status: c.status, VerifiedAt: c.want})
	}
}

// A mailbox that its faults have paused waits for a person, until one has resumed
// it; one that a person paused does not, nor does a check that only logs in end it.
// People held by one cause in a campaign are one line, for any number of them; people
// out of office come back by themselves and are not listed.
func TestHeldNeedAttentionTogether(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	hold := func(s *stage, c outreach.Campaign, email, reason string, until *time.Time) uuid.UUID {
		s.clock.Advance(time.Second)
		id := s.enroll(c, s.prospect(email)).ID
		s.exec(`UPDATE enrollments SET status = 'held', hold_reason = $2, hold_until = $3, next_send_at = NULL WHERE id = $1`, id, reason, until)
		return id
	}
	spring, autumn := s.campaign("Spring", box, steps(0)...), s.campaign("Autumn", box, steps(0)...)
	hold(s, spring, "a@x.test", "no name", nil)
	alone := hold(s, spring, "b@x.test", "no company", nil)
	hold(s, spring, "c@x.test", "no name", nil)
	newest := hold(s, spring, "d@x.test", "no name", nil)
	hold(s, spring, "e@x.test", "out of office", new(s.clock.Now()))
	other := hold(s, autumn, "f@x.test", "no name", nil)
	room := s.room(t)
	hold(room, room.campaign("Theirs", room.mailbox("you@acme.test"), steps(0)...), "z@y.test", "no name", nil)
	var found []string
	for _, a := range got(s.Attention(s.ctx, s.ws))(t) {
		found = append(found, fmt.Sprintf("%s %s: %s", a.SubjectID, a.Title, a.Detail))
	}
	same(t, "lines", found, []string{
		fmt.Sprintf("%s f@x.test held in Autumn: no name", other),
		fmt.Sprintf("%s 3 people held in Spring: no name", newest),
		fmt.Sprintf("%s b@x.test held in Spring: no company", alone),
	})
}

func TestPausedMailboxNeedsAttention(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	byHand := s.mailbox("hand@acme.test")
	s.exec(`UPDATE mailboxes SET sender_faults = 1, last_error = 'a message was refused'`)
	got(s.PauseMailbox(s.ctx, s.ws, byHand.ID))(t)
	box, _, _ := s.blame(3, blocked)
	needs := func() (all []string) {
		for _, a := range got(s.Attention(s.ctx, s.ws))(t) {
			if a.Kind == outreach.AttentionMailboxError {
				all = append(all, a.Title+" "+a.Detail)
			}
		}
		return all
	}
	want := []string{"Refused messages paused me@acme.test a message was refused: 550 5.7.1 blocked"}
	same(t, "paused", needs(), want)
	same(t, "those held for it are not listed beside it", len(got(s.Attention(s.ctx, s.ws))(t)), 1)
	s.checkMailbox(box)
	same(t, "checked", needs(), want)
	s.resumeMailbox(box)
	same(t, "resumed", needs(), nil)
}
