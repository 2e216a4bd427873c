// Package graph resolves the schema. Resolvers unpack their arguments, call a store
// and return. The package also has the in-process executor that rest runs its prepared
// operations on, and the handler of /graphql. It knows no SQL and no REST; it reaches
// storage, mail and webhooks through small interfaces.
package graph

import (
	"context"
	"log/slog"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
	"outreach/graph/page"
	"outreach/internal/share"
)

// Config holds the dependencies of the resolvers.
type Config struct {
	Stores    Stores
	Keyring   *outreach.Keyring
	Templates Templates
	Mail      MailProber
	Probes    ProbeLimit
	Tokens    MailTokens
	Connector Connector
	Tests     TestMails
	// AnswerMail is the part of package mail that storing an answer uses.
	AnswerMail outreach.AnswerMail
	Webhooks   Webhooks
	Sessions   Sessions
	Attempts   Attempts
	Domains    Domains
	DNS        DomainChecker
	Finder     ServerFinder
	News       News // nil: changes are not announced
	Logger     *slog.Logger
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// NewToken returns an API token: the text that is shown once, its visible prefix
	// and the hash that is stored.
	NewToken func() (token, prefix string, hash [32]byte)
}

// Resolver is the root of all resolvers.
type Resolver struct {
	Config
	cursors page.Cursors
	bulks   *share.Shares[uuid.UUID] // running bulk calls by workspace
}

var _ exec.ResolverRoot = (*Resolver)(nil)

// NewResolver returns the root of all resolvers.
func NewResolver(config Config) *Resolver {
	if config.Now == nil {
		config.Now = time.Now
	}
	return &Resolver{Config: config, cursors: page.Cursors{Keys: config.Keyring}, bulks: share.New[uuid.UUID](1)}
}

// NewSchema returns the executable schema.
func NewSchema(config Config) graphql.ExecutableSchema {
	executable := exec.NewExecutableSchema(exec.Config{Resolvers: NewResolver(config)})
	return schema{executable, loaders{config.Stores.RelatedReader, config.Stores.HealthReader}}
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

// FieldFault resolves the fields that outreach.FieldError does not have.
func (r *Resolver) FieldFault() exec.FieldFaultResolver { return faults{} }

func (faults) Code(_ context.Context, fault *outreach.FieldError) (string, error) {
	return string(fault.Code), nil
}

// BulkResult resolves the fields that outreach.BulkResult does not have.
func (r *Resolver) BulkResult() exec.BulkResultResolver { return bulk{} }

func (bulk) Changes(_ context.Context, result *outreach.BulkResult) ([]string, error) {
	pointers := make([]string, len(result.Changed))
	for i, path := range result.Changed {
		pointers[i] = path.Pointer()
	}
	return pointers, nil
}

// Refusal resolves the fields that outreach.Error does not have.
func (r *Resolver) Refusal() exec.RefusalResolver { return refusals{} }

func (refusals) Code(_ context.Context, refusal *outreach.Error) (string, error) {
	return string(refusal.Code), nil
}

var errSignIn = outreach.Errorf(outreach.CodeUnauthorized, "Sign in first.")

// workspace returns the workspace of the request.
func workspace(ctx context.Context) (uuid.UUID, error) {
	actor, ok := outreach.ActorFrom(ctx)
	if !ok {
		return uuid.Nil, errSignIn
	}
	if err := secondFactor(actor.User); err != nil {
		return uuid.Nil, err
	}
	return actor.WorkspaceID, nil
}

// signedIn returns the signed-in user, even one who still has to turn on two-factor sign-in. An
// API token has no user.
func signedIn(ctx context.Context) (*outreach.Viewer, error) {
	actor, ok := outreach.ActorFrom(ctx)
	if !ok {
		return nil, errSignIn
	}
	if actor.User == nil {
		return nil, outreach.Errorf(outreach.CodeForbidden, "Only a signed-in user can do this.")
	}
	return actor.User, nil
}

// user returns the signed-in user.
func user(ctx context.Context) (*outreach.Viewer, error) {
	v, err := signedIn(ctx)
	if err == nil {
		err = secondFactor(v)
	}
	return v, err
}

// secondFactor returns an error for a user without a second factor if the workspace requires one.
func secondFactor(v *outreach.Viewer) error {
	if v != nil && v.LacksFactor() {
		return outreach.Errorf(outreach.CodeTOTPSetupRequired, "This workspace requires two-factor sign-in. Turn it on to continue.")
	}
	return nil
}

// owner returns the signed-in user, or an error unless the user is an owner of the workspace.
func owner(ctx context.Context) (*outreach.Viewer, error) {
	v, err := user(ctx)
	if err == nil && v.Role != outreach.RoleOwner {
		return nil, outreach.Errorf(outreach.CodeForbidden, "Only an owner of the workspace can do this.")
	}
	return v, err
}

// confirmedOwner returns the owner, or an error unless the password was entered in the last 15
// minutes.
func (r *Resolver) confirmedOwner(ctx context.Context) (*outreach.Viewer, error) {
	v, err := owner(ctx)
	if err == nil {
		err = r.confirmed(ctx)
	}
	return v, err
}

// ofWorkspace calls a method with the workspace of the request.
func ofWorkspace[T any](ctx context.Context, call func(context.Context, uuid.UUID) (T, error)) (T, error) {
	ws, err := workspace(ctx)
	if err != nil {
		var none T
		return none, err
	}
	return call(ctx, ws)
}

// inWorkspace calls a method with the workspace of the request and an id.
func inWorkspace[T any](ctx context.Context, id uuid.UUID, call func(context.Context, uuid.UUID, uuid.UUID) (T, error)) (T, error) {
	return ofWorkspace(ctx, func(ctx context.Context, ws uuid.UUID) (T, error) { return call(ctx, ws, id) })
}

// inWorkspaceWith is inWorkspace for a method with one more argument.
func inWorkspaceWith[T, A any](ctx context.Context, id uuid.UUID, arg A,
	call func(context.Context, uuid.UUID, uuid.UUID, A) (T, error)) (T, error) {
	return inWorkspace(ctx, id, func(ctx context.Context, ws, id uuid.UUID) (T, error) { return call(ctx, ws, id, arg) })
}

// ofSeveral calls a method with up to outreach.MaxLimit ids.
func ofSeveral[T any](ctx context.Context, ids []uuid.UUID, call func(context.Context, uuid.UUID, []uuid.UUID) ([]T, error)) ([]T, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return nil, err
	}
	if len(ids) > outreach.MaxLimit {
		return nil, outreach.Errorf(outreach.CodeInvalidParameter, "ids must have at most %d elements.", outreach.MaxLimit)
	}
	return call(ctx, ws, ids)
}

// selected returns the names of the fields of a type that the operation selects below the field that is
// resolved.
func selected(ctx context.Context, typeName string) (names []string) {
	for _, field := range graphql.CollectFieldsCtx(ctx, []string{typeName}) {
		names = append(names, field.Name)
	}
	return names
}

// deleted is inWorkspace for methods that return only an error.
func deleted(ctx context.Context, id uuid.UUID, call func(context.Context, uuid.UUID, uuid.UUID) error) (bool, error) {
	return inWorkspace(ctx, id, func(ctx context.Context, ws, id uuid.UUID) (bool, error) {
		return true, call(ctx, ws, id)
	})
}
