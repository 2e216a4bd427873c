package graph

import (
	"github.com/google/uuid"

	"outreach"
)

// The topics of changes on the streams. The ids are those of replies.
const (
	TopicReply   = "reply"   // it was done, assigned, snoozed, marked, matched or answered
	TopicWriting = "writing" // a user writes an answer to it, or has stopped
)

// News announces to the open streams of a workspace that replies changed; without ids any may have.
type News interface {
	Changed(workspace uuid.UUID, topic string, replies ...uuid.UUID)
}

// changed announces a change unless it failed. Under an Idempotency-Key that is before the commit:
// a client that reads too early sees the change at its next poll. A process that dies in between
// has the same effect.
func (r *Resolver) changed(err error, topic string, workspace uuid.UUID, replies ...uuid.UUID) {
	if err == nil && r.News != nil {
		r.News.Changed(workspace, topic, replies...)
	}
}

// announced returns what a store returned for a change of a reply, and announces it.
func (r *Resolver) announced(reply outreach.Reply, err error) (outreach.Reply, error) {
	r.changed(err, TopicReply, reply.WorkspaceID, reply.ID)
	return reply, err
}
