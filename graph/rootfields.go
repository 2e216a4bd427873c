package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"outreach"
	"outreach/internal/share"
)

// limitRoots refuses operations with more fields at their root. Each costs as much as a request, and
// the rate of a workspace counts operations.
func limitRoots(most int) operationCheck {
	return func(op *graphql.OperationContext) *gqlerror.Error {
		root := "Query"
		if op.Operation.Operation == ast.Mutation {
			root = "Mutation"
		}
		if len(graphql.CollectFields(op, op.Operation.SelectionSet, []string{root})) > most {
			return gqlerror.Errorf("The operation has more than %d fields at its root.", most)
		}
		return nil
	}
}

// workspaceLimit lets one workspace resolve so many fields of queries at a time in a process; others
// wait. Each field needs a connection to the database, which all workspaces share.
type workspaceLimit struct{ fields *share.Shares[uuid.UUID] }

// ExtensionName names the limit in gqlgen's registry.
func (workspaceLimit) ExtensionName() string { return "WorkspaceLimit" }

// Validate does nothing: the limit does not depend on the schema.
func (workspaceLimit) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptRootField waits for a place. The fields of a mutation run one after the other anyway. A
// context that ends meanwhile is reported by the field.
func (l workspaceLimit) InterceptRootField(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	actor, known := outreach.ActorFrom(ctx)
	if !known || graphql.GetOperationContext(ctx).Operation.Operation == ast.Mutation {
		return next(ctx)
	}
	if release, err := l.fields.Take(ctx, actor.WorkspaceID, 1); err == nil {
		defer release()
	}
	return next(ctx)
}
