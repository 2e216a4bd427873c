package storage_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"outreach"
)

// inbox is a mailbox that has written to four prospects, with what came back.
type inbox struct {
	*stage
	box    outreach.Mailbox
	people []outreach.Prospect
	in     []outreach.Received
}

func (s *stage) inbox() *inbox {
	s.t.Helper()
	s.subscribe(outreach.SubscriptionEvents...)
	i := &inbox{stage: s, box: s.mailbox("me@acme.test")}
	c := s.campaign("C", i.box, steps(0, 60)...)
	var about []*outreach.Outgoing
	for _, name := range []string{"ann", "bob", "carl", "dora"} {
		p := s.prospect(name + "@x.test")
		s.enroll(c, p)
		i.people = append(i.people, p)
		about = append(about, s.send(i.box))
	}
	never := s.prospect("never@x.test")
	i.people = append(i.people, never)
	add := func(kind outreach.ReceivedKind, from string, about *outreach.Outgoing, change func(*outreach.Received)) {
		in := s.received(i.box, kind, from, about)
		in.Text = fmt.Sprintf("text %d", len(i.in))
		change(&in)
		i.in = append(i.in, in)
	}
	as := func(interest outreach.Interest) func(*outreach.Received) {
		return func(in *outreach.Received) { in.Interest, in.Reason = &interest, new("because") }
	}
	plain := func(*outreach.Received) {}
	add(outreach.ReceivedReply, "ann@x.test", about[0], as(outreach.InterestNeutral))
	add(outreach.ReceivedReply, "stranger@y.test", nil, plain)
	add(outreach.ReceivedAutomatic, "bob@x.test", about[1],
		func(in *outreach.Received) { in.ReturnDate = new(s.clock.Now().AddDate(0, 0, 5)) })
	add(outreach.ReceivedReply, "ann@x.test", about[0], as(outreach.InterestPositive))
	add(outreach.ReceivedBounce, "mailer-daemon@x.test", about[2], func(in *outreach.Received) {
		in.Bounces = []outreach.Bounce{{Address: "carl@x.test", Fault: outreach.FaultRecipient, Error: "550 5.1.1 unknown"}}
	})
	add(outreach.ReceivedIgnored, "dora@x.test", about[3], plain)
	add(outreach.ReceivedReply, "never@x.test", nil, as(outreach.InterestPositive))
	add(outreach.ReceivedReply, "ann@x.test", nil, as(outreach.InterestNegative))
	add(outreach.ReceivedComplaint, "fbl@isp.test", about[3], plain)
	return i
}

// outcome is what there is to see afterwards.
type outcome struct {
	Events    [][]string
	Status    []outreach.ProspectStatus
	Interest  []*outreach.Interest
	Replies   []string
	Running   []string
	Queued    []string
	Addresses []string
}

func (i *inbox) outcome() (o outcome) {
	for _, p := range i.people {
		o.Events = append(o.Events, i.eventTypes(p.ID))
		now := got(i.Prospect(i.ctx, i.ws, p.ID))(i.t)
		o.Status, o.Interest = append(o.Status, now.Status), append(o.Interest, now.Interest)
	}
	o.Replies = rows[string](i.stage, `
SELECT concat_ws(' ', sender, body_text, interest, interest_reason, automatic, raised, positive_at IS NOT NULL, message_id IS NOT NULL)
		FROM replies WHERE workspace_id = $1 ORDER BY id`, i.ws)
	o.Running = rows[string](i.stage, `SELECT concat_ws(' ', p.email, e.status, e.stop_reason, e.hold_reason, e.next_step) FROM enrollments e
		JOIN prospects p ON p.id = e.prospect_id WHERE e.workspace_id = $1 ORDER BY p.email`, i.ws)
	o.Queued = rows[string](i.stage, `SELECT subscription_event FROM deliveries WHERE workspace_id = $1 ORDER BY 1`, i.ws)
	o.Addresses = rows[string](i.stage, `SELECT reason || ' ' || email FROM suppressions WHERE workspace_id = $1 ORDER BY 1`, i.ws)
	return o
}

// A batch has the consequences that its messages have one by one.
func TestBatchIsItsMessages(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	together, apart := house.room(t).inbox(), house.room(t).inbox()
	taken := got(together.Ingest(together.ctx, together.box, together.in, inboxAt(9)))(t)
	same(t, "ingested", taken, []bool{true, true, true, true, true, true, true, true, true})
	for _, in := range apart.in {
		apart.ingest(apart.box, in)
	}
	want := apart.outcome()
	same(t, "outcome", together.outcome(), want)
	same(t, "events of the first", want.Events[0], []string{"sent", "replied", "replied", "replied"})
	same(t, "statuses", want.Status, []outreach.ProspectStatus{"replied", "in_sequence", "bounced", "unsubscribed", "replied"})
	again := got(together.Ingest(together.ctx, together.box,
		append(together.in, together.received(together.box, outreach.ReceivedReply, "bob@x.test", nil)), inboxAt(10)))(t)
	same(t, "ingested again", again, append(make([]bool, 9), true))
	same(t, "replies", len(together.outcome().Replies), len(want.Replies)+1)
}

// Colleagues who answer in one batch each stop their own sequence; the others of
// the company are stopped once, those of another are not.
func TestBatchOfColleagues(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(k *outreach.Campaign) { k.StopOnReply, k.StopCompanyOnReply = true, true }))(t)
	s.enroll(s.c, s.prospect("bob@x.test"))
	toBob := s.send(s.box)
	s.enroll(s.c, s.prospect("carl@x.test"))
	s.enroll(s.c, s.prospect("eve@y.test"))
	got(s.Ingest(s.ctx, s.box, []outreach.Received{
		s.received(s.box, outreach.ReceivedReply, "ann@x.test", s.out),
		s.received(s.box, outreach.ReceivedReply, "bob@x.test", toBob),
	}, inboxAt(2)))(t)
	same(t, "enrollments", rows[string](s.stage, `SELECT concat_ws(' ', p.email, p.status, e.status, e.stop_reason) FROM enrollments e
		JOIN prospects p ON p.id = e.prospect_id WHERE e.workspace_id = $1 ORDER BY 1`, s.ws), []string{
		"ann@x.test replied replied the prospect replied",
		"bob@x.test replied replied the prospect replied",
		"carl@x.test finished replied a colleague replied",
		"eve@y.test in_sequence active",
	})
}

// What cannot be stored is passed over, and holds up none of the others.
func TestBatchWithoutTheRefused(t *testing.T) {
	t.Parallel()
	i := newStage(t).inbox()
	i.in[3].Text = "no text may hold \x00"
	taken := got(i.Ingest(i.ctx, i.box, i.in, inboxAt(9)))(t)
	same(t, "ingested", taken, []bool{true, true, true, false, true, true, true, true, true})
	same(t, "replies", ask[int](i.stage, `SELECT count(*)::int FROM replies`), 4)
	same(t, "position", got(i.Positions(i.ctx, i.box.Ref()))(t), []outreach.FolderPosition{inboxAt(9)})
}

// The position is stored with the batch or not at all.
func TestBatchAndPositionAreOne(t *testing.T) {
	t.Parallel()
	i := newStage(t).inbox()
	over, end := context.WithCancel(i.ctx)
	end()
	_, err := i.Ingest(over, i.box, i.in, inboxAt(9))
	same(t, "fails", err != nil, true)
	same(t, "position", got(i.Positions(i.ctx, i.box.Ref()))(t), []outreach.FolderPosition{}, cmpopts.EquateEmpty())
	same(t, "known", ask[int](i.stage, `SELECT count(*)::int FROM incoming`), 0)
}

// Ten times as many answers cost no more round trips.
func TestBatchIsFewRoundTrips(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0, 60)...)
	answers := func(n int) (in []outreach.Received) {
		for range n {
			s.enroll(c, s.prospect(uuid.NewString()+"@x.test"))
			out := s.send(box)
			in = append(in, s.received(box, outreach.ReceivedReply, out.Recipient, out))
		}
		return in
	}
	few, many := answers(2), answers(20)
	count := func(in []outreach.Received) int {
		s.said.take()
		got(s.Ingest(s.ctx, box, in, inboxAt(1)))(t)
		return len(s.said.take())
	}
	same(t, "statements beside the batches", count(many), count(few))
}

// What is new and about something of ours is told from the rest.
func TestConcerning(t *testing.T) {
	t.Parallel()
	i := newStage(t).inbox()
	ours := func(found []outreach.Concern) (all []bool) {
		for _, c := range found {
			all = append(all, c.Ours)
		}
		return all
	}
	first := got(i.Concerning(i.ctx, i.box, i.in))(t)
	same(t, "at first", ours(first), []bool{true, false, true, true, true, true, true, true, true})
	for n, c := range first {
		for _, sent := range c.Sent {
			if sent.At.IsZero() {
				t.Errorf("message %d: the time is missing at which was sent %q", n, sent.Text)
			}
		}
	}
	i.ingest(i.box, i.in[0])
	same(t, "one is known", ours(got(i.Concerning(i.ctx, i.box, i.in))(t)), []bool{false, false, true, true, true, true, true, true, true})
	other := i.room(t)
	same(t, "another workspace", ours(got(other.Concerning(other.ctx, other.mailbox("me@acme.test"), i.in[:8]))(t)), make([]bool, 8))
}

// A reply with one of our Message-IDs is told from one that only its address matches. Both get the
// subjects of what was sent.
func TestConcerningByAddress(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	byID := s.received(s.box, outreach.ReceivedReply, "ann@x.test", s.out)
	byAddress := s.received(s.box, outreach.ReceivedReply, "ann@x.test", nil)
	found := got(s.Concerning(s.ctx, s.box, []outreach.Received{byID, byAddress}))(t)
	same(t, "by address", []bool{found[0].ByAddress, found[1].ByAddress}, []bool{false, true})
	subject := got(s.Message(s.ctx, s.ws, s.out.ID))(t).Subject
	for n, c := range found {
		if len(c.Sent) != 1 || c.Sent[0].Subject != subject || subject == "" {
			t.Errorf("message %d concerns %+v, want one with the subject %q", n, c.Sent, subject)
		}
	}
}

// A late report on an address that the prospect has changed since closes the
// address, not the prospect.
func TestLateReportOnFormerAddress(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	got(s.UpdateProspect(s.ctx, s.ws, s.p.ID, func(p *outreach.Prospect) { p.Email = "ann@new.test" }))(t)
	before := s.enrollment(s.e)
	s.ingest(s.box, s.bounced(outreach.FaultRecipient, s.out, ""))
	same(t, "message", got(s.Message(s.ctx, s.ws, s.out.ID))(t).Status, outreach.MessageBounced)
	same(t, "suppressed", rows[string](s.stage, `SELECT reason || ' ' || email FROM suppressions`), []string{"bounced ann@x.test"})
	same(t, "events", s.eventTypes(s.p.ID), []string{"sent", "bounced"})
	same(t, "the event names the address", ask[string](s.stage, `SELECT prospect_email FROM events WHERE type = 'bounced'`), "ann@x.test")
	same(t, "prospect", s.status(s.p), outreach.ProspectInSequence)
	same(t, "enrollment", s.enrollment(s.e), before)
	s.clock.Advance(61 * time.Minute)
	same(t, "the next step goes to", s.claim(s.box).Recipient, "ann@new.test")
}
