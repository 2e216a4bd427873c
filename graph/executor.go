package graph

import (
	"context"
	"errors"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
)

// Executor runs prepared operations in process: parsed and validated once, at
// the start, and from then on only executed.
type Executor struct {
	exec      *executor.Executor
	documents map[string]string
}

// NewExecutor prepares documents, operation texts by name; it fails on the first
// that the schema does not allow.
func NewExecutor(schema graphql.ExecutableSchema, documents map[string]string) (*Executor, error) {
	x := &Executor{exec: executor.New(schema), documents: documents}
	x.exec.SetQueryCache(graphql.MapCache[*ast.QueryDocument]{})
	for name, text := range documents {
		// Variables are missing here; whether the document is sound is known before
		// they are looked at.
		op, errs := x.exec.CreateOperationContext(graphql.StartOperationTrace(context.Background()), &graphql.RawParams{Query: text})
		if op == nil || op.Operation == nil {
			return nil, fmt.Errorf("operation %s is not valid: %w", name, errs)
		}
	}
	return x, nil
}

var errCancelled = errors.New("the request ended before its answer")

// Run executes a prepared operation as whoever the context names and gives the
// bytes of its data. An error keeps the type that the resolver returned.
func (x *Executor) Run(ctx context.Context, operation string, variables map[string]any) ([]byte, error) {
	document, ok := x.documents[operation]
	if !ok {
		return nil, fmt.Errorf("no operation %q", operation)
	}
	ctx = graphql.StartOperationTrace(ctx)
	op, errs := x.exec.CreateOperationContext(ctx, &graphql.RawParams{Query: document, Variables: variables})
	if len(errs) > 0 {
		return nil, fmt.Errorf("prepare %s: %w", operation, errs)
	}
	respond, ctx := x.exec.DispatchOperation(ctx, op)
	response := respond(ctx)
	switch {
	case response == nil:
		return nil, errors.Join(errCancelled, ctx.Err())
	case len(response.Errors) > 0:
		return nil, response.Errors[0]
	}
	return response.Data, nil
}
