package rest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"outreach"
)

// Base is the path under which everything lives; it carries the version.
const Base = "/api/v1"

// Queries runs prepared operations.
type Queries interface {
	// Run executes the operation of that name, with the actor found in ctx, and
	// gives the bytes of GraphQL's data, such as {"page":{…}}. The bytes are the
	// caller's to keep and to change. Variables have the names of the operation:
	// ids and instants are strings, numbers int, the input a map in GraphQL
	// spelling in which a nil stands for null. Errors that errors.AsType finds an
	// *outreach.Error in are shown to the client.
	Run(ctx context.Context, operation string, variables map[string]any) ([]byte, error)
}

// Tokens knows the API tokens.
type Tokens interface {
	// WorkspaceByToken finds the workspace whose token has this SHA-256, and gives
	// the hash as it is stored; CodeNotFound when no token has it. It also sees to
	// the last-used date.
	WorkspaceByToken(ctx context.Context, hash [sha256.Size]byte) (workspace uuid.UUID, stored []byte, err error)
}

// Config says what the API is made of.
type Config struct {
	// Schema is the one that Queries executes; the operations are checked against
	// it, and inputs and filters take their types from it.
	Schema      *ast.Schema
	Queries     Queries
	Tokens      Tokens
	Idempotency Idempotency
	// Limiter is asked for every authenticated request; nil limits nothing.
	Limiter Limiter
	// Logger gets what the client is not told; discarded when nil.
	Logger *slog.Logger
	// Timeout bounds one operation; 30 seconds when zero. It must stay below
	// outreach.IdempotencyLease, so that a claim outlives its request.
	Timeout time.Duration
	// BodyTimeout is how long a body may stall; 10 seconds when zero.
	BodyTimeout time.Duration
}

// New builds the handler of Base, the OpenAPI document and /docs. It fails when
// an operation does not fit the schema.
func New(config Config) (http.Handler, error) {
	return newAPI(config, routes, Operations())
}

type api struct {
	Config
	table     table
	decoding  decoding
	documents documents
}

func newAPI(config Config, routes []route, operations map[string]string) (*api, error) {
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.Timeout == 0 {
		config.Timeout = 30 * time.Second
	}
	if config.BodyTimeout == 0 {
		config.BodyTimeout = 10 * time.Second
	}
	if config.Timeout >= outreach.IdempotencyLease {
		return nil, fmt.Errorf("timeout of %s outlives an idempotency claim", config.Timeout)
	}
	table, err := newTable(config.Schema, routes, operations)
	if err != nil {
		return nil, err
	}
	shown, err := shownFields()
	if err != nil {
		return nil, err
	}
	documents, err := theDocuments()
	if err != nil {
		return nil, err
	}
	return &api{Config: config, table: table, decoding: decoding{schema: config.Schema, inputs: newInputs(config.Schema, shown)}, documents: documents}, nil
}

// ServeHTTP answers every request, a panic included, with a body of its own.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := RequestID(r.Header.Get("X-Request-Id"))
	w.Header().Set("X-Request-Id", id)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	defer func() {
		if cause := recover(); cause != nil {
			a.Logger.ErrorContext(r.Context(), "request panicked", slog.String("request_id", id), slog.String("method", r.Method), slog.String("path", r.URL.Path),
				slog.String("cause", fmt.Sprint(cause)), slog.String("stack", string(debug.Stack())))
			refuse(errInternal, id).write(w, r, false)
		}
	}()
	if a.documents.serve(w, r, id) {
		return
	}
	if err := a.serve(w, r, id); err != nil {
		a.log(r, id, err)
		refuse(err, id).write(w, r, false)
	}
}

func (a *api) serve(w http.ResponseWriter, r *http.Request, requestID string) error {
	e, id, err := a.table.match(r.Method, r.URL.Path, w.Header())
	if err != nil {
		return err
	}
	actor, err := a.admit(w, r)
	if err != nil {
		return err
	}
	variables, err := e.params(a.Schema, r.URL.RawQuery)
	if err != nil {
		return err
	}
	if err := e.resource(id, variables); err != nil {
		return err
	}
	body, err := a.readBody(w, r, e)
	if err != nil {
		return err
	}
	if err := a.readInput(body, e, variables); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(outreach.WithActor(r.Context(), actor), a.Timeout)
	defer cancel()
	reply, err := a.once(ctx, w, r, actor, body, requestID, func(ctx context.Context) (*answer, error) {
		data, err := a.Queries.Run(ctx, e.operation, variables)
		if err != nil {
			return nil, err
		}
		return e.newAnswer(data)
	})
	if err != nil {
		return err
	}
	reply.write(w, r, e.shape == found)
	return nil
}

// readInput decodes a body into the input of the operation.
func (a *api) readInput(body []byte, e *endpoint, variables map[string]any) error {
	if len(body) == 0 {
		return nil
	}
	input, faults, err := a.decoding.decode(body, e.input)
	if err != nil {
		return err
	}
	if e.input != nil {
		variables["input"] = input
	}
	return faults.Err()
}

// log writes down what the client is not told. A client that went away is no news.
func (a *api) log(r *http.Request, id string, err error) {
	if _, shown := errors.AsType[*outreach.Error](err); shown || r.Context().Err() != nil {
		return
	}
	a.Logger.ErrorContext(r.Context(), "request failed", slog.String("request_id", id), slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Any("error", err))
}

// RequestID keeps the client's own id when it is fit for a log line, so that one
// id can lead through several systems; else it makes one.
func RequestID(given string) string {
	fit := given != "" && len(given) <= 64
	for _, c := range []byte(given) {
		fit = fit && (c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '_' || c == '.')
	}
	if fit {
		return given
	}
	return uuid.Must(uuid.NewV7()).String()
}
