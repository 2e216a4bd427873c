// Package live tells open streams of a workspace that there is something new or changed. The data
// is in a database; Redis only says when to look, so a lost message delays news but loses none. It
// must not know the domain.
package live

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

// The limits of streams: of one workspace, and of the process.
const (
	MaxOfWorkspace = 100
	MaxOfProcess   = 2000
)

// channel is the Redis channel on which all processes announce news, by the ids of workspaces.
const channel = "outreach:news"

// How often a process polls: while Redis is unavailable, and while it is available.
const (
	pollAway = time.Second
	pollFed  = 10 * time.Second
)

// tellAway is how often streams are told that anything may have changed while Redis is
// unavailable.
const tellAway = 5 * time.Second

// waiting is how many announcements may wait for Redis.
const waiting = 1000

// lookLimit limits one round of polling.
const lookLimit = 10 * time.Second

// Config configures a Hub.
type Config struct {
	Redis redis.UniversalClient
	// Newest returns the id of the newest item in a workspace, uuid.Nil if there is none. It is
	// called often and must be cheap.
	Newest func(ctx context.Context, workspace uuid.UUID) (uuid.UUID, error)
	Logger *slog.Logger
}

// Hub manages the open streams of this process. Its methods are safe for concurrent use.
type Hub struct {
	Config
	outbox chan string // waits to be announced

	mu    sync.Mutex
	rooms map[uuid.UUID]*room
	total int
	ended chan struct{}
}

// room holds the open streams of one workspace.
type room struct {
	newest  uuid.UUID
	streams map[*Stream]struct{}
}

// New returns a hub without streams. Run receives news, Publish sends them.
func New(config Config) *Hub {
	return &Hub{Config: config, outbox: make(chan string, waiting), rooms: map[uuid.UUID]*room{}, ended: make(chan struct{})}
}

// Announce announces to all processes that a workspace may have something new. It never blocks: if
// too many announcements wait for Redis, the latest are dropped. If the process dies before Redis
// has one, or Redis is unavailable, the news are delayed until the next poll.
func (h *Hub) Announce(workspace uuid.UUID) { h.announce(workspace.String()) }

// Changed announces to all processes that rows of a workspace changed. The streams get the topic,
// one word, and the ids; more than MaxIDs ids are sent as "anything". Like Announce it never
// blocks.
func (h *Hub) Changed(workspace uuid.UUID, topic string, ids ...uuid.UUID) {
	words := []string{workspace.String(), topic}
	if len(ids) <= MaxIDs {
		for _, id := range ids {
			words = append(words, id.String())
		}
	}
	h.announce(strings.Join(words, " "))
}

func (h *Hub) announce(message string) {
	select {
	case h.outbox <- message:
	default:
		h.Logger.Debug("news were dropped")
	}
}

// Publish sends the announcements of this process to Redis until ctx ends.
func (h *Hub) Publish(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case message := <-h.outbox:
			h.publish(ctx, message)
		}
	}
}

func (h *Hub) publish(ctx context.Context, message string) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if err := h.Redis.Publish(ctx, channel, message).Err(); err != nil {
		h.Logger.LogAttrs(ctx, slog.LevelDebug, "news were not announced", slog.Any("error", err))
	}
}

// Ended returns a channel that is closed when Run has ended: streams end too.
func (h *Hub) Ended() <-chan struct{} { return h.ended }

// Run delivers news until ctx ends.
func (h *Hub) Run(ctx context.Context) error {
	defer close(h.ended)
	said := h.Redis.Subscribe(ctx, channel)
	defer said.Close()
	announced := said.Channel()
	ticker := time.NewTicker(pollAway)
	defer ticker.Stop()
	var poll poll
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case message, open := <-announced:
			if !open {
				announced = nil
				continue
			}
			h.hear(ctx, message.Payload)
		case now := <-ticker.C:
			h.poll(ctx, now, &poll)
		}
	}
}

// hear delivers the announcement of a process.
func (h *Hub) hear(ctx context.Context, message string) {
	words := strings.Fields(message)
	if len(words) == 0 {
		return
	}
	workspace, err := uuid.Parse(words[0])
	if err != nil {
		return
	}
	if len(words) == 1 {
		h.look(ctx, workspace)
		return
	}
	var ids []uuid.UUID
	for _, word := range words[2:] {
		id, err := uuid.Parse(word)
		if err != nil {
			return
		}
		ids = append(ids, id)
	}
	h.tellChanged(workspace, words[1], ids)
}

// poll holds the times of the last polls.
type poll struct{ looked, told time.Time }

// poll looks for new items. While Redis is unavailable it also tells all streams from time to time
// that anything may have changed, because no process can know what did.
func (h *Hub) poll(ctx context.Context, now time.Time, last *poll) {
	open := h.open()
	if len(open) == 0 {
		return
	}
	fed := h.fed(ctx)
	if !fed || now.Sub(last.looked) >= pollFed {
		last.looked = now
		h.look(ctx, open...)
	}
	if !fed && now.Sub(last.told) >= tellAway {
		last.told = now
		for _, workspace := range open {
			h.tellChanged(workspace, Anything, nil)
		}
	}
}

// fed reports whether Redis is available.
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

// look reads the newest item of workspaces that have streams here, and tells the streams.
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
		h.tellNewest(workspace, newest)
	}
}
