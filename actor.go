package outreach

import (
	"context"

	"github.com/google/uuid"
)

// Actor is who makes a request, always in one workspace: a signed-in user, or an
// API token if User is nil.
type Actor struct {
	WorkspaceID uuid.UUID
	User        *Viewer
}

type actorKey struct{}

// WithActor returns a context that carries the actor.
func WithActor(ctx context.Context, actor Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, actor)
}

// ActorFrom returns the actor of a request, false if none was identified.
func ActorFrom(ctx context.Context) (Actor, bool) {
	actor, ok := ctx.Value(actorKey{}).(Actor)
	return actor, ok
}
