// Package live tells open streams of a workspace that something new is there, or that
// something changed. What is true is known to a database; Redis only says when to look, so
// that a message that is lost delays news and loses none. It must not know the domain.
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

// tellAway is how often streams hear that anything may have changed while Redis is away.
const tellAway = 5 * time.Second

// waiting is how many announcements may wait for Redis.
const waiting = 1000

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
	outbox chan string // what waits to be announced

	mu    sync.Mutex
	rooms map[uuid.UUID]*room
	total int
	ended chan struct{}
}

// room is the open streams of one workspace.
type room struct {
	newest  uuid.UUID
	streams map[*Stream]struct{}
}

// New returns a hub without streams. News come while Run runs, and leave while Publish does.
func New(config Config) *Hub {
	return &Hub{Config: config, outbox: make(chan string, waiting), rooms: map[uuid.UUID]*room{}, ended: make(chan struct{})}
}

// Announce tells all processes that a workspace may have something new. It never waits: of
// more than so many announcements that Redis has not taken, the latest are dropped. A
// process that dies before Redis has one, or a Redis that is away, delays the news until
// the next poll.
func (h *Hub) Announce(workspace uuid.UUID) { h.announce(workspace.String()) }

// Changed tells all processes that rows of a workspace changed. The topic, one word, is
// passed to the streams with the ids; more than MaxIDs of them are told as "anything". It
// never waits, as Announce does not.
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

// Publish hands to Redis what was announced in this process until ctx ends.
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

// hear passes on what a process announced.
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

// poll is when a process last looked by itself.
type poll struct{ looked, told time.Time }

// poll looks for what is new. While Redis is away it also tells all streams now and then
// that anything may have changed, since no process can say what did.
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
		h.tellNewest(workspace, newest)
	}
}
