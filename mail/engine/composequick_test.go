package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail"
	"outreach/mail/engine"
)

// claimingStore composes during the claim, as the real one does.
type claimingStore struct {
	*fakeStore
	drafts   []outreach.Draft
	composed []time.Duration
}

func (s *claimingStore) ClaimSend(ctx context.Context, box outreach.Mailbox, holder string,
	compose func(outreach.Draft) (outreach.Composed, error)) (*outreach.Outgoing, error) {
	if len(s.drafts) == 0 {
		return nil, nil
	}
	d := s.drafts[0]
	d.Mailbox = box
	began := time.Now()
	out, err := compose(d)
	s.composed = append(s.composed, time.Since(began))
	if err != nil {
		return nil, err
	}
	s.drafts = s.drafts[1:]
	s.queue[box.ID] = append(s.queue[box.ID],
		outreach.Outgoing{ID: uuid.New(), MessageID: out.MessageID, Recipient: d.Prospect.Email, Raw: out.Raw, Tries: 1})
	return s.fakeStore.ClaimSend(ctx, box, holder, compose)
}

// A step is compiled between two tries of the claim, and a workspace with large
// messages stops when its budget is spent.
func TestClaimsComposeQuickly(t *testing.T) {
	t.Parallel()
	server := startSMTP(t, fine)
	store := &claimingStore{fakeStore: newFakeStore()}
	box := store.box("me@acme.test", server.MailServer, "waiting@away.test")
	store.queue[box.ID] = nil
	large := draft(outreach.Step{Subject: new("Hi"), BodyText: new(strings.Repeat("x", 200<<10) + strings.Repeat("{{ 'a' }}", 1000))})
	for range 60 {
		store.drafts = append(store.drafts, large)
	}
	store.queue[box.ID] = nil
	e := engine.New(
		engine.Config{Store: store, Composer: composer(t), Withdrawn: errWithdrawn, Network: mail.Network{AllowNetworks: loopback.AllowNetworks}})
	e.StopSaving()
	e.Serve(t.Context(), outreach.MailboxRef{ID: box.ID})
	sent := len(server.received())
	if sent < 15 || sent > 30 {
		t.Errorf("%d of 60 large messages were sent in one round, want those that the budget allows", sent)
	}
	if tries := len(store.composed) - sent; tries != 2 {
		t.Errorf("%d claims were tried in vain, want one to compile and one at the end of the budget", tries)
	}
}
