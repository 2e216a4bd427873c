package lease_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"outreach/internal/lease"
)

// renewals remembers what was renewed and when.
type renewals struct {
	keys [][]int
	err  error
}

func (r *renewals) renew(_ context.Context, keys []int) error {
	slices.Sort(keys)
	r.keys = append(r.keys, keys)
	return r.err
}

func newKeeper(r *renewals, log *bytes.Buffer) *lease.Keeper[int] {
	return lease.NewKeeper(
		lease.Config[int]{What: "numbers", Renew: r.renew, Every: 10 * time.Second, Logger: slog.New(slog.NewTextHandler(log, nil))})
}

func TestKeeperRenewsWhatItHolds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r renewals
		var log bytes.Buffer
		k := newKeeper(&r, &log)
		k.Add(1)
		k.Add(2)
		time.AfterFunc(15*time.Second, func() { k.Remove(1); k.Add(3) })
		time.AfterFunc(25*time.Second, func() { k.Remove(2); k.Remove(3) })
		ctx, cancel := context.WithTimeout(t.Context(), 35*time.Second)
		defer cancel()
		k.Run(ctx)
		if want := [][]int{{1, 2}, {2, 3}}; !slices.EqualFunc(r.keys, want, slices.Equal) {
			t.Errorf("renewed %v, want %v: the third time nothing was held", r.keys, want)
		}
		if k.Len() != 0 || log.Len() > 0 {
			t.Errorf("%d leases are held, and the log says %q", k.Len(), log.String())
		}
	})
}

func TestKeeperRenewsInBatches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r renewals
		k := newKeeper(&r, &bytes.Buffer{})
		for i := range 2500 {
			k.Add(i)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second+1)
		defer cancel()
		k.Run(ctx)
		all := slices.Concat(r.keys...)
		slices.Sort(all)
		if len(r.keys) != 3 || len(slices.Compact(all)) != 2500 {
			t.Errorf("%d leases in %d batches, want 2500 in 3", len(all), len(r.keys))
		}
	})
}

func TestKeeperLogsAFailureAndTriesAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := renewals{err: errors.New("database is away")}
		var log bytes.Buffer
		k := newKeeper(&r, &log)
		k.Add(1)
		ctx, cancel := context.WithTimeout(t.Context(), 25*time.Second)
		defer cancel()
		k.Run(ctx)
		if n := strings.Count(log.String(), "cannot renew leases"); n != 2 || len(r.keys) != 2 {
			t.Errorf("%d warnings for %d tries, want 2 for 2", n, len(r.keys))
		}
	})
}
