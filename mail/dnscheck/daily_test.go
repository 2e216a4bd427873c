package dnscheck_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail/dnscheck"
)

// domainStore has some domains that are due, once each.
type domainStore struct {
	mu    sync.Mutex
	due   []outreach.DomainQuestion
	found map[string]outreach.DomainState
	gone  uuid.UUID
	panic uuid.UUID
}

func (s *domainStore) LeaseDomains(_ context.Context, most int) ([]outreach.DomainQuestion, error) {
	n := min(most, len(s.due))
	batch := s.due[:n]
	s.due = s.due[n:]
	return batch, nil
}

func (s *domainStore) NoteDomainCheck(_ context.Context, _, id uuid.UUID, check outreach.DomainCheck) (outreach.SendingDomain, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == s.panic {
		panic("planted")
	}
	if id == s.gone {
		return outreach.SendingDomain{}, outreach.ErrNotFound
	}
	record := ""
	if check.SPF.Record != nil {
		record = *check.SPF.Record
	}
	s.found[record] = check.State()
	return outreach.SendingDomain{}, nil
}

// All domains that are due are checked, more than one batch of them; one that is gone
// by then stops nothing, and neither does one whose check panics.
func TestCheckDue(t *testing.T) {
	t.Parallel()
	names := nameServer(t, "")
	store := &domainStore{found: map[string]outreach.DomainState{}, gone: uuid.New(), panic: uuid.New()}
	store.due = append(store.due, outreach.DomainQuestion{ID: store.gone, Domain: "gone.test"},
		outreach.DomainQuestion{ID: store.panic, Domain: "panic.test"})
	for _, host := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		zone := host + `.test. 60 IN TXT "v=spf1 include:_spf.messagingengine.test a:` + host + `.test ~all"` + "\n" +
			host + ".test. 60 IN A 192.0.2.1\n_dmarc." + host + `.test. 60 IN TXT "v=DMARC1; p=none"`
		if err := names.Add(zone); err != nil {
			t.Fatal(err)
		}
		store.due = append(store.due, outreach.DomainQuestion{ID: uuid.New(), Domain: host + ".test"})
	}
	if err := names.Add(`_spf.messagingengine.test. 60 IN TXT "v=spf1 ~all"`); err != nil {
		t.Fatal(err)
	}
	daily := dnscheck.Daily{Store: store, Checker: checker(names), Logger: slog.New(slog.DiscardHandler)}
	if err := daily.CheckDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(store.found) != 10 || len(store.due) != 0 {
		t.Errorf("checked %v, left %v", store.found, store.due)
	}
	for record, state := range store.found {
		if state != outreach.DomainUnknown { // who sends is not known
			t.Errorf("%s: %s", record, state)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := daily.CheckDue(ctx); err == nil {
		t.Errorf("after the end: %v", err)
	}
}
