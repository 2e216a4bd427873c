package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph"
	"outreach/internal/live"
	"outreach/storage/stores"
)

// livePath is the event stream of the application.
const livePath = "/live"

// How often a stream checks its session, and how long one write may take.
const (
	liveCheck = 5 * time.Second
	liveWrite = 20 * time.Second
)

// announcing wraps the store of the mail engine: it announces replies and sent answers after their
// commit. A process that dies in between delays them by one poll.
type announcing struct {
	*stores.Stores
	hub *live.Hub
}

// Ingest calls the store and announces new replies.
func (s announcing) Ingest(ctx context.Context, box outreach.Mailbox, in []outreach.Received, at outreach.FolderPosition) ([]bool, error) {
	taken, err := s.Stores.Ingest(ctx, box, in, at)
	for i := range in {
		if taken[i] && in[i].Kind.Answer() {
			s.hub.Announce(box.WorkspaceID)
			break
		}
	}
	return taken, err
}

// TakeSent calls the store and announces new external answers.
func (s announcing) TakeSent(ctx context.Context, box outreach.MailboxRef, answers []outreach.ExternalAnswer,
	at outreach.FolderPosition) error {
	err := s.Stores.TakeSent(ctx, box, answers, at)
	if err == nil && len(answers) > 0 {
		s.hub.Changed(box.WorkspaceID, graph.TopicReply)
	}
	return err
}

// SettleAnswer calls the store and announces the answer.
func (s announcing) SettleAnswer(ctx context.Context, answer outreach.Ref, holder string, result outreach.SendResult,
	refused string) error {
	err := s.Stores.SettleAnswer(ctx, answer, holder, result, refused)
	if err == nil {
		s.hub.Changed(answer.WorkspaceID, graph.TopicReply)
	}
	return err
}

// news streams the ids of new and changed replies to a signed-in user as server-sent events. It
// ends with the session, when the session opens another workspace, and when the process stops.
func (a *app) news(w http.ResponseWriter, r *http.Request) {
	actor, ok := member(r)
	if !ok {
		http.Error(w, "Sign in first.", http.StatusUnauthorized)
		return
	}
	stream, ok := a.live.Join(r.Context(), actor.WorkspaceID)
	if !ok {
		w.Header().Set("Retry-After", "60")
		http.Error(w, "Too many streams are open.", http.StatusServiceUnavailable)
		return
	}
	defer stream.Leave()
	out := http.NewResponseController(w)
	_ = out.SetReadDeadline(time.Time{}) // the server's timeout is for requests that end
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "private, no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	check := time.NewTicker(liveCheck)
	defer check.Stop()
	line := ": open\n\n"
	for {
		_ = out.SetWriteDeadline(time.Now().Add(liveWrite))
		if _, err := fmt.Fprint(w, line); err != nil {
			return
		}
		if err := out.Flush(); err != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-a.live.Ended():
			return
		case <-stream.Ready():
			line = eventsOf(stream.Take())
		case <-check.C:
			viewer, err := a.sessions.Viewer(r.Context())
			if err != nil || viewer == nil || viewer.WorkspaceID != actor.WorkspaceID {
				return
			}
			line = ": still here\n\n"
		}
	}
}

// eventsOf returns news as server-sent events: the newest reply without a name, changes under the
// name of their topic with their ids, "*" if any id may have changed.
func eventsOf(news live.News) string {
	var b strings.Builder
	if news.Newest != uuid.Nil {
		fmt.Fprintf(&b, "data: %s\n\n", news.Newest)
	}
	for _, change := range news.Changed {
		ids := make([]string, len(change.IDs))
		for i, id := range change.IDs {
			ids[i] = id.String()
		}
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", change.Topic, cmp.Or(strings.Join(ids, " "), "*"))
	}
	return b.String()
}
