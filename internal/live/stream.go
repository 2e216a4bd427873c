package live

import (
	"context"
	"slices"

	"github.com/google/uuid"
)

// MaxIDs is how many changed rows of one topic a stream gets by their ids.
const MaxIDs = 200

// Anything is the topic of an unknown change.
const Anything = "anything"

// Stream collects the news that one listener has not taken yet.
type Stream struct {
	hub       *Hub
	workspace uuid.UUID
	ready     chan struct{}
	news      News
}

// News holds the news that a listener has not taken yet.
type News struct {
	Newest  uuid.UUID // the newest item of the workspace; uuid.Nil: nothing is new
	Changed []Change  // one for each topic
}

// Change lists the rows of one topic that changed. Without ids any row may have changed.
type Change struct {
	Topic string
	IDs   []uuid.UUID
}

// Join opens a stream. It reports false if the workspace or the process has too many. Leave closes
// the stream.
func (h *Hub) Join(ctx context.Context, workspace uuid.UUID) (s *Stream, ok bool) {
	newest, err := h.Newest(ctx, workspace)
	if err != nil {
		return nil, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[workspace]
	if h.total >= MaxOfProcess || r != nil && len(r.streams) >= MaxOfWorkspace {
		return nil, false
	}
	if r == nil {
		r = &room{newest: newest, streams: map[*Stream]struct{}{}}
		h.rooms[workspace] = r
	}
	s = &Stream{hub: h, workspace: workspace, ready: make(chan struct{}, 1)}
	r.streams[s] = struct{}{}
	h.total++
	return s, true
}

// Leave closes the stream. It may be called twice.
func (s *Stream) Leave() {
	h := s.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[s.workspace]
	if r == nil {
		return
	}
	if _, there := r.streams[s]; !there {
		return
	}
	delete(r.streams, s)
	h.total--
	if len(r.streams) == 0 {
		delete(h.rooms, s.workspace)
	}
}

// Ready receives a value when there is something to take.
func (s *Stream) Ready() <-chan struct{} { return s.ready }

// Take returns what came since it was called last.
func (s *Stream) Take() News {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	news := s.news
	s.news = News{}
	return news
}

// wake is called with the hub's lock.
func (s *Stream) wake() {
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// add is called with the hub's lock.
func (s *Stream) add(topic string, ids []uuid.UUID) {
	at := slices.IndexFunc(s.news.Changed, func(c Change) bool { return c.Topic == topic })
	if at < 0 {
		s.news.Changed = append(s.news.Changed, Change{Topic: topic, IDs: slices.Clone(ids)})
		return
	}
	c := &s.news.Changed[at]
	if len(ids) == 0 || len(c.IDs) == 0 || len(c.IDs)+len(ids) > MaxIDs {
		c.IDs = nil
		return
	}
	for _, id := range ids {
		if !slices.Contains(c.IDs, id) {
			c.IDs = append(c.IDs, id)
		}
	}
}

func (h *Hub) tellNewest(workspace, newest uuid.UUID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[workspace]
	if r == nil || r.newest == newest {
		return
	}
	r.newest = newest
	for s := range r.streams {
		s.news.Newest = newest
		s.wake()
	}
}

func (h *Hub) tellChanged(workspace uuid.UUID, topic string, ids []uuid.UUID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[workspace]
	if r == nil {
		return
	}
	for s := range r.streams {
		s.add(topic, ids)
		s.wake()
	}
}
