package live_test

import (
	"context"
	"log/slog"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"outreach/devstack/testdb"
	"outreach/internal/live"
)

// table stands for what is newest in each workspace.
type table struct{ of map[uuid.UUID]*atomic.Value }

func (t table) newest(_ context.Context, workspace uuid.UUID) (uuid.UUID, error) {
	return t.of[workspace].Load().(uuid.UUID), nil
}

func newTable(workspaces ...uuid.UUID) table {
	t := table{of: map[uuid.UUID]*atomic.Value{}}
	for _, workspace := range workspaces {
		t.of[workspace] = &atomic.Value{}
		t.of[workspace].Store(uuid.Nil)
	}
	return t
}

func hub(t *testing.T, newest table, url string) *live.Hub {
	t.Helper()
	options, err := asynq.ParseRedisURI(url)
	if err != nil {
		t.Fatal(err)
	}
	client := options.MakeRedisClient().(redis.UniversalClient)
	t.Cleanup(func() { _ = client.Close() })
	h := live.New(live.Config{Redis: client, Newest: newest.newest, Logger: slog.New(slog.DiscardHandler)})
	ctx, stop := context.WithCancel(t.Context())
	go func() { _ = h.Run(ctx) }()
	go func() { _ = h.Publish(ctx) }()
	t.Cleanup(func() {
		stop()
		<-h.Ended()
	})
	return h
}

func join(t *testing.T, h *live.Hub, workspace uuid.UUID) *live.Stream {
	t.Helper()
	stream, ok := h.Join(t.Context(), workspace)
	if !ok {
		t.Fatal("the stream was refused")
	}
	t.Cleanup(stream.Leave)
	return stream
}

// next waits for news.
func next(t *testing.T, s *live.Stream) live.News {
	t.Helper()
	select {
	case <-s.Ready():
	case <-time.After(30 * time.Second):
		t.Fatal("no news")
	}
	return s.Take()
}

// What one process announces reaches the streams of another, of that workspace alone,
// also where Redis is away.
func TestNewsReachOtherProcesses(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"with Redis": testdb.Redis(t), "without": "redis://127.0.0.1:1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mine, theirs := uuid.New(), uuid.New()
			newest := newTable(mine, theirs)
			one, two := hub(t, newest, url), hub(t, newest, url)
			here, other := join(t, two, mine), join(t, two, theirs)
			id := uuid.New()
			newest.of[mine].Store(id)
			one.Announce(mine)
			for got := next(t, here); got.Newest != id; got = next(t, here) {
				if got.Newest != uuid.Nil {
					t.Fatalf("the stream says %s, want %s", got.Newest, id)
				}
			}
			if got := other.Take(); got.Newest != uuid.Nil {
				t.Errorf("another workspace hears of %s", got.Newest)
			}
		})
	}
}

// A workspace has so many streams; one that ends makes room.
func TestStreamsAreBounded(t *testing.T) {
	t.Parallel()
	mine, theirs := uuid.New(), uuid.New()
	h := hub(t, newTable(mine, theirs), testdb.Redis(t))
	var last *live.Stream
	for range live.MaxOfWorkspace {
		var ok bool
		if last, ok = h.Join(t.Context(), mine); !ok {
			t.Fatal("a stream was refused too early")
		}
	}
	if _, ok := h.Join(t.Context(), mine); ok {
		t.Error("one stream too many was opened")
	}
	join(t, h, theirs)
	last.Leave()
	last.Leave()
	join(t, h, mine)
	if _, ok := h.Join(t.Context(), mine); ok {
		t.Error("leaving twice made room for two")
	}
}

// What changed reaches the streams of another process by its ids, of that workspace alone.
func TestChangesReachOtherProcesses(t *testing.T) {
	t.Parallel()
	mine, theirs := uuid.New(), uuid.New()
	newest, url := newTable(mine, theirs), testdb.Redis(t)
	one, two := hub(t, newest, url), hub(t, newest, url)
	here, other := join(t, two, mine), join(t, two, theirs)
	id := uuid.New()
	heard := untilHeard(t, here, func() { one.Changed(mine, "reply", id) })
	if want := (live.Change{Topic: "reply", IDs: []uuid.UUID{id}}); !cmp.Equal(heard, want) {
		t.Error(cmp.Diff(want, heard))
	}
	if got := other.Take(); len(got.Changed) > 0 {
		t.Errorf("another workspace hears of %v", got.Changed)
	}
}

// untilHeard repeats an announcement until the stream gets it: a hub subscribes to Redis some time
// after it began.
func untilHeard(t *testing.T, s *live.Stream, say func()) live.Change {
	t.Helper()
	for range 300 {
		say()
		select {
		case <-s.Ready():
			if changed := s.Take().Changed; len(changed) > 0 {
				return changed[0]
			}
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Fatal("no news")
	return live.Change{}
}

// While Redis is away, streams hear now and then that anything may have changed.
func TestStreamsHearThatRedisIsAway(t *testing.T) {
	t.Parallel()
	mine := uuid.New()
	here := join(t, hub(t, newTable(mine), "redis://127.0.0.1:1"), mine)
	if got := next(t, here).Changed; len(got) != 1 || got[0].Topic != live.Anything {
		t.Errorf("the stream says %v", got)
	}
}

// A listener that takes nothing costs no more than the ids of some changes.
func TestChangesOfOneStreamAreBounded(t *testing.T) {
	t.Parallel()
	mine := uuid.New()
	h := hub(t, newTable(mine), testdb.Redis(t))
	here := join(t, h, mine)
	untilHeard(t, here, func() { h.Changed(mine, "reply", uuid.New()) })
	for range live.MaxIDs + 2 {
		h.Changed(mine, "other", uuid.New())
	}
	for got := next(t, here); ; got = next(t, here) {
		for _, c := range got.Changed {
			if len(c.IDs) > live.MaxIDs {
				t.Fatalf("%d ids of topic %s", len(c.IDs), c.Topic)
			}
			if c.Topic == "other" {
				return
			}
		}
	}
}

// Announcing never waits for a Redis that does not answer.
func TestAnnouncingNeverWaits(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and says nothing
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	mine := uuid.New()
	h := hub(t, newTable(mine), "redis://"+silent.Addr().String())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 5000 {
			h.Announce(mine)
			h.Changed(mine, "reply", uuid.New())
		}
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second): // each would take a second
		t.Fatal("announcing waits for Redis")
	}
}
