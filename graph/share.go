package graph

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"outreach"
)

// rootLimit refuses operations with more fields at their root. Each costs as much as a request, and
// the rate of a workspace counts operations.
type rootLimit int

// ExtensionName names the limit in gqlgen's registry.
func (rootLimit) ExtensionName() string { return "RootLimit" }

// Validate does nothing: the limit does not depend on the schema.
func (rootLimit) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext refuses an operation with too many fields at its root.
func (limit rootLimit) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	root := "Query"
	if op.Operation.Operation == ast.Mutation {
		root = "Mutation"
	}
	if len(graphql.CollectFields(op, op.Operation.SelectionSet, []string{root})) > int(limit) {
		return gqlerror.Errorf("The operation has more than %d fields at its root.", int(limit))
	}
	return nil
}

// share lets one workspace resolve so many fields of queries at a time in a process; others wait.
// Each field needs a connection to the database, which all workspaces share.
type share struct {
	most int

	mu    sync.Mutex
	lanes map[uuid.UUID]*lane
}

// lane holds a value for each field of a workspace that is being resolved.
type lane struct {
	busy  chan struct{}
	users int // fields that are being resolved or wait
}

// ExtensionName names the limit in gqlgen's registry.
func (*share) ExtensionName() string { return "Share" }

// Validate does nothing: the limit does not depend on the schema.
func (*share) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptRootField waits for a place. The fields of a mutation run one after the other anyway. A
// context that ends meanwhile is reported by the field.
func (s *share) InterceptRootField(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	actor, known := outreach.ActorFrom(ctx)
	if !known || graphql.GetOperationContext(ctx).Operation.Operation == ast.Mutation {
		return next(ctx)
	}
	l := s.enter(actor.WorkspaceID)
	defer s.leave(actor.WorkspaceID, l)
	select {
	case l.busy <- struct{}{}:
		defer func() { <-l.busy }()
	case <-ctx.Done():
	}
	return next(ctx)
}

func (s *share) enter(workspace uuid.UUID) *lane {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lanes[workspace]
	if l == nil {
		l = &lane{busy: make(chan struct{}, s.most)}
		s.lanes[workspace] = l
	}
	l.users++
	return l
}

func (s *share) leave(workspace uuid.UUID, l *lane) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.users--; l.users == 0 {
		delete(s.lanes, workspace)
	}
}
