package engine_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
)

// Three weeks of a campaign by a clock that the test moves, from before to after
// the night on which Berlin goes back to winter time (25 October 2026) and the one
// on which New York does (1 November): three steps, a window on working days, a
// gap and a daily limit, two mailboxes.
func TestThreeWeeksOverClockChange(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 10, 19, 6, 0, 0, 0, time.UTC)
	w := newWorld(t, start, time.Millisecond)
	slow := func(m *outreach.Mailbox) { m.MinGapSeconds, m.DailyLimit = 600, weekLimit }
	c := w.campaign(func(c *outreach.Campaign) {
		c.Timezone, c.SendFrom, c.SendUntil, c.SendDays = "Europe/Berlin", "09:00", "11:59", outreach.Weekdays[:5]
		c.Steps = []outreach.Step{
			{Subject: new("First"), BodyText: new("Hello {{ first_name }}")},
			{DelayMinutes: 4 * 24 * 60, BodyText: new("Second")},
			{DelayMinutes: 7 * 24 * 60, BodyText: new("Third")},
		}
	}, w.mailbox("one@acme.test", slow), w.mailbox("two@acme.test", slow))
	zones := map[uuid.UUID]string{}
	for i := range weekPeople {
		zone := []string{"", "Europe/Berlin", "America/New_York"}[i%3]
		e := w.enroll(c, fmt.Sprintf("p%d@away.test", i), func(p *outreach.Prospect) {
			if zone != "" {
				p.Timezone = &zone
			}
		})
		zones[e.Prospect.ID] = zone
	}
	for w.clock.Now().Before(start.AddDate(0, 0, 21)) {
		w.engine.SendOnce(w.ctx)
		w.clock.Advance(15 * time.Minute)
	}
	sent, err := w.ListMessages(w.ctx, w.ws, outreach.MessageFilter{}, outreach.Page{Limit: 1000})
	must(t, err)
	slices.Reverse(sent.Rows)
	checkWindow(t, sent.Rows, zones)
	checkPace(t, sent.Rows)
	checkSequences(t, sent.Rows)
	if n := w.mail.ReceivedCount(); n != 3*weekPeople {
		t.Errorf("%d mails arrived, want %d", n, 3*weekPeople)
	}
	final, err := w.Campaign(w.ctx, w.ws, c.ID)
	must(t, err)
	if final.Status != outreach.CampaignCompleted {
		t.Errorf("campaign is %s (%v), want completed", final.Status, final.NotSendingReason)
	}
}

const (
	weekPeople = 24
	weekLimit  = 5
)

// checkWindow: every mail left between nine and noon of a working day where its
// reader lives, before the clocks changed and after.
func checkWindow(t *testing.T, sent []outreach.Message, zones map[uuid.UUID]string) {
	t.Helper()
	offsets := map[string]map[int]bool{}
	for _, m := range sent {
		name := zones[m.ProspectID]
		if name == "" {
			name = "Europe/Berlin"
		}
		zone, err := time.LoadLocation(name)
		must(t, err)
		local := m.SentAt.In(zone)
		if day := local.Weekday(); day == time.Saturday || day == time.Sunday || local.Hour() < 9 || local.Hour() > 11 {
			t.Errorf("step %d went out at %s", m.Step, local.Format(time.RFC1123))
		}
		_, offset := local.Zone()
		if offsets[name] == nil {
			offsets[name] = map[int]bool{}
		}
		offsets[name][offset/3600] = true
	}
	want := map[string]map[int]bool{"Europe/Berlin": {1: true, 2: true}, "America/New_York": {-4: true, -5: true}}
	if diff := cmp.Diff(want, offsets); diff != "" {
		t.Errorf("offsets under which mail was sent (-want +got):\n%s", diff)
	}
}

// checkPace: no mailbox was over its limit or under its gap.
func checkPace(t *testing.T, sent []outreach.Message) {
	t.Helper()
	last, day := map[uuid.UUID]time.Time{}, map[string]int{}
	for _, m := range sent {
		if before := last[m.MailboxID]; m.SentAt.Sub(before) < 10*time.Minute {
			t.Errorf("two mails of a mailbox at %s and %s", before, m.SentAt)
		}
		last[m.MailboxID] = *m.SentAt
		key := m.MailboxID.String() + m.SentAt.Format(time.DateOnly)
		if day[key]++; day[key] > weekLimit {
			t.Errorf("mail %d of a mailbox on %s", day[key], m.SentAt.Format(time.DateOnly))
		}
	}
	if len(last) != 2 {
		t.Errorf("%d mailboxes sent, want both", len(last))
	}
}

// checkSequences fails unless each person got each step once, in order, from one mailbox, and not
// before its delay was over.
func checkSequences(t *testing.T, sent []outreach.Message) {
	t.Helper()
	delays := []time.Duration{0, 4 * 24 * time.Hour, 7 * 24 * time.Hour}
	threads := map[uuid.UUID][]outreach.Message{}
	for _, m := range sent {
		threads[m.ProspectID] = append(threads[m.ProspectID], m)
	}
	for _, thread := range threads {
		if len(thread) != 3 {
			t.Errorf("a prospect got %d mails, want 3", len(thread))
			continue
		}
		for i, m := range thread {
			if *m.Step != i+1 || m.MailboxID != thread[0].MailboxID || m.Status != outreach.MessageSent {
				t.Errorf("mail %d is step %d, %s", i+1, *m.Step, m.Status)
			}
			if i > 0 && m.SentAt.Sub(*thread[i-1].SentAt) < delays[i] {
				t.Errorf("step %d came %s after the one before", *m.Step, m.SentAt.Sub(*thread[i-1].SentAt))
			}
		}
	}
	if len(threads) != weekPeople {
		t.Errorf("%d prospects got mail, want %d", len(threads), weekPeople)
	}
}
