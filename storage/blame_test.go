package storage_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// blame is a campaign of one mailbox whose server refused it, and who is held for
// that.
func (s *stage) blame(n int, result outreach.SendResult) (box outreach.Mailbox, c outreach.Campaign, held []outreach.Enrollment) {
	s.t.Helper()
	box = s.mailbox("me@acme.test")
	c = s.campaign("C", box, steps(0, 0)...)
	for i := range n {
		held = append(held, s.enroll(c, s.prospect(fmt.Sprintf("%d@x%d.test", i, i))))
		out := s.claim(box)
		if result.Kind != outreach.SendBlocked { // that comes before the message
			must(s.t, s.CommitMessage(s.ctx, out.Ref(), "me"))
		}
		must(s.t, s.SettleMessage(s.ctx, out.Ref(), "me", result))
	}
	return box, c, held
}

func (s *stage) statusesOf(list []outreach.Enrollment) (all []outreach.EnrollmentStatus) {
	for _, e := range list {
		all = append(all, s.enrollment(e).Status)
	}
	return all
}

var senderBlocked = outreach.SendResult{Kind: outreach.SendBlocked, Response: "535 5.7.8 no"}

func (s *stage) blamedReason(box outreach.Mailbox, text string) string {
	return "the message was refused because of the sender; it is sent again once " + box.Email + " is resumed or passes a check: " + text
}

// An enrollment held by a fault of its mailbox goes on, and gets the refused step once, when a
// person has seen to the mailbox.
func TestMailboxSeenTo(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		faults int
		result outreach.SendResult
		see    func(s *stage, box outreach.Mailbox)
		events []string
	}{
		"resumed":            {3, blocked, (*stage).resumeMailbox, []string{"bounced", "sent", "sent"}},
		"resumed, at log-in": {3, senderBlocked, (*stage).resumeMailbox, []string{"sent", "sent"}},
		"checked":            {2, blocked, (*stage).checkMailbox, []string{"bounced", "sent", "sent"}},
		"paused and resumed": {1, blocked, func(s *stage, box outreach.Mailbox) {
			got(s.PauseMailbox(s.ctx, s.ws, box.ID))(s.t)
			s.resumeMailbox(box)
		}, []string{"bounced", "sent", "sent"}},
		"checked and resumed": {3, blocked, func(s *stage, box outreach.Mailbox) {
			s.checkMailbox(box)
			same(s.t, "nothing to send", s.claim(box), nil)
			s.resumeMailbox(box)
		}, []string{"bounced", "sent", "sent"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			box, _, held := s.blame(c.faults, c.result)
			for _, e := range held {
				now := s.enrollment(e)
				same(t, "held", []any{now.Status, *now.HoldReason, now.MailboxID},
					[]any{outreach.EnrollmentHeld, s.blamedReason(box, c.result.Response), &box.ID})
			}
			c.see(s, box)
			for range 2 * len(held) {
				s.send(box)
			}
			same(t, "nothing more", s.claim(box), nil)
			for _, e := range held {
				same(t, "events", s.eventTypes(e.ProspectID), c.events)
				same(t, "in the end", s.enrollment(e).Status, outreach.EnrollmentFinished)
			}
		})
	}
}

func (s *stage) resumeMailbox(box outreach.Mailbox) { got(s.ResumeMailbox(s.ctx, s.ws, box.ID))(s.t) }

func (s *stage) checkMailbox(box outreach.Mailbox) {
	got(s.NoteCheck(s.ctx, s.ws, box.ID, nil))(s.t)
}

// A cause that was not mended releases no enrollment, nor does what happens to others: a
// server that refuses one message would be asked again and again.
func TestMailboxNotSeenTo(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, meanwhile := range map[string]func(s *stage, box outreach.Mailbox, c outreach.Campaign){
		"a check that fails": func(s *stage, box outreach.Mailbox, _ outreach.Campaign) {
			got(s.NoteCheck(s.ctx, s.ws, box.ID, new("connection refused")))(s.t)
		},
		"a pause": func(s *stage, box outreach.Mailbox, _ outreach.Campaign) {
			got(s.PauseMailbox(s.ctx, s.ws, box.ID))(s.t)
		},
		"a reading": func(s *stage, box outreach.Mailbox, _ outreach.Campaign) {
			s.exec(`UPDATE mailboxes SET receive_holder = 'me' WHERE id = $1`, box.ID)
			must(s.t, s.DoneReading(s.ctx, s.ws, box.ID, "me", nil))
		},
		"a message that goes": func(s *stage, box outreach.Mailbox, c outreach.Campaign) {
			s.enroll(c, s.prospect("other@x.test"))
			s.send(box)
			s.send(box)
		},
		"another mailbox of the campaign": func(s *stage, box outreach.Mailbox, c outreach.Campaign) {
			other := s.mailbox("other@acme.test")
			got(s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) { c.MailboxIDs = ids(box.ID, other.ID) }))(s.t)
			got(s.PauseMailbox(s.ctx, s.ws, other.ID))(s.t)
			s.resumeMailbox(other)
			s.checkMailbox(other)
		},
		"another workspace": func(s *stage, box outreach.Mailbox, _ outreach.Campaign) {
			other := s.room(s.t)
			_, err := other.ResumeMailbox(s.ctx, other.ws, box.ID)
			refused(s.t, err, outreach.CodeNotFound)
			_, err = other.NoteCheck(s.ctx, other.ws, box.ID, nil)
			refused(s.t, err, outreach.CodeNotFound)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			box, c, held := s.blame(1, blocked)
			meanwhile(s, box, c)
			same(t, "held", s.statusesOf(held), []outreach.EnrollmentStatus{outreach.EnrollmentHeld})
			same(t, "nothing to send", s.claim(box), nil)
		})
	}
}

// Other causes of a hold have nothing to do with the mailbox.
func TestMailboxSeenToWakesNobodyElse(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for kind, hold := range heldFor {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0, 0)
			hold(s)
			if kind == "sender" {
				s.pause() // which stays
			}
			before := s.enrollment(s.e)
			got(s.PauseMailbox(s.ctx, s.ws, s.box.ID))(t)
			s.resumeMailbox(s.box)
			now := s.enrollment(s.e)
			if kind == "sender" {
				before.HoldReason = nil
			}
			same(t, "enrollment", now, before)
		})
	}
}

// A mailbox that a campaign lets go, or that is gone, holds no enrollment there any more:
// another sends the next step.
func TestBlamedMailboxTakenAway(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		before bool // the refusal is known only afterwards
		take   func(s *late, other outreach.Mailbox)
	}{
		"let go":                          {false, func(s *late, other outreach.Mailbox) { letGo(s, nil, other) }},
		"disconnected":                    {false, disconnect},
		"let go, and reported later":      {true, func(s *late, other outreach.Mailbox) { letGo(s, nil, other) }},
		"disconnected and reported later": {true, disconnect},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0, 0)
			other := s.mailbox("other@acme.test")
			out := s.send(s.box)
			if c.before {
				c.take(s, other)
			}
			in := s.received(other, outreach.ReceivedBounce, "mailer-daemon@x.test", out)
			in.Bounces = []outreach.Bounce{{Fault: outreach.FaultSender, Error: "550 5.7.1"}}
			s.ingest(other, in)
			if !c.before {
				same(t, "held", s.enrollment(s.e).Status, outreach.EnrollmentHeld)
				c.take(s, other)
			}
			same(t, "goes on", s.enrollment(s.e).Status, outreach.EnrollmentActive)
			s.send(other)
			same(t, "nothing more", s.claim(other), nil)
			same(t, "in the end", s.enrollment(s.e).Status, outreach.EnrollmentFinished)
		})
	}
}

func disconnect(s *late, other outreach.Mailbox) {
	got(s.PauseCampaign(s.ctx, s.ws, s.c.ID))(s.t)
	must(s.t, s.DeleteMailbox(s.ctx, s.ws, s.box.ID))
	got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.MailboxIDs = ids(other.ID) }))(s.t)
	got(s.ActivateCampaign(s.ctx, s.ws, s.c.ID))(s.t)
}

// A late report on the mailbox that wrote first holds no enrollment that another has
// written to since.
func TestReportOnAFormerMailbox(t *testing.T) {
	t.Parallel()
	s := newStage(t).late(0, 0, 60)
	other := s.mailbox("other@acme.test")
	first := s.send(s.box)
	letGo(s, nil, other)
	s.send(other)
	got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.MailboxIDs = []uuid.UUID{s.box.ID, other.ID} }))(t)
	before := s.enrollment(s.e)
	s.bounce(outreach.FaultSender, first)
	same(t, "goes on", s.enrollment(s.e), before)
	s.clock.Advance(time.Hour)
	s.send(other)
}

// However many a mailbox holds up, they go on by one statement.
func TestMailboxSeenToInOneStatement(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	count := func(n int) int {
		s := s.room(t)
		box, _, held := s.blame(n, blocked)
		got(s.PauseMailbox(s.ctx, s.ws, box.ID))(t)
		s.said.take()
		s.resumeMailbox(box)
		said := len(s.said.take())
		same(t, "woken", ask[int](s, `SELECT count(*)::int FROM enrollments WHERE workspace_id = $1 AND status = 'active'`, s.ws), len(held))
		return said
	}
	same(t, "statements for two", count(2), count(1))
}

// A server that takes every message and reports on each afterwards refuses the
// sender as much as one that says so at once.
func TestThreeReportsPauseTheMailbox(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0)...)
	write := func(to string) *outreach.Outgoing {
		t.Helper()
		s.clock.Advance(time.Minute)
		s.enroll(c, s.prospect(to))
		return s.send(box)
	}
	report := func(fault outreach.Fault, about *outreach.Outgoing) {
		t.Helper()
		in := s.received(box, outreach.ReceivedBounce, "mailer-daemon@acme.test", about)
		in.Bounces = []outreach.Bounce{{Fault: fault, Error: "550 5.7.1"}}
		s.ingest(box, in)
	}
	status := func(what string, want outreach.MailboxStatus) {
		t.Helper()
		same(t, what, got(s.Mailbox(s.ctx, s.ws, box.ID))(t).Status, want)
	}
	report(outreach.FaultSender, write("1@x.test"))
	report(outreach.FaultSender, write("2@y.test"))
	write("fine@x.test")
	report(outreach.FaultSender, write("3@x.test"))
	report(outreach.FaultTransient, write("full@x.test"))
	report(outreach.FaultSender, write("4@x.test"))
	report(outreach.FaultSender, write("5@x.test"))
	status("two in a row", outreach.MailboxConnected)
	report(outreach.FaultSender, write("6@X.test"))
	status("three in a row about one domain", outreach.MailboxConnected)
	report(outreach.FaultSender, write("7@y.test"))
	status("and about another", outreach.MailboxPaused)

	s.resumeMailbox(box)
	s.exec(`UPDATE enrollments SET status = 'stopped'`)
	first, second := write("8@x.test"), write("9@y.test")
	report(outreach.FaultSender, first)
	report(outreach.FaultSender, second)
	status("a fresh start", outreach.MailboxConnected)
	third := write("10@z.test")
	s.checkMailbox(box)
	s.clock.Advance(time.Minute)
	report(outreach.FaultSender, third)
	status("reported after a check", outreach.MailboxConnected)
}

// Refusals because of the sender do not make the prospect one who cannot be
// reached.
func TestSenderFaultsAreNoTransientOnes(t *testing.T) {
	t.Parallel()
	s := newStage(t).late(0, 0, 0)
	for range 2 {
		s.sendWith(s.box, blocked)
		s.checkMailbox(s.box)
	}
	s.send(s.box)
	s.sendWith(s.box, outreach.SendResult{Kind: outreach.SendRefused, Fault: outreach.FaultTransient, Response: "552 full"})
	e := s.enrollment(s.e)
	same(t, "goes on", []any{e.Status, e.NextStep}, []any{outreach.EnrollmentActive, new(3)})
}

// A late report resumes no enrollment of an archived campaign or deleted prospect.
func TestLateReportOnWhatIsOver(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, end := range map[string]func(s *late){
		"archived": func(s *late) { got(s.ArchiveCampaign(s.ctx, s.ws, s.c.ID))(s.t) },
		"deleted":  func(s *late) { must(s.t, s.DeleteProspect(s.ctx, s.ws, s.p.ID)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0)
			out := s.send(s.box)
			end(s)
			before := s.enrollment(s.e)
			s.bounce(outreach.FaultSender, out)
			same(t, "enrollment", s.enrollment(s.e), before)
		})
	}
}
