package storage_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/storage/sending"
)

// claimAll sends messages until the mailbox has nothing to send, and gives the
// recipients in their order.
func (s *stage) claimAll(box outreach.Mailbox) (to []string) {
	s.t.Helper()
	for {
		out := s.claim(box)
		if out == nil {
			return to
		}
		to = append(to, out.Recipient)
		must(s.t, s.CommitMessage(s.ctx, out.Ref(), "me"))
		must(s.t, s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}))
	}
}

func TestClaimsGoInTurn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	first, second := s.campaign("first", box, steps(0)...), s.campaign("second", box, steps(0)...)
	for i := range 3 { // the first campaign was there long before the second
		s.enroll(first, s.prospect(fmt.Sprintf("a%d@x.test", i)))
		s.clock.Advance(time.Second)
	}
	for i := range 3 {
		s.enroll(second, s.prospect(fmt.Sprintf("b%d@x.test", i)))
		s.clock.Advance(time.Second)
	}
	same(t, "campaigns take turns, each oldest first", s.claimAll(box),
		[]string{"a0@x.test", "b0@x.test", "a1@x.test", "b1@x.test", "a2@x.test", "b2@x.test"})
}

func TestWhoMaySend(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		change string // done in workspace $1
		want   int
	}{
		"a connected mailbox of an active campaign": {`SELECT $1::uuid`, 1},
		"a mailbox in error":                        {`UPDATE mailboxes SET status = 'error' WHERE workspace_id = $1`, 0},
		"a paused mailbox":                          {`UPDATE mailboxes SET status = 'paused' WHERE workspace_id = $1`, 0},
		"a paused campaign":                         {`UPDATE campaigns SET status = 'paused' WHERE workspace_id = $1`, 0},
		"a campaign that let the mailbox go":        {`UPDATE campaigns SET mailbox_ids = '{}' WHERE workspace_id = $1`, 0},
		"a limit of nothing":                        {`UPDATE mailboxes SET daily_limit = 0 WHERE workspace_id = $1`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			box := s.mailbox("me@acme.test")
			campaign := s.campaign("C", box, steps(0)...)
			s.enroll(campaign, s.prospect("a@x.test"))
			s.exec(c.change, s.ws)
			got(s.Senders(s.ctx))(t) // what enrolling has woken
			same(t, "claimed", len(s.claimAll(box)), c.want)
			senders := slices.DeleteFunc(got(s.Senders(s.ctx))(t), func(r outreach.MailboxRef) bool { return r.ID != box.ID })
			same(t, "senders afterwards", len(senders), 0)
		})
	}
}

func TestDailyLimitOfMailbox(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	box := s.mailbox("me@acme.test")
	s.exec(`UPDATE mailboxes SET daily_limit = 2`)
	c := s.campaign("C", box, steps(0)...)
	for i := range 5 {
		s.enroll(c, s.prospect(fmt.Sprintf("p%d@x.test", i)))
	}
	got(s.Senders(s.ctx))(t) // what enrolling has woken
	same(t, "first day", len(s.claimAll(box)), 2)
	same(t, "senders", len(got(s.Senders(s.ctx))(t)), 0)
	s.clock.Set(time.Date(2026, 11, 21, 11, 59, 59, 0, time.UTC))
	same(t, "less than 24 hours later", len(s.claimAll(box)), 0)
	s.clock.Set(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	same(t, "senders 24 hours later", len(got(s.Senders(s.ctx))(t)), 1)
	same(t, "24 hours later", len(s.claimAll(box)), 2)
}

func TestGapOfMailbox(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	s.exec(`UPDATE mailboxes SET min_gap_seconds = 60`)
	box.MinGapSeconds = 60
	c := s.campaign("C", box, steps(0)...)
	for i := range 2 {
		s.enroll(c, s.prospect(fmt.Sprintf("p%d@x.test", i)))
	}
	same(t, "at once", len(s.claimAll(box)), 1)
	s.clock.Advance(59 * time.Second)
	same(t, "within the gap", len(s.claimAll(box)), 0)
	s.clock.Advance(19 * time.Second)
	same(t, "after the gap and its longest factor", len(s.claimAll(box)), 1)
}

func TestDailyLimitOfNewProspects(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0, 1)...)
	got(s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) { c.DailyNewLimit, c.Timezone = new(2), "Asia/Tokyo" }))(t)
	var people []outreach.Enrollment
	for i := range 4 {
		people = append(people, s.enroll(c, s.prospect(fmt.Sprintf("p%d@x.test", i))))
	}
	s.send(box)
	s.send(box)
	s.clock.Advance(time.Minute)
	// The second steps are due and are not new; the other two wait for the next day
	// of the campaign's calendar, which in Tokyo begins at 15:00 UTC.
	same(t, "second steps only", s.claimAll(box), []string{"p0@x.test", "p1@x.test"})
	same(t, "planned", s.enrollment(people[2]).NextSendAt, new(s.clock.Now()))
	s.clock.Set(time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC))
	same(t, "next day", s.claimAll(box), []string{"p2@x.test", "p3@x.test"})
}

func TestHeldProspectsAreNotCountedAsNew(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0)...)
	got(s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) { c.DailyNewLimit = new(1) }))(t)
	held := s.enroll(c, s.prospect("held@x.test"))
	s.clock.Advance(time.Second)
	s.enroll(c, s.prospect("sent@x.test"))
	out := got(s.ClaimSend(s.ctx, box, "me", func(d outreach.Draft) (outreach.Composed, error) {
		if d.Prospect.Email == "held@x.test" {
			return outreach.Composed{}, &outreach.HoldError{Reason: "first_name has no value"}
		}
		return plainCompose(d)
	}))(t)
	if out == nil || out.Recipient != "sent@x.test" {
		t.Fatalf("claimed %v", out)
	}
	e := s.enrollment(held)
	same(t, "held", e.Status, outreach.EnrollmentHeld)
	same(t, "reason", e.HoldReason, new("first_name has no value"))
}

func TestWindowPlansWhoIsOutsideIt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)) // a Friday evening
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0)...)
	got(s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) {
		c.SendDays, c.SendFrom, c.SendUntil = outreach.Weekdays[:5], "09:00", "17:00"
	}))(t)
	home := s.enroll(c, s.prospect("home@x.test"))
	far := s.prospect("far@x.test")
	got(s.UpdateProspect(s.ctx, s.ws, far.ID, func(p *outreach.Prospect) { p.Timezone = new("America/New_York") }))(t)
	s.enroll(c, far)
	same(t, "only where it is early afternoon", s.claimAll(box), []string{"far@x.test"})
	same(t, "planned for Monday morning", s.enrollment(home).NextSendAt, new(time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)))
}

// A person who waits for an opening or for another day does not wait for one that is
// no more; the delay of a step runs on.
func TestOtherHoursPlanAnew(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	now := time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC) // a Friday evening
	house.clock.Set(now)
	closed := func(c *outreach.Campaign) { c.SendDays = []outreach.Weekday{"mon"} }
	change := func(f func(*outreach.Campaign)) func(*stage, outreach.Campaign, outreach.Prospect) {
		return func(s *stage, c outreach.Campaign, _ outreach.Prospect) {
			got(s.UpdateCampaign(s.ctx, s.ws, c.ID, f))(s.t)
		}
	}
	for name, c := range map[string]struct {
		before func(*outreach.Campaign)
		change func(*stage, outreach.Campaign, outreach.Prospect)
		want   []string
	}{
		"the days":     {closed, change(func(c *outreach.Campaign) { c.SendDays = outreach.Weekdays[:] }), []string{"a@x.test"}},
		"another name": {closed, change(func(c *outreach.Campaign) { c.Name = "D" }), nil},
		"still closed": {closed, change(func(c *outreach.Campaign) { c.SendDays = []outreach.Weekday{"tue"} }), nil},
		"the campaign's zone": {closed, change(func(c *outreach.Campaign) { c.SendDays, c.Timezone = []outreach.Weekday{"sat"}, "Asia/Tokyo" }),
			[]string{"a@x.test"}},
		"the prospect's zone": {func(c *outreach.Campaign) { c.SendFrom, c.SendUntil = "09:00", "17:00" },
			func(s *stage, _ outreach.Campaign, p outreach.Prospect) {
				got(s.UpdateProspect(s.ctx, s.ws, p.ID, func(p *outreach.Prospect) { p.Timezone = new("America/New_York") }))(s.t)
			}, []string{"a@x.test"}},
		"the prospect's zone, by an import": {func(c *outreach.Campaign) { c.SendFrom, c.SendUntil = "09:00", "17:00" },
			func(s *stage, _ outreach.Campaign, _ outreach.Prospect) {
				zone := outreach.BulkElement{Change: func(p *outreach.Prospect) { p.Email, p.Timezone = "a@x.test", new("America/New_York") }}
				got(s.BulkProspects(s.ctx, s.ws, []outreach.BulkElement{zone}, outreach.BulkMode{Update: true}))(s.t)
			}, []string{"a@x.test"}},
		"the prospect's zone, by being enrolled again": {
			func(c *outreach.Campaign) { c.SendFrom, c.SendUntil = "09:00", "17:00" }, func(s *stage, k outreach.Campaign, _ outreach.Prospect) {
				got(s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: k.ID, Update: true, Change: func(p *outreach.Prospect) {
					p.Email, p.Timezone = "a@x.test", new("America/New_York")
				}}))(s.t)
			}, []string{"a@x.test"}},
		"the limit of new prospects": {func(c *outreach.Campaign) { c.DailyNewLimit = new(1) },
			change(func(c *outreach.Campaign) { c.DailyNewLimit = new(2) }),
			[]string{"a@x.test"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			box := s.mailbox("me@acme.test")
			k := s.campaign("C", box, steps(0, 60)...)
			s.enroll(k, s.prospect("before@x.test"))
			s.send(box)
			got(s.UpdateCampaign(s.ctx, s.ws, k.ID, c.before))(t)
			p := s.prospect("a@x.test")
			s.enroll(k, p)
			same(t, "put off", len(s.claimAll(box)), 0)
			c.change(s, k, p)
			same(t, "after the change", s.claimAll(box), c.want)
		})
	}
}

func TestMailboxIsKept(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	one, two := s.mailbox("one@acme.test"), s.mailbox("two@acme.test")
	c := s.campaign("C", one, steps(0, 0, 0)...)
	got(s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) { c.MailboxIDs = append(c.MailboxIDs, two.ID) }))(t)
	e := s.enroll(c, s.prospect("a@x.test"))
	s.send(one)
	same(t, "mailbox", s.enrollment(e).MailboxID, &one.ID)
	same(t, "the other has nothing to do", len(s.claimAll(two)), 0)
	s.send(one)
	got(s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) { c.MailboxIDs = []uuid.UUID{two.ID} }))(t)
	s.send(two)
	same(t, "finished", s.enrollment(e).Status, outreach.EnrollmentFinished)
}

func TestDraftHoldsThreadAndTracking(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	must(t, s.SetTrackingDomain(s.ctx, s.ws, "go.acme.test", outreach.TrackingDomainVerified))
	inThread := steps(0, 0, 0)
	inThread[1].Subject, inThread[2].Subject = nil, nil
	c := s.campaign("C", box, inThread...)
	s.enroll(c, s.prospect("a@x.test"))
	first, second := s.send(box), s.send(box)
	var draft outreach.Draft
	got(s.ClaimSend(s.ctx, box, "me", func(d outreach.Draft) (outreach.Composed, error) { draft = d; return plainCompose(d) }))(t)
	same(t, "thread", draft.Thread, []string{first.MessageID, second.MessageID})
	same(t, "number", draft.Number, 3)
	same(t, "subject of the thread", draft.ThreadSubject, "Step 1")
	same(t, "host", draft.TrackingHost, new("go.acme.test"))
	same(t, "prospect", draft.Prospect.Email, "a@x.test")
}

// What forbids writing to a person is found at the last look before the
// claim, whenever it came.
func TestObstaclesEndWhatIsDue(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		change string
		status outreach.EnrollmentStatus
	}{
		"unsubscribed": {`UPDATE prospects SET unsubscribed_at = now() WHERE workspace_id = $1`, outreach.EnrollmentUnsubscribed},
		"bounced":      {`UPDATE prospects SET bounced_at = now() WHERE workspace_id = $1`, outreach.EnrollmentBounced},
		"replied":      {`UPDATE prospects SET replied_at = now() WHERE workspace_id = $1`, outreach.EnrollmentReplied},
		"suppressed address": {`
INSERT INTO suppressions (id, workspace_id, email_key, reason) VALUES (gen_random_uuid(), $1, 'a@x.test', 'manual')`,
			outreach.EnrollmentStopped},
		"suppressed domain": {`
INSERT INTO suppressions (id, workspace_id, domain, reason) VALUES (gen_random_uuid(), $1, 'x.test', 'manual')`,
			outreach.EnrollmentStopped},
		"deleted prospect": {`DELETE FROM prospects WHERE workspace_id = $1`, outreach.EnrollmentStopped},
		"steps taken away": {`DELETE FROM steps WHERE workspace_id = $1`, outreach.EnrollmentFinished},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			box := s.mailbox("me@acme.test")
			e := s.enroll(s.campaign("C", box, steps(0)...), s.prospect("a@x.test"))
			s.exec(c.change, s.ws)
			same(t, "claimed", s.claimAll(box), nil)
			same(t, "status", s.enrollment(e).Status, c.status)
		})
	}
}

// Between claim and final dot a member may stop what is on its way; nothing is
// left of it then.
func TestWithdrawnAtTheLastMoment(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		change func(s *stage, e outreach.Enrollment)
		status outreach.EnrollmentStatus
		due    bool
	}{
		"stopped": {func(s *stage, e outreach.Enrollment) { got(s.StopEnrollment(s.ctx, s.ws, e.ID))(s.t) },
			outreach.EnrollmentStopped, false},
		"paused": {func(s *stage, e outreach.Enrollment) { got(s.PauseEnrollment(s.ctx, s.ws, e.ID))(s.t) },
			outreach.EnrollmentPaused, true},
		"campaign paused": {func(s *stage, e outreach.Enrollment) { got(s.PauseCampaign(s.ctx, s.ws, e.CampaignID))(s.t) },
			outreach.EnrollmentActive, true},
		"archived": {func(s *stage, e outreach.Enrollment) { got(s.ArchiveCampaign(s.ctx, s.ws, e.CampaignID))(s.t) },
			outreach.EnrollmentStopped, false},
		"deleted": {func(s *stage, e outreach.Enrollment) { must(s.t, s.DeleteProspect(s.ctx, s.ws, e.ProspectID)) },
			outreach.EnrollmentStopped, false},
		"suppressed": {func(s *stage, _ outreach.Enrollment) {
			_, err := s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Domain: new("x.test")})
			must(s.t, err)
		}, outreach.EnrollmentStopped, false},
		"unsubscribed": {func(s *stage, _ outreach.Enrollment) {
			s.exec(`UPDATE prospects SET unsubscribed_at = now() WHERE workspace_id = $1`, s.ws)
		}, outreach.EnrollmentUnsubscribed, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			box := s.mailbox("me@acme.test")
			e := s.enroll(s.campaign("C", box, steps(0)...), s.prospect("a@x.test"))
			out := s.claim(box)
			c.change(s, e)
			if err := s.CommitMessage(s.ctx, out.Ref(), "me"); !errors.Is(err, sending.ErrWithdrawn) {
				t.Fatalf("commit: %v, want withdrawn", err)
			}
			same(t, "messages left", ask[int](s, `SELECT count(*)::int FROM messages WHERE workspace_id = $1`, s.ws), 0)
			same(t, "counted", got(s.Mailbox(s.ctx, s.ws, box.ID))(t).SentToday, 0)
			same(t, "counted as begun", ask[int](s, `SELECT new_count FROM campaigns WHERE id = $1`, e.CampaignID), 0)
			now := s.enrollment(e)
			same(t, "status", now.Status, c.status)
			same(t, "goes on later", now.DueAt != nil, c.due)
			refused(t, s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent}), outreach.CodeNotFound)
		})
	}
}

// A message that a dead process left claimed goes out under its own Message-ID
// and with its own bytes, by the process that finds its lease expired; the one thought dead
// can neither commit nor settle it.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	e := s.enroll(s.campaign("C", box, steps(0)...), s.prospect("a@x.test"))
	first := got(s.ClaimSend(s.ctx, box, "slow", plainCompose))(t)
	if again := s.claim(box); again != nil {
		t.Fatal("claimed twice within the lease")
	}
	s.exec(`UPDATE messages SET lease_until = now() - interval '1 second'`)
	second := s.claim(box)
	if second == nil {
		t.Fatal("no process took it over")
	}
	same(t, "the same message", second,
		&outreach.Outgoing{WorkspaceID: s.ws, ID: first.ID, MessageID: first.MessageID, Recipient: first.Recipient, Raw: first.Raw, Tries: 2})
	if err := s.CommitMessage(s.ctx, first.Ref(), "slow"); !errors.Is(err, sending.ErrWithdrawn) {
		t.Fatalf("the slow one commits: %v", err)
	}
	must(t, s.CommitMessage(s.ctx, second.Ref(), "me"))
	must(t, s.SettleMessage(s.ctx, first.Ref(), "slow", outreach.SendResult{Kind: outreach.SendFailed, Response: "broken pipe"}))
	same(t, "still on its way", ask[bool](s, `SELECT status = 'claimed' AND committed_at IS NOT NULL FROM messages`), true)
	must(t, s.SettleMessage(s.ctx, second.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}))
	same(t, "finished", s.enrollment(e).Status, outreach.EnrollmentFinished)
	same(t, "events", s.eventTypes(e.ProspectID), []string{"sent"})
}

// Twenty processes that claim for one mailbox at once never claim one step twice.
func TestClaimsAreSingle(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0)...)
	var want []string
	for i := range 12 {
		p := s.prospect(fmt.Sprintf("p%02d@x.test", i))
		s.enroll(c, p)
		want = append(want, p.Email)
	}
	var mu sync.Mutex
	var to []string
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 10 { // a locked mailbox gives nothing; ask again
				holder := uuid.NewString()
				out, err := s.ClaimSend(s.ctx, box, holder, plainCompose)
				if errors.Is(err, outreach.ErrMailboxBusy) {
					continue
				}
				if err == nil && out != nil {
					err = errors.Join(s.CommitMessage(s.ctx, out.Ref(), holder),
						s.SettleMessage(s.ctx, out.Ref(), holder, outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}))
				}
				if err != nil {
					t.Error(err)
					return
				}
				if out != nil {
					mu.Lock()
					to = append(to, out.Recipient)
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	to = append(to, s.claimAll(box)...)
	same(t, "recipients", to, want, cmp.Transformer("sorted", sorted))
}
