// Package graph resolves the schema: resolvers unpack their arguments, call one
// method and return. It holds the in-process executor that rest runs its
// prepared operations on, and the handler behind /graphql. It knows no SQL and no
// REST; storage, mail and webhooks stand behind small interfaces.
package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
	"outreach/graph/page"
)

// Config says what resolvers work with.
type Config struct {
	Stores    Stores
	Keyring   *outreach.Keyring
	Templates Templates
	Mail      MailProber
	Tests     TestMails
	Webhooks  Webhooks
	Sessions  Sessions
	Domains   Domains
	// NewToken makes an API token: the text that is shown once, its visible prefix,
	// and the hash that is stored.
	NewToken func() (token, prefix string, hash [32]byte)
}

// Resolver is the root of all resolvers.
type Resolver struct {
	Config
	cursors page.Cursors
}

var _ exec.ResolverRoot = (*Resolver)(nil)

// NewResolver returns the root of resolvers that work with config.
func NewResolver(config Config) *Resolver {
	return &Resolver{Config: config, cursors: page.Cursors{Keys: config.Keyring}}
}

// NewSchema returns the executable schema.
func NewSchema(config Config) graphql.ExecutableSchema {
	executable := exec.NewExecutableSchema(exec.Config{Resolvers: NewResolver(config)})
	return schema{executable, loaders{config.Stores.Neighbours}}
}

// schema adds the loaders to the context of each operation.
type schema struct {
	graphql.ExecutableSchema
	loaders loaders
}

// Exec runs one operation.
func (s schema) Exec(ctx context.Context) graphql.ResponseHandler {
	respond := s.ExecutableSchema.Exec(ctx)
	return func(ctx context.Context) *graphql.Response {
		return respond(exec.WithLoaders(ctx, s.loaders))
	}
}

type (
	queries   struct{ *Resolver }
	mutations struct{ *Resolver }
	faults    struct{}
	refusals  struct{}
	bulk      struct{}
)

// Query resolves the fields of Query.
func (r *Resolver) Query() exec.QueryResolver { return queries{r} }

// Mutation resolves the fields of Mutation.
func (r *Resolver) Mutation() exec.MutationResolver { return mutations{r} }

// FieldFault resolves what a field error does not hold in the schema's type.
func (r *Resolver) FieldFault() exec.FieldFaultResolver { return faults{} }

func (faults) Code(_ context.Context, fault *outreach.FieldError) (string, error) {
	return string(fault.Code), nil
}

// BulkResult resolves what a bulk result does not hold in the schema's type.
func (r *Resolver) BulkResult() exec.BulkResultResolver { return bulk{} }

func (bulk) Changes(_ context.Context, result *outreach.BulkResult) ([]string, error) {
	pointers := make([]string, len(result.Changed))
	for i, path := range result.Changed {
		pointers[i] = path.Pointer()
	}
	return pointers, nil
}

// Refusal resolves what a client error does not hold in the schema's type.
func (r *Resolver) Refusal() exec.RefusalResolver { return refusals{} }

func (refusals) Code(_ context.Context, refusal *outreach.Error) (string, error) {
	return string(refusal.Code), nil
}

var errSignIn = outreach.Errorf(outreach.CodeUnauthorized, "Sign in first.")

// workspace gives the workspace of whoever asks.
func workspace(ctx context.Context) (uuid.UUID, error) {
	actor, ok := outreach.ActorFrom(ctx)
	if !ok {
		return uuid.Nil, errSignIn
	}
	return actor.WorkspaceID, nil
}

// user gives the signed-in user; an API token is none.
func user(ctx context.Context) (*outreach.Viewer, error) {
	actor, ok := outreach.ActorFrom(ctx)
	if !ok {
		return nil, errSignIn
	}
	if actor.User == nil {
		return nil, outreach.Errorf(outreach.CodeForbidden, "Only a signed-in user can do this.")
	}
	return actor.User, nil
}

// owner gives the signed-in user if that is an owner of the workspace.
func owner(ctx context.Context) (*outreach.Viewer, error) {
	v, err := user(ctx)
	if err == nil && v.Role != outreach.RoleOwner {
		return nil, outreach.Errorf(outreach.CodeForbidden, "Only an owner of the workspace can do this.")
	}
	return v, err
}

// inWorkspace calls a method of one id in the workspace of whoever asks.
func inWorkspace[T any](ctx context.Context, id uuid.UUID, call func(context.Context, uuid.UUID, uuid.UUID) (T, error)) (T, error) {
	ws, err := workspace(ctx)
	if err != nil {
		var none T
		return none, err
	}
	return call(ctx, ws, id)
}

// ofSeveral calls a method of several ids, as many as a page holds at most.
func ofSeveral[T any](ctx context.Context, ids []uuid.UUID, call func(context.Context, uuid.UUID, []uuid.UUID) ([]T, error)) ([]T, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return nil, err
	}
	if len(ids) > outreach.MaxLimit {
		return nil, outreach.Errorf(outreach.CodeInvalidParameter, "ids holds at most %d.", outreach.MaxLimit)
	}
	return call(ctx, ws, ids)
}

// deleted is inWorkspace for methods that only fail or not.
func deleted(ctx context.Context, id uuid.UUID, call func(context.Context, uuid.UUID, uuid.UUID) error) (bool, error) {
	return inWorkspace(ctx, id, func(ctx context.Context, ws, id uuid.UUID) (bool, error) {
		return true, call(ctx, ws, id)
	})
}
