package graph

import (
	"context"
	"sync"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"outreach"
	"outreach/internal/share"
)

// A workspace resolves three fields at a time, the others wait. Other workspaces and mutations do not.
func TestShareOfAWorkspace(t *testing.T) {
	t.Parallel()
	l := workspaceLimit{share.New[uuid.UUID](3)}
	inside, release := make(chan struct{}, 10), make(chan struct{})
	var all sync.WaitGroup
	resolve := func(workspace uuid.UUID, kind ast.Operation, next graphql.RootResolver) {
		all.Go(func() {
			ctx := outreach.WithActor(t.Context(), outreach.Actor{WorkspaceID: workspace})
			ctx = graphql.WithOperationContext(ctx, &graphql.OperationContext{Operation: &ast.OperationDefinition{Operation: kind}})
			l.InterceptRootField(ctx, next)
		})
	}
	var mu sync.Mutex
	running, most := 0, 0
	hangs := func(context.Context) graphql.Marshaler {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		inside <- struct{}{}
		<-release
		mu.Lock()
		running--
		mu.Unlock()
		return graphql.Null
	}
	passes := func(context.Context) graphql.Marshaler {
		inside <- struct{}{}
		return graphql.Null
	}
	busy, other := uuid.New(), uuid.New()
	for range 10 {
		resolve(busy, ast.Query, hangs)
	}
	for range 3 {
		<-inside
	}
	resolve(other, ast.Query, passes)
	<-inside
	resolve(busy, ast.Mutation, passes)
	<-inside
	close(release)
	all.Wait()
	if most != 3 || l.fields.Len() != 0 {
		t.Errorf("%d fields at a time, want 3; %d workspaces are kept, want none", most, l.fields.Len())
	}
}
