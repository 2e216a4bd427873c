package live_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

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
	t.Cleanup(func() {
		stop()
		<-h.Ended()
	})
	return h
}

func join(t *testing.T, h *live.Hub, workspace uuid.UUID) <-chan uuid.UUID {
	t.Helper()
	news, leave, ok := h.Join(t.Context(), workspace)
	if !ok {
		t.Fatal("the stream was refused")
	}
	t.Cleanup(leave)
	return news
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
			one.Announce(t.Context(), mine)
			select {
			case got := <-here:
				if got != id {
					t.Errorf("the stream says %s, want %s", got, id)
				}
			case <-time.After(30 * time.Second):
				t.Fatal("no news")
			}
			select {
			case got := <-other:
				t.Errorf("another workspace hears of %s", got)
			default:
			}
		})
	}
}

// A workspace has so many streams; one that ends makes room.
func TestStreamsAreBounded(t *testing.T) {
	t.Parallel()
	mine, theirs := uuid.New(), uuid.New()
	h := hub(t, newTable(mine, theirs), testdb.Redis(t))
	var leave func()
	for range live.MaxOfWorkspace {
		var ok bool
		if _, leave, ok = h.Join(t.Context(), mine); !ok {
			t.Fatal("a stream was refused too early")
		}
	}
	if _, _, ok := h.Join(t.Context(), mine); ok {
		t.Error("one stream too many was opened")
	}
	join(t, h, theirs)
	leave()
	leave()
	join(t, h, mine)
	if _, _, ok := h.Join(t.Context(), mine); ok {
		t.Error("leaving twice made room for two")
	}
}
