package engine_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"outreach"
	"outreach/mail/engine"
)

// hangingStore has no work, and its first answers to each question get lost on
// the way: it ends when the caller gives it up, and not before.
type hangingStore struct {
	*fakeStore
	sweeps, refreshes, senders, readers atomic.Int32
}

func lostAtFirst(ctx context.Context, asked *atomic.Int32) error {
	if asked.Add(1) == 1 {
		<-ctx.Done()
	}
	return ctx.Err()
}

func (h *hangingStore) SweepSteps(ctx context.Context) (int, error) {
	return 0, lostAtFirst(ctx, &h.sweeps)
}

func (h *hangingStore) RefreshCampaigns(ctx context.Context) error {
	return lostAtFirst(ctx, &h.refreshes)
}

func (h *hangingStore) NextSender(context.Context) (time.Time, error) { return time.Time{}, nil }

func (h *hangingStore) Senders(ctx context.Context) ([]outreach.MailboxRef, error) {
	return nil, lostAtFirst(ctx, &h.senders)
}

func (h *hangingStore) Readers(ctx context.Context, _ outreach.ReadRequest) ([]outreach.MailboxRef, error) {
	return nil, lostAtFirst(ctx, &h.readers)
}

// A lost answer delays mail by a tick or two, and not until TCP finds the connection dead.
func TestTicksGoOnAfterALostAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		store := &hangingStore{fakeStore: newFakeStore()}
		e := engine.New(engine.Config{Store: store, Withdrawn: errWithdrawn, Composer: &engine.Composer{}})
		ended := make(chan error)
		go func() { ended <- e.Run(ctx) }()
		time.Sleep(10 * time.Minute)
		for name, asked := range map[string]*atomic.Int32{"sweeps": &store.sweeps, "refreshes": &store.refreshes,
			"senders": &store.senders, "readers": &store.readers} {
			if n := asked.Load(); n < 5 {
				t.Errorf("%d %s in ten minutes, one of them lost", n, name)
			}
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
