package main

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/share"
)

// The limits of bodies. The largest one has 5 MiB. GraphQL decodes values that take up to fifty times
// the bytes of their text, so it gets fewer bytes, and so many values: a bulk import with all custom
// fields has 112,000.
const (
	apiBodies     = 16 << 20 // bytes of one workspace at a time
	graphQLBodies = 6 << 20  // the same
	graphQLValues = 200_000  // in one body
	largestBody   = 5 << 20
	// bodyWait is how long a body of GraphQL waits, so that its refusal comes within the 15 s of any other.
	bodyWait = 14 * time.Second
)

// bodies limits the memory that the bodies of one workspace take: so many bytes are read and decoded at
// a time, other requests wait. It is safe for concurrent use.
type bodies struct{ atOnce *share.Shares[uuid.UUID] }

func newBodies(most int64) bodies { return bodies{share.New[uuid.UUID](most)} }

// Enter waits until a body of a length, in bytes, may be read. It returns CodeUnavailable if ctx ends first.
func (b bodies) Enter(ctx context.Context, workspace uuid.UUID, length int64) (leave func(), err error) {
	leave, err = b.atOnce.Take(ctx, workspace, length)
	if err != nil {
		return nil, errBodies
	}
	return leave, nil
}

var errBodies = outreach.Errorf(outreach.CodeUnavailable, "Too many large requests of this workspace are running. Try again in a moment.")

// limitGraphQLBodies limits the bodies of each workspace. A request without a session has a small body
// (graph.NewHandler).
func limitGraphQLBodies(next http.Handler) http.Handler {
	b := newBodies(graphQLBodies)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil {
			r.Body = &countedJSON{ReadCloser: r.Body, left: graphQLValues}
		}
		if actor, ok := outreach.ActorFrom(r.Context()); ok && r.ContentLength != 0 {
			leave, err := b.enterGraphQL(r, actor.WorkspaceID)
			if err != nil {
				w.Header().Set("Retry-After", "5")
				refuseGraphQL(w, r, http.StatusServiceUnavailable, errBodies.Code, errBodies.Message)
				return
			}
			defer leave()
		}
		next.ServeHTTP(w, r)
	})
}

func (b bodies) enterGraphQL(r *http.Request, workspace uuid.UUID) (leave func(), err error) {
	length := r.ContentLength
	if length < 0 || length > largestBody {
		length = largestBody
	}
	ctx, cancel := context.WithTimeout(r.Context(), bodyWait)
	defer cancel()
	return b.Enter(ctx, workspace, length)
}

// countedJSON reads a JSON text. It fails as for a body that is too large after left values.
type countedJSON struct {
	io.ReadCloser
	left            int
	inText, escaped bool
}

// Read is part of io.Reader.
func (c *countedJSON) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	for _, char := range p[:n] {
		switch {
		case c.escaped:
			c.escaped = false
		case c.inText && char == '\\':
			c.escaped = true
		case char == '"':
			c.inText = !c.inText
		case !c.inText && (char == ',' || char == '[' || char == '{'):
			c.left--
		}
	}
	if c.left < 0 {
		return 0, &http.MaxBytesError{Limit: graphQLValues}
	}
	return n, err
}
