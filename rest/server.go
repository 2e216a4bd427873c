package rest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"outreach"
)

// Base is the path of the API, with its version.
const Base = "/api/v1"

// Queries runs prepared operations.
type Queries interface {
	// Run executes the named operation for the actor in ctx and returns the bytes of GraphQL's
	// data, such as {"page":{…}}, which the caller owns. Variables have the names of the
	// operation: ids and instants are strings, numbers int, the input is a map with GraphQL names
	// in which nil is null. An *outreach.Error in the chain of an error is shown to the client.
	Run(ctx context.Context, operation string, variables map[string]any) ([]byte, error)
}

// Tokens finds API tokens.
type Tokens interface {
	// WorkspaceByToken returns the workspace whose token has this SHA-256, and the stored hash. It
	// returns CodeNotFound if no token has it. It also records the last use.
	WorkspaceByToken(ctx context.Context, hash [sha256.Size]byte) (workspace uuid.UUID, stored []byte, err error)
}

// Bodies limits how much of the bodies of one workspace is in memory at a time.
type Bodies interface {
	// Enter waits until a body of at most length bytes may be read. The caller calls leave when the request has
	// ended. It returns an error if ctx ends first.
	Enter(ctx context.Context, workspace uuid.UUID, length int64) (leave func(), err error)
}

// Config holds the dependencies and limits of the API.
type Config struct {
	// Schema is the schema that Queries executes. The operations are checked against it, and it
	// defines the types of inputs and filters.
	Schema      *ast.Schema
	Queries     Queries
	Tokens      Tokens
	Idempotency Idempotency
	Files       Files
	// Bodies limits the memory of bodies; nil limits nothing.
	Bodies Bodies
	// Limiter counts every authenticated request; nil limits nothing.
	Limiter Limiter
	// Logger gets the errors that are not shown to the client; nil discards them.
	Logger *slog.Logger
	// Timeout limits the time of a request, without the time in which its body arrives; 14 seconds
	// when zero. It must be less than outreach.IdempotencyLease, so that a reservation outlives its
	// request.
	Timeout time.Duration
	// BodyTimeout is how long a body may stall; 10 seconds when zero.
	BodyTimeout time.Duration
}

// New returns the handler of Base, the OpenAPI document and /docs. It returns an error if an
// operation does not fit the schema.
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
	config.Logger = cmp.Or(config.Logger, slog.New(slog.DiscardHandler))
	config.Timeout = cmp.Or(config.Timeout, 14*time.Second)
	config.BodyTimeout = cmp.Or(config.BodyTimeout, 10*time.Second)
	if config.Timeout >= outreach.IdempotencyLease {
		return nil, fmt.Errorf("timeout must be shorter than the %s of the reservation of an Idempotency-Key, not %s",
			outreach.IdempotencyLease, config.Timeout)
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
	return &api{Config: config, table: table,
		decoding: decoding{schema: config.Schema, inputs: newInputs(config.Schema, shown)}, documents: documents}, nil
}

// ServeHTTP answers every request with a body, even after a panic.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := RequestID(r.Header.Get("X-Request-Id"))
	w.Header().Set("X-Request-Id", id)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if a.documents.serve(w, r, id) {
		return
	}
	reply, etag, err := a.serve(w, r, id)
	switch {
	case err == nil:
		reply.write(w, r, etag)
	case clientGone(r, err):
		w.WriteHeader(statusClientClosed)
	default:
		a.log(r, id, err)
		refuse(err, id).write(w, r, false)
	}
}

// statusClientClosed is the logged status if the client closed the connection before the answer.
const statusClientClosed = 499

// clientGone reports whether a request failed because its client closed the connection.
func clientGone(r *http.Request, err error) bool {
	_, refused := errors.AsType[*outreach.Error](err)
	return !refused && errors.Is(r.Context().Err(), context.Canceled)
}

func (a *api) serve(w http.ResponseWriter, r *http.Request, requestID string) (reply *answer, etag bool, err error) {
	e, ids, err := a.table.match(r.Method, r.URL.Path, w.Header())
	if err != nil {
		return nil, false, err
	}
	clock := &deadline{left: a.Timeout}
	var actor outreach.Actor
	var rate *Verdict
	err = clock.wait(r.Context(), func(ctx context.Context) (err error) {
		actor, rate, err = a.admit(ctx, r)
		return err
	})
	if err == nil {
		err = rate.limited(w.Header())
	}
	if err != nil {
		return nil, false, err
	}
	leave, err := a.enterBody(r, e, clock, actor.WorkspaceID)
	if err != nil {
		return nil, false, err
	}
	defer leave()
	c, err := a.readCall(w, r, e, ids.resource)
	if err != nil {
		return nil, false, err
	}
	c.actor, c.requestID = actor, requestID
	if e.shape.file {
		reply, err = a.readFile(r.Context(), c, ids.attachment)
		return reply, false, err
	}
	perform := clock.run
	if r.Method == http.MethodGet { // it reads the database alone
		perform = clock.wait
	}
	err = perform(outreach.WithActor(r.Context(), actor), func(ctx context.Context) error {
		done, err := a.carryOut(ctx, c)
		if err == nil {
			reply = done
		}
		return err
	})
	return reply, e.shape.etag, err
}

// call is a request that has been read: the operation, its variables and the actor.
type call struct {
	*endpoint
	key       string // Idempotency-Key; "" for none
	hash      []byte // of the request, for the key
	variables map[string]any
	faults    outreach.Faults // found in the body while it was decoded
	actor     outreach.Actor
	requestID string
}

// readCall reads query, headers and body of a request.
func (a *api) readCall(w http.ResponseWriter, r *http.Request, e *endpoint, id string) (c *call, err error) {
	c = &call{endpoint: e}
	if c.variables, err = e.params(a.Schema, r.URL.RawQuery); err != nil {
		return nil, err
	}
	if err := e.resource(id, c.variables); err != nil {
		return nil, err
	}
	if c.key, err = idempotencyKey(r); err != nil {
		return nil, err
	}
	body, err := a.readBody(w, r, e)
	if err != nil {
		return nil, err
	}
	if c.key != "" {
		c.hash = requestHash(r, body)
	}
	if len(body) == 0 {
		return c, nil
	}
	input, faults, err := a.decoding.decode(body, e.input)
	if err != nil {
		return nil, err
	}
	if e.input != nil {
		c.variables["input"] = input
	}
	c.faults = faults
	return c, nil
}

// carryOut runs the operation of a call. If the body has faults, the operation runs without
// effect, to find more faults.
func (a *api) carryOut(ctx context.Context, c *call) (*answer, error) {
	if len(c.faults) > 0 {
		return nil, a.findFaults(ctx, c)
	}
	return a.once(ctx, c, func(ctx context.Context) (*answer, error) {
		data, err := a.Queries.Run(ctx, c.operation, c.variables)
		if err != nil {
			return nil, err
		}
		return c.newAnswer(data)
	})
}

// findFaults returns the error for a body with faults: the faults from decoding, then those that
// the operation finds in the rest of the body. Nothing is stored.
func (a *api) findFaults(ctx context.Context, c *call) error {
	return outreach.FindAll(ctx,
		func(context.Context) error { return c.faults.Err() },
		func(ctx context.Context) error {
			if c.variables["input"] == nil {
				return nil
			}
			_, err := a.Queries.Run(ctx, c.operation, c.variables)
			return err
		})
}

// log records an error that is not shown to the client.
func (a *api) log(r *http.Request, id string, err error) {
	if _, shown := errors.AsType[*outreach.Error](err); shown {
		return
	}
	a.Logger.ErrorContext(r.Context(), "request failed", slog.String("request_id", id), slog.String("method", r.Method),
		slog.String("path", r.URL.Path), slog.Any("error", err))
}

// RequestID returns the client's id if it is safe in a log line, so that one id identifies a
// request across several systems; else a new id.
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
