// Package live tells open streams of a workspace that something new is there. What is
// new is known to a database; Redis only says when to look, so that a message that is
// lost delays news and loses none. It must not know the domain.
package live

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

// The bounds of streams: of one workspace, and of the process.
const (
	MaxOfWorkspace = 100
	MaxOfProcess   = 2000
)

// channel is where all processes announce news, by the ids of workspaces.
const channel = "outreach:news"

// How often a process looks by itself: while Redis is away, and while it is there.
const (
	pollAway = time.Second
	pollFed  = 10 * time.Second
)

// lookLimit bounds one round of looking.
const lookLimit = 10 * time.Second

// Config is what a hub needs.
type Config struct {
	Redis redis.UniversalClient
	// Newest returns the id of what is newest in a workspace, uuid.Nil without any. It is
	// asked often and must be cheap.
	Newest func(ctx context.Context, workspace uuid.UUID) (uuid.UUID, error)
	Logger *slog.Logger
}

// Hub knows the open streams of this process. Its methods are safe for concurrent use.
type Hub struct {
	Config

	mu    sync.Mutex
	rooms map[uuid.UUID]*room
	total int
	ended chan struct{}
}

// room is the open streams of one workspace.
type room struct {
	newest  uuid.UUID
	streams map[chan uuid.UUID]struct{}
}

// New returns a hub without streams. News come while Run runs.
func New(config Config) *Hub {
	return &Hub{Config: config, rooms: map[uuid.UUID]*room{}, ended: make(chan struct{})}
}

// Announce tells all processes that a workspace may have something new. A process that
// dies before it does, or a Redis that is away, delays the news until the next poll.
func (h *Hub) Announce(ctx context.Context, workspace uuid.UUID) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if err := h.Redis.Publish(ctx, channel, workspace.String()).Err(); err != nil {
		h.Logger.LogAttrs(ctx, slog.LevelDebug, "news were not announced", slog.Any("error", err))
	}
}

// Join opens a stream: the ids of what is new, the newest if several came at once. ok is
// false when the workspace or the process has too many. leave closes the stream.
func (h *Hub) Join(ctx context.Context, workspace uuid.UUID) (news <-chan uuid.UUID, leave func(), ok bool) {
	newest, err := h.Newest(ctx, workspace)
	if err != nil {
		return nil, nil, false
	}
	stream := make(chan uuid.UUID, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[workspace]
	if h.total >= MaxOfProcess || r != nil && len(r.streams) >= MaxOfWorkspace {
		return nil, nil, false
	}
	if r == nil {
		r = &room{newest: newest, streams: map[chan uuid.UUID]struct{}{}}
		h.rooms[workspace] = r
	}
	r.streams[stream] = struct{}{}
	h.total++
	return stream, func() { h.leave(workspace, stream) }, true
}

func (h *Hub) leave(workspace uuid.UUID, stream chan uuid.UUID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[workspace]
	if r == nil {
		return
	}
	if _, there := r.streams[stream]; !there {
		return
	}
	delete(r.streams, stream)
	h.total--
	if len(r.streams) == 0 {
		delete(h.rooms, workspace)
	}
}

// Ended is closed when Run has ended: streams end too.
func (h *Hub) Ended() <-chan struct{} { return h.ended }

// Run passes news on until ctx ends.
func (h *Hub) Run(ctx context.Context) error {
	defer close(h.ended)
	said := h.Redis.Subscribe(ctx, channel)
	defer said.Close()
	announced := said.Channel()
	ticker := time.NewTicker(pollAway)
	defer ticker.Stop()
	var looked time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case message, open := <-announced:
			if !open {
				announced = nil
				continue
			}
			if workspace, err := uuid.Parse(message.Payload); err == nil {
				h.look(ctx, workspace)
			}
		case now := <-ticker.C:
			if open := h.open(); len(open) > 0 && (now.Sub(looked) >= pollFed || !h.fed(ctx)) {
				looked = now
				h.look(ctx, open...)
			}
		}
	}
}

// fed reports whether Redis is there to announce news.
func (h *Hub) fed(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, pollAway/2)
	defer cancel()
	return h.Redis.Ping(ctx).Err() == nil
}

func (h *Hub) open() (workspaces []uuid.UUID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for workspace := range h.rooms {
		workspaces = append(workspaces, workspace)
	}
	return workspaces
}

// look asks what is newest in workspaces that have streams here, and tells the streams.
func (h *Hub) look(ctx context.Context, workspaces ...uuid.UUID) {
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	for _, workspace := range workspaces {
		h.mu.Lock()
		_, here := h.rooms[workspace]
		h.mu.Unlock()
		if !here {
			continue
		}
		newest, err := h.Newest(ctx, workspace)
		if err != nil {
			h.Logger.LogAttrs(ctx, slog.LevelDebug, "news could not be read", slog.Any("error", err))
			return
		}
		h.tell(workspace, newest)
	}
}

func (h *Hub) tell(workspace, newest uuid.UUID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[workspace]
	if r == nil || r.newest == newest {
		return
	}
	r.newest = newest
	for stream := range r.streams {
		select {
		case <-stream: // nobody has read the one before
		default:
		}
		stream <- newest
	}
}
