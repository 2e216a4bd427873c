package storage_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// composeWithName writes a message to people with a first name; a step whose text
// says so does without one.
func composeWithName(d outreach.Draft) (outreach.Composed, error) {
	if d.Prospect.FirstName == nil && !strings.Contains(*d.Step.BodyText, "without") {
		return outreach.Composed{}, &outreach.HoldError{Reason: "step 1 needs a value for first_name"}
	}
	return plainCompose(d)
}

func (s *stage) claimWith(box outreach.Mailbox, compose func(outreach.Draft) (outreach.Composed, error)) *outreach.Outgoing {
	s.t.Helper()
	return got(s.ClaimSend(s.ctx, box, "me", compose))(s.t)
}

func called(name string) func(*outreach.Prospect) {
	return func(p *outreach.Prospect) { p.FirstName = &name }
}

func titled(title string) func(*outreach.Prospect) {
	return func(p *outreach.Prospect) { p.JobTitle = &title }
}

func bulkOf(email string, change func(*outreach.Prospect)) []outreach.BulkElement {
	return []outreach.BulkElement{{Change: func(p *outreach.Prospect) { p.Email = email; change(p) }}}
}

func rewritten(text string) func(*outreach.Campaign) {
	return func(c *outreach.Campaign) { c.Steps[0].BodyText = &text }
}

// Who is held since a message could not be composed goes on as soon as what it is
// composed of changes, by whatever way; the next claim looks again.
func TestChangesWakeWhomACompositionHolds(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for name, k := range map[string]struct {
		change func(s *stage, c outreach.Campaign, p outreach.Prospect)
		wakes  bool
		sends  bool
	}{
		"given the value": {func(s *stage, _ outreach.Campaign, p outreach.Prospect) {
			got(s.UpdateProspect(s.ctx, s.ws, p.ID, called("Ann")))(s.t)
		}, true, true},
		"given another value": {func(s *stage, _ outreach.Campaign, p outreach.Prospect) {
			got(s.UpdateProspect(s.ctx, s.ws, p.ID, titled("CEO")))(s.t)
		}, true, false},
		"given what was there": {func(s *stage, _ outreach.Campaign, p outreach.Prospect) {
			got(s.UpdateProspect(s.ctx, s.ws, p.ID, titled("CTO")))(s.t)
		}, false, false},
		"given the value in bulk": {func(s *stage, _ outreach.Campaign, p outreach.Prospect) {
			got(s.BulkProspects(s.ctx, s.ws, bulkOf(p.Email, called("Ann")), outreach.BulkMode{Update: true}))(s.t)
		}, true, true},
		"met in bulk": {func(s *stage, _ outreach.Campaign, p outreach.Prospect) {
			got(s.BulkProspects(s.ctx, s.ws, bulkOf(p.Email, called("Ann")), outreach.BulkMode{}))(s.t)
		}, false, false},
		"given the value in a dry run": {func(s *stage, _ outreach.Campaign, p outreach.Prospect) {
			got(s.BulkProspects(s.ctx, s.ws, bulkOf(p.Email, called("Ann")), outreach.BulkMode{Update: true, DryRun: true}))(s.t)
		}, false, false},
		"enrolled again with the value": {func(s *stage, c outreach.Campaign, p outreach.Prospect) {
			e := got(s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, Update: true, Change: func(q *outreach.Prospect) {
				q.Email = p.Email
				called("Ann")(q)
			}}))(s.t)
			same(s.t, "answer", e.Enrollment.Status, outreach.EnrollmentActive)
		}, true, true},
		"the same address in another workspace": {func(s *stage, _ outreach.Campaign, p outreach.Prospect) {
			other := s.room(s.t)
			q := other.prospect(p.Email)
			got(s.UpdateProspect(s.ctx, other.ws, q.ID, called("Ann")))(s.t)
			got(s.BulkProspects(s.ctx, other.ws, bulkOf(p.Email, called("Eve")), outreach.BulkMode{Update: true}))(s.t)
		}, false, false},
		"the step mended": {func(s *stage, c outreach.Campaign, _ outreach.Prospect) {
			got(s.UpdateCampaign(s.ctx, s.ws, c.ID, rewritten("Hello without a name")))(s.t)
		}, true, true},
		"the step changed": {func(s *stage, c outreach.Campaign, _ outreach.Prospect) {
			got(s.UpdateCampaign(s.ctx, s.ws, c.ID, rewritten("Dear")))(s.t)
		}, true, false},
		"the campaign renamed": {func(s *stage, c outreach.Campaign, _ outreach.Prospect) {
			got(s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) { c.Name = "Other" }))(s.t)
		}, false, false},
		"another campaign's step mended": {func(s *stage, c outreach.Campaign, _ outreach.Prospect) {
			other := s.campaign("Other", outreach.Mailbox{ID: c.MailboxIDs[0]}, steps(0)...)
			got(s.UpdateCampaign(s.ctx, s.ws, other.ID, rewritten("Hello without a name")))(s.t)
		}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := s.room(t)
			box := s.mailbox("me@acme.test")
			c := s.campaign("C", box, steps(0)...)
			p := got(s.CreateProspect(s.ctx, outreach.Prospect{WorkspaceID: s.ws, Email: "ann@x.test", JobTitle: new("CTO")}))(t)
			e := s.enroll(c, p)
			s.exec(`UPDATE enrollments SET next_send_at = next_send_at - interval '1 day' WHERE id = $1`, e.ID)
			same(t, "nothing to send", s.claimWith(box, composeWithName), nil)
			held := s.enrollment(e)
			same(t, "held", []string{string(held.Status), *held.HoldReason}, []string{"held", "step 1 needs a value for first_name"})

			k.change(s, c, p)
			now := s.enrollment(e)
			if !k.wakes {
				same(t, "after the change", now, held)
				return
			}
			woken := held
			woken.Status, woken.HoldReason, woken.NextSendAt = outreach.EnrollmentActive, nil, new(s.clock.Now())
			same(t, "after the change", now, woken)
			same(t, "prospect", s.status(p), outreach.ProspectInSequence)
			same(t, "sends", s.claimWith(box, composeWithName) != nil, k.sends)
			if !k.sends {
				same(t, "held again", s.enrollment(e).Status, outreach.EnrollmentHeld)
			}
		})
	}
}

// Other causes of a hold have nothing to do with the values of a message.
func TestChangesWakeNobodyElse(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0, 60)...)
	people := map[string]outreach.Prospect{}
	kept := map[string]outreach.Enrollment{}
	for _, name := range []string{"away", "lost", "blamed", "paused"} {
		people[name] = s.prospect(name + "@x.test")
		e := s.enroll(c, people[name])
		switch name {
		case "away":
			in := s.received(box, outreach.ReceivedAutomatic, "away@x.test", s.send(box))
			in.ReturnDate = new(s.clock.Now().AddDate(0, 0, 7))
			s.ingest(box, in)
		case "lost":
			s.sendWith(box, outreach.SendResult{Kind: outreach.SendUnknown, Response: "lost"})
		case "blamed":
			s.sendWith(box, outreach.SendResult{Kind: outreach.SendRefused, Fault: outreach.FaultSender, Response: "554 5.7.1"})
		case "paused":
			got(s.PauseEnrollment(s.ctx, s.ws, e.ID))(t)
		}
		kept[name] = s.enrollment(e)
	}
	var all []outreach.BulkElement
	for _, p := range people {
		got(s.UpdateProspect(s.ctx, s.ws, p.ID, called("Ann")))(t)
		all = append(all, bulkOf(p.Email, called("Eve"))...)
	}
	got(s.BulkProspects(s.ctx, s.ws, all, outreach.BulkMode{Update: true}))(t)
	got(s.UpdateCampaign(s.ctx, s.ws, c.ID, rewritten("Dear")))(t)
	for name, e := range kept {
		same(t, name, s.enrollment(e), e)
	}
}

// However many prospects a bulk update gives their value, waking them is one
// statement.
func TestBulkWakesInOneStatement(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0)...)
	count := func(n int) int {
		elements := people(n, "Ann")
		for i := range n {
			p := outreach.Prospect{WorkspaceID: s.ws}
			elements[i].Change(&p)
			p.FirstName = nil
			found, err := s.CreateProspect(s.ctx, p)
			if outreach.CodeOf(err) == outreach.CodeProspectExists {
				id := uuid.MustParse(ask[string](s, `SELECT id::text FROM prospects WHERE email = $1`, p.Email))
				got(s.UpdateProspect(s.ctx, s.ws, id, func(p *outreach.Prospect) { p.FirstName = nil }))(t)
			} else {
				must(t, err)
				s.enroll(c, found)
			}
		}
		s.exec(`UPDATE enrollments SET status = 'active', hold_kind = NULL`)
		same(t, "nothing to send", s.claimWith(box, composeWithName), nil)
		same(t, "held", ask[int](s, `SELECT count(*)::int FROM enrollments WHERE status = 'held'`), n)
		s.said.take()
		got(s.BulkProspects(s.ctx, s.ws, elements, outreach.BulkMode{Update: true}))(t)
		said := len(s.said.take())
		same(t, "woken", ask[int](s, `SELECT count(*)::int FROM enrollments WHERE status = 'active'`), n)
		return said
	}
	one, many := count(1), count(40)
	same(t, "statements for forty", many, one)
}

// A value that is given in the very moment in which its absence is noticed is not
// overlooked.
func TestValueGivenWhileItIsMissed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0)...)
	p := s.prospect("ann@x.test")
	s.enroll(c, p)
	given := make(chan error, 1)
	out := s.claimWith(box, func(d outreach.Draft) (outreach.Composed, error) {
		if len(given) == 0 {
			go func() {
				_, err := s.UpdateProspect(s.ctx, s.ws, p.ID, called("Ann"))
				given <- err
			}()
			s.untilOneWaitsOr(given)
		}
		return composeWithName(d)
	})
	must(t, <-given)
	if out == nil {
		out = s.claimWith(box, composeWithName)
	}
	same(t, "sends", out != nil, true)
}

// Nor is a step that is mended in that moment, even where the campaign lets the
// mailbox go with it.
func TestStepMendedWhileItIsMissed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box, other := s.mailbox("me@acme.test"), s.mailbox("other@acme.test")
	c := s.campaign("C", box, steps(0)...)
	e := s.enroll(c, s.prospect("ann@x.test"))
	mended := make(chan error, 1)
	tries := 0
	s.claimWith(box, func(d outreach.Draft) (outreach.Composed, error) {
		if tries++; tries == 1 {
			go func() {
				_, err := s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) {
					rewritten("Hello without a name")(c)
					c.MailboxIDs = []uuid.UUID{other.ID}
				})
				mended <- err
			}()
			s.untilOneWaitsOr(mended)
		}
		return composeWithName(d)
	})
	must(t, <-mended)
	same(t, "goes on", s.enrollment(e).Status, outreach.EnrollmentActive)
	same(t, "sends", s.claimWith(other, composeWithName) != nil, true)
}

// untilOneWaitsOr returns once a transaction waits for another's lock, or done has
// something to say, which it leaves there.
func (s *stage) untilOneWaitsOr(done chan error) {
	s.t.Helper()
	for len(done) == 0 && !ask[bool](s, `
SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`) {
		must(s.t, s.ctx.Err())
	}
}

// Each cause of a hold is named, and none leaves it behind. A stop keeps it for an undo.
func TestHoldsSayTheirKind(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0, 60)...)
	kind := func(e outreach.Enrollment) *string {
		return ask[*string](s, `SELECT hold_kind FROM enrollments WHERE id = $1`, e.ID)
	}
	missing := s.enroll(c, s.prospect("missing@x.test"))
	same(t, "nothing to send", s.claimWith(box, composeWithName), nil)
	lost := s.enroll(c, s.prospect("lost@x.test"))
	unknown := s.sendWith(box, outreach.SendResult{Kind: outreach.SendUnknown, Response: "lost"})
	blamed := s.enroll(c, s.prospect("blamed@x.test"))
	s.sendWith(box, outreach.SendResult{Kind: outreach.SendRefused, Fault: outreach.FaultSender, Response: "554 5.7.1"})
	away := s.enroll(c, s.prospect("away@x.test"))
	in := s.received(box, outreach.ReceivedAutomatic, "away@x.test", s.send(box))
	in.ReturnDate = new(s.clock.Now().AddDate(0, 0, 7))
	s.ingest(box, in)
	for want, e := range map[string]outreach.Enrollment{"content": missing, "unknown": lost, "sender": blamed, "absence": away} {
		same(t, "kind", kind(e), &want)
	}

	got(s.ResumeEnrollment(s.ctx, s.ws, missing.ID, false))(t)
	got(s.ResolveMessage(s.ctx, s.ws, unknown.ID, outreach.ResolvedSent))(t)
	got(s.StopEnrollment(s.ctx, s.ws, blamed.ID))(t)
	same(t, "kind once stopped", kind(blamed), new("sender"))
	got(s.ResumeEnrollment(s.ctx, s.ws, blamed.ID, false))(t)
	s.clock.Advance(8 * 24 * time.Hour)
	must(t, s.RefreshCampaigns(s.ctx))
	for _, e := range []outreach.Enrollment{missing, lost, blamed, away} {
		same(t, "kind afterwards", kind(e), nil)
	}
}
