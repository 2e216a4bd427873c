package storage_test

import (
	"fmt"
	"testing"
	"time"

	"outreach"
)

// The one sentence that says why a campaign sends nothing.
func TestNotSendingReason(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make func(s *stage, box outreach.Mailbox) outreach.Campaign
		want *string
	}{
		"a draft": {func(s *stage, box outreach.Mailbox) outreach.Campaign { return s.draft("C", box, steps(0)...) },
			new("The campaign is a draft: activate it to send.")},
		"nobody in it": {
			func(s *stage, box outreach.Mailbox) outreach.Campaign { return s.campaign("C", box, steps(0)...) }, new("No prospect is due.")},
		"just sent": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			k := s.campaign("C", box, steps(0, 60)...)
			s.enroll(k, s.prospect("a@x.test"))
			s.send(box)
			return k
		}, new("No prospect is due before Fri 20 Nov 19:00 UTC.")},
		"the limit reached just now": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			k := s.campaign("C", box, steps(0)...)
			s.enroll(k, s.prospect("a@x.test"))
			s.enroll(k, s.prospect("b@x.test"))
			s.exec(`UPDATE mailboxes SET daily_limit = 1 WHERE id = $1`, box.ID)
			s.send(box)
			return k
		}, new("me@acme.test has reached its limit of 1 in 24 hours; next at Sat 21 Nov 18:00 UTC.")},
		"the limit of new prospects reached just now": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			k := s.campaign("C", box, steps(0)...)
			got(s.UpdateCampaign(s.ctx, s.ws, k.ID, func(k *outreach.Campaign) { k.DailyNewLimit = new(1) }))(s.t)
			s.enroll(k, s.prospect("a@x.test"))
			s.enroll(k, s.prospect("b@x.test"))
			s.send(box)
			s.claimAll(box)
			return k
		}, new("The limit of new prospects for today is reached; next at Sat 21 Nov 00:00 UTC.")},
		"due later": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			k := s.campaign("C", box, steps(90)...)
			s.enroll(k, s.prospect("a@x.test"))
			return k
		}, new("No prospect is due before Fri 20 Nov 19:30 UTC.")},
		"outside the window": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			k := s.campaign("C", box, steps(0)...)
			got(s.UpdateCampaign(s.ctx, s.ws, k.ID, func(k *outreach.Campaign) {
				k.SendDays, k.SendFrom, k.SendUntil = outreach.Weekdays[:5], "09:00", "17:00"
			}))(s.t)
			s.enroll(k, s.prospect("a@x.test"))
			s.claimAll(box)
			return k
		}, new("Outside the sending window; next at Mon 23 Nov 09:00 UTC.")},
		"everybody held": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			k := s.campaign("C", box, steps(0)...)
			s.enroll(k, s.prospect("a@x.test"))
			got(s.ClaimSend(s.ctx, box, "me", func(outreach.Draft) (outreach.Composed, error) {
				return outreach.Composed{}, &outreach.HoldError{Reason: "no value"}
			}))(s.t)
			return k
		}, new("1 person is held and no other prospect is due.")},
		"one away": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			return s.away(box, 5)
		}, new("1 person is out of office until Wed 25 Nov 18:00 UTC and no other prospect is due.")},
		"two away": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			return s.away(box, 9, 2)
		}, new("2 people are out of office, the first until Sun 22 Nov 18:00 UTC, and no other prospect is due.")},
		"one held, one away": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			k := s.away(box, 5)
			s.exec(`UPDATE enrollments SET status = 'held', hold_reason = 'no value' WHERE id = $1`, s.enroll(k, s.prospect("held@x.test")).ID)
			return k
		}, new("1 person is held and no other prospect is due.")},
		"one put off": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			return s.putOff(box, 15)
		}, new("1 message was deferred by its server and is tried again at Fri 20 Nov 18:15 UTC.")},
		"two put off, one held": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			k := s.putOff(box, 45, 30)
			s.exec(`UPDATE enrollments SET status = 'held', hold_reason = 'no value' WHERE id = $1`, s.enroll(k, s.prospect("held@x.test")).ID)
			return k
		}, new("2 messages were deferred by their servers, the first is tried again at Fri 20 Nov 18:30 UTC.")},
		"one put off, one due before": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			k := s.putOff(box, 15)
			s.exec(`
UPDATE enrollments SET next_send_at = $2 WHERE id = $1`, s.enroll(k, s.prospect("a@x.test")).ID, s.clock.Now().Add(10*time.Minute))
			return k
		}, new("No prospect is due before Fri 20 Nov 18:10 UTC.")},
		"one put off, one due behind": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			k := s.putOff(box, 15)
			s.exec(`
UPDATE enrollments SET next_send_at = $2 WHERE id = $1`, s.enroll(k, s.prospect("a@x.test")).ID, s.clock.Now().Add(20*time.Minute))
			return k
		}, new("1 message was deferred by its server and is tried again at Fri 20 Nov 18:15 UTC.")},
		"the limit reached": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			k := s.campaign("C", box, steps(0)...)
			s.enroll(k, s.prospect("a@x.test"))
			s.exec(`UPDATE mailboxes SET daily_limit = 0 WHERE id = $1`, box.ID)
			return k
		}, new("The daily limit of me@acme.test is 0.")},
		"the mailbox in error": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			must(s.t, s.NoteFailure(s.ctx, s.ws, box.ID, "login refused"))
			return s.campaign("C", box, steps(0)...)
		}, new("No mailbox can send: me@acme.test: login refused.")},
		"everybody through": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			k := s.campaign("C", box, steps(0)...)
			s.enroll(k, s.prospect("a@x.test"))
			s.send(box)
			return k
		}, new("All enrollments of the campaign have ended.")},
		"paused": {func(s *stage, box outreach.Mailbox) outreach.Campaign {
			k := s.campaign("C", box, steps(0)...)
			return got(s.PauseCampaign(s.ctx, s.ws, k.ID))(s.t)
		}, new("The campaign is paused.")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)                                            // a round refreshes the campaigns of all workspaces
			s.clock.Set(time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)) // a Friday
			k := c.make(s, s.mailbox("me@acme.test"))
			must(t, s.RefreshCampaigns(s.ctx))
			same(t, "reason", got(s.Campaign(s.ctx, s.ws, k.ID))(t).NotSendingReason, c.want)
			must(t, s.RefreshCampaigns(s.ctx))
			same(t, "and again", got(s.Campaign(s.ctx, s.ws, k.ID))(t).NotSendingReason, c.want)
		})
	}
}

// away makes a campaign in which everybody is out of office for so many days.
func (s *stage) away(box outreach.Mailbox, days ...int) outreach.Campaign {
	k := s.campaign("C", box, steps(0)...)
	for n, d := range days {
		e := s.enroll(k, s.prospect(fmt.Sprintf("away%d@x.test", n)))
		s.exec(`
UPDATE enrollments SET status = 'held', hold_reason = 'out of office', hold_until = $2 WHERE id = $1`, e.ID, s.clock.Now().AddDate(0, 0, d))
	}
	return k
}

// putOff makes a campaign in which each message is to be tried again after so many
// minutes.
func (s *stage) putOff(box outreach.Mailbox, minutes ...int) outreach.Campaign {
	k := s.campaign("C", box, steps(0)...)
	var put []*outreach.Outgoing
	for n := range minutes {
		s.enroll(k, s.prospect(fmt.Sprintf("later%d@x.test", n)))
		put = append(put, s.sendWith(box, outreach.SendResult{Kind: outreach.SendDeferred, Response: "451 4.7.1 greylisted"}))
	}
	for n, out := range put {
		s.exec(`UPDATE messages SET lease_until = $2 WHERE id = $1`, out.ID, s.clock.Now().Add(time.Duration(minutes[n])*time.Minute))
	}
	return k
}

func TestCampaignCompletesAndReopens(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0)...)
	status := func() outreach.CampaignStatus {
		must(t, s.RefreshCampaigns(s.ctx))
		return got(s.Campaign(s.ctx, s.ws, c.ID))(t).Status
	}
	same(t, "nobody was ever in it", status(), outreach.CampaignActive)
	s.enroll(c, s.prospect("a@x.test"))
	same(t, "somebody is", status(), outreach.CampaignActive)
	s.send(box)
	same(t, "everybody through", status(), outreach.CampaignCompleted)
	s.enroll(c, s.prospect("b@x.test"))
	same(t, "reopened at once", got(s.Campaign(s.ctx, s.ws, c.ID))(t).Status, outreach.CampaignActive)
	// A prospect was added while it completed: that transaction is over, and so is the check for its enrollment.
	s.exec(`UPDATE campaigns SET status = 'completed'`)
	s.exec(`INSERT INTO sender_wakes (workspace_id, id) VALUES ($1, uuid_v7())`, s.ws)
	same(t, "reopened by the next look", status(), outreach.CampaignActive)
}
