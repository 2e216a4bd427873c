package storage_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

func (s *stage) domains() []string {
	s.t.Helper()
	var names []string
	for _, d := range got(s.ListSendingDomains(s.ctx, s.ws, outreach.Page{Limit: 100}))(s.t).Rows {
		names = append(names, d.Domain)
	}
	slices.Sort(names)
	return names
}

// A sending domain is there as long as a mailbox has an address of it.
func TestSendingDomainsFollowMailboxes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a := s.mailbox("a@Acme.Test")
	b := s.mailbox("b@acme.test.")
	c := s.mailbox("c@bücher.test")
	same(t, "domains", s.domains(), []string{"acme.test", "xn--bcher-kva.test"})

	must(t, s.DeleteMailbox(s.ctx, s.ws, a.ID))
	same(t, "one of two is gone", s.domains(), []string{"acme.test", "xn--bcher-kva.test"})
	must(t, s.DeleteMailbox(s.ctx, s.ws, b.ID))
	same(t, "both are gone", s.domains(), []string{"xn--bcher-kva.test"})

	moved := got(s.MailboxWithPasswords(s.ctx, s.ws, c.ID))(t)
	moved.Email = "c@new.test"
	got(s.UpdateMailbox(s.ctx, moved))(t)
	same(t, "moved", s.domains(), []string{"new.test"})
}

// Connecting and disconnecting at the same time leaves the domains of the mailboxes
// that are left.
func TestSendingDomainsAtTheSameTime(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for range 10 {
		boxes := []outreach.Mailbox{s.mailbox("a@race.test"), s.mailbox("b@race.test")}
		var both sync.WaitGroup
		for _, box := range boxes {
			both.Go(func() {
				if err := s.DeleteMailbox(s.ctx, s.ws, box.ID); err != nil {
					t.Error(err)
				}
			})
		}
		both.Go(func() { s.mailbox("c@race.test") })
		both.Wait()
		same(t, "domains with one mailbox left", s.domains(), []string{"race.test"})
		left := got(s.ListMailboxes(s.ctx, s.ws))(t)
		must(t, s.DeleteMailbox(s.ctx, s.ws, left[0].ID))
		same(t, "domains without a mailbox", len(s.domains()), 0)
	}
}

// Each domain is due once a day, for one process; one that died holds it for five
// minutes.
func TestDomainChecksAreLeased(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.mailbox("a@one.test")
	s.mailbox("a@two.test")
	var mu sync.Mutex
	claimed := map[uuid.UUID]int{}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			due, err := s.LeaseDomains(s.ctx, 10)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, q := range due {
				claimed[q.ID]++
				same(t, "senders", q.Senders, []outreach.DomainSender{{Provider: outreach.ProviderCustom, SMTPHost: "smtp.test"}})
			}
		})
	}
	all.Wait()
	same(t, "claimed", len(claimed), 2)
	for id, times := range claimed {
		same(t, "claims of "+id.String(), times, 1)
	}

	s.clock.Advance(outreach.DomainCheckLease)
	again := got(s.LeaseDomains(s.ctx, 10))(t)
	same(t, "due again after the lease", len(again), 2)
	for _, q := range again {
		got(s.NoteDomainCheck(s.ctx, s.ws, q.ID, passingCheck()))(t)
	}
	s.clock.Advance(outreach.DomainCheckInterval - time.Second)
	same(t, "due before a day", len(got(s.LeaseDomains(s.ctx, 10))(t)), 0)
	s.clock.Advance(time.Second)
	same(t, "due after a day", len(got(s.LeaseDomains(s.ctx, 1))(t)), 1)
}

func passingCheck() outreach.DomainCheck {
	pass := outreach.RecordCheck{Result: outreach.RecordPass, Detail: "Good.", Record: new("v=spf1 -all")}
	return outreach.DomainCheck{MX: pass, SPF: pass, DMARC: pass, DMARCPolicy: new("none")}
}

// failing_since is the first of the checks that failed. Faults of the DNS in between do
// not move it. After 72 hours a person is asked to look.
func TestDomainFailing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.mailbox("a@acme.test")
	id := got(s.ListSendingDomains(s.ctx, s.ws, outreach.Page{Limit: 1}))(t).Rows[0].ID
	failing, unknown := passingCheck(), passingCheck()
	failing.DMARC = outreach.RecordCheck{Result: outreach.RecordNone, Detail: "No DMARC record."}
	unknown.SPF.Result, unknown.Fault = outreach.RecordUnknown, true
	note := func(check outreach.DomainCheck) outreach.SendingDomain {
		t.Helper()
		return got(s.NoteDomainCheck(s.ctx, s.ws, id, check))(t)
	}
	attention := func() []outreach.AttentionKind {
		t.Helper()
		var kinds []outreach.AttentionKind
		for _, a := range got(s.Attention(s.ctx, s.ws))(t) {
			kinds = append(kinds, a.Kind)
			same(t, "title", a.Title, "DMARC fails for acme.test")
			same(t, "detail", a.Detail, "No DMARC record.")
		}
		return kinds
	}

	d := note(passingCheck())
	same(t, "state", d.State, outreach.DomainPassing)
	same(t, "policy", *d.DMARCPolicy, "none")
	began := s.clock.Now()
	d = note(failing)
	same(t, "state", d.State, outreach.DomainFailing)
	same(t, "failing since", d.FailingSince.Equal(began), true)
	s.clock.Advance(24 * time.Hour)
	d = note(unknown)
	same(t, "state", d.State, outreach.DomainUnknown)
	s.clock.Advance(48*time.Hour - time.Second)
	d = note(failing)
	same(t, "failing since", d.FailingSince.Equal(began), true)
	same(t, "attention before 72 hours", len(attention()), 0)
	s.clock.Advance(time.Second)
	same(t, "attention after 72 hours", attention(), []outreach.AttentionKind{outreach.AttentionSendingDomain})
	d = note(passingCheck())
	same(t, "failing since", d.FailingSince == nil, true)
	same(t, "attention", len(attention()), 0)
	stored := got(s.SendingDomain(s.ctx, s.ws, id))(t)
	same(t, "stored", stored, d)
}
