package storage_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
)

// headers are those of a step that make a thread.
type headers struct {
	Thread  []string
	Subject string
}

// next sends the next step from a mailbox and returns its Message-ID and headers.
func (s *stage) next(box outreach.Mailbox, result outreach.SendResult) (string, headers) {
	s.t.Helper()
	var h headers
	out := got(s.ClaimSend(s.ctx, box, "me", func(d outreach.Draft) (outreach.Composed, error) {
		composed, err := plainCompose(d)
		if !composed.Root {
			h.Thread = d.Thread
		}
		h.Subject = composed.Subject
		return composed, err
	}))(s.t)
	if out == nil {
		s.t.Fatal("the mailbox has nothing to send")
	}
	must(s.t, s.CommitMessage(s.ctx, out.Ref(), "me"))
	must(s.t, s.SettleMessage(s.ctx, out.Ref(), "me", result))
	return out.MessageID, h
}

// What the third of four steps goes on from, after something changed behind the second.
// The fourth follows it.
func TestThreads(t *testing.T) {
	t.Parallel()
	sent := outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}
	type scene struct {
		*stage
		c        outreach.Campaign
		p        outreach.Prospect
		one, two outreach.Mailbox
	}
	address := func(to string) func(*scene) {
		return func(s *scene) { got(s.UpdateProspect(s.ctx, s.ws, s.p.ID, byEmail(to)))(s.t) }
	}
	for name, k := range map[string]struct {
		subject *string // of the third step
		change  func(*scene)
		second  bool // the second mailbox sends then
		want    headers
	}{
		"nothing changed":                  {nil, func(*scene) {}, false, headers{[]string{"1", "2"}, "Step 1"}},
		"its own subject":                  {new("News"), func(*scene) {}, false, headers{nil, "News"}},
		"another address":                  {nil, address("ann@other.test"), false, headers{nil, "Step 1"}},
		"the same address":                 {nil, address("ANN@X.test"), false, headers{[]string{"1", "2"}, "Step 1"}},
		"another address, its own subject": {new("News"), address("ann@other.test"), false, headers{nil, "News"}},
		"its mailbox was removed": {nil, func(s *scene) {
			got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.MailboxIDs = []uuid.UUID{s.two.ID} }))(s.t)
		}, true, headers{nil, "Step 1"}},
		"its mailbox was removed and added again": {nil, func(s *scene) {
			got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.MailboxIDs = []uuid.UUID{s.two.ID} }))(s.t)
			got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.MailboxIDs = []uuid.UUID{s.one.ID} }))(s.t)
		}, false, headers{[]string{"1", "2"}, "Step 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &scene{stage: newStage(t)}
			s.one, s.two = s.mailbox("one@acme.test"), s.mailbox("two@acme.test")
			plan := steps(0, 0, 0, 0)
			plan[1].Subject, plan[2].Subject, plan[3].Subject = nil, k.subject, nil
			s.c = s.campaign("C", s.one, plan...)
			s.p = s.prospect("ann@x.test")
			s.enroll(s.c, s.p)
			names := map[string]string{}
			first, opening := s.next(s.one, sent)
			second, _ := s.next(s.one, sent)
			names[first], names[second] = "1", "2"
			same(t, "the first begins", opening, headers{nil, "Step 1"})
			k.change(s)
			box := s.one
			if k.second {
				box = s.two
			}
			third, h := s.next(box, sent)
			names[third] = "3"
			if diff := cmp.Diff(k.want, named(h, names)); diff != "" {
				t.Errorf("third step (-want +got):\n%s", diff)
			}
			_, h = s.next(box, sent)
			want := headers{append(k.want.Thread, "3"), k.want.Subject}
			if diff := cmp.Diff(want, named(h, names)); diff != "" {
				t.Errorf("fourth step (-want +got):\n%s", diff)
			}
		})
	}
}

func named(h headers, names map[string]string) headers {
	var thread []string
	for _, id := range h.Thread {
		thread = append(thread, names[id])
	}
	return headers{thread, h.Subject}
}

// What a person who waits for the second of three steps gets next, and when, after an
// edit. Hours count from the first step.
func TestEditsWhileSomebodyWaits(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		edit  func(c *outreach.Campaign)
		text  string
		hours int
	}{
		"a shorter delay": {func(c *outreach.Campaign) { c.Steps[1].DelayMinutes = 60 }, "two", 1},
		"a longer delay":  {func(c *outreach.Campaign) { c.Steps[1].DelayMinutes = 72 * 60 }, "two", 72},
		"a step inserted": {func(c *outreach.Campaign) {
			c.Steps = append(c.Steps[:1:1], append([]outreach.Step{{DelayMinutes: 120, BodyText: new("new")}}, c.Steps[1:]...)...)
		}, "new", 2},
		"the step removed": {func(c *outreach.Campaign) { c.Steps = append(c.Steps[:1:1], c.Steps[2]) }, "three", 48},
		"steps reordered":  {func(c *outreach.Campaign) { c.Steps[1], c.Steps[2] = c.Steps[2], c.Steps[1] }, "three", 48},
		"the first delay":  {func(c *outreach.Campaign) { c.Steps[0].DelayMinutes = 600 }, "two", 24},
		"a window only":    {func(c *outreach.Campaign) { c.SendUntil = "23:00" }, "two", 24},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.clock.Set(time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC))
			box := s.mailbox("me@acme.test")
			plan := steps(0, 24*60, 48*60)
			plan[1].BodyText, plan[2].BodyText = new("two"), new("three")
			c := s.campaign("C", box, plan...)
			e := s.enroll(c, s.prospect("ann@x.test"))
			at := s.clock.Now()
			s.send(box)
			got(s.UpdateCampaign(s.ctx, s.ws, c.ID, k.edit))(t)
			due := at.Add(time.Duration(k.hours) * time.Hour)
			same(t, "due", *s.enrollment(e).NextSendAt, due)
			s.clock.Set(due.Add(-time.Minute))
			same(t, "not before", s.claim(box), nil)
			s.clock.Set(due)
			same(t, "text", got(s.Message(s.ctx, s.ws, s.send(box).ID))(t).Text, k.text)
		})
	}
}
