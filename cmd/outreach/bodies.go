package main

import (
	"context"
	"crypto/sha256"
	"io"
	"net/http"
	"os"
	"time"

	"outreach"
	"outreach/internal/share"
)

// The limits of bodies. The largest one has 5 MiB. GraphQL decodes values that take up to fifty times
// the bytes of their text, so it gets fewer bytes, and so many values: a bulk import with all custom
// fields has 112,000.
const (
	apiBodies     = 16 << 20 // bytes of one token at a time
	graphQLBodies = 6 << 20  // bytes of one workspace at a time
	graphQLValues = 200_000  // in one body
	largestBody   = 5 << 20
	bodyWait      = 20 * time.Second
)

// bodies limits the memory that the bodies of one sender take: so many bytes are read and decoded at
// a time, other requests wait. It is safe for concurrent use.
type bodies struct {
	atOnce *share.Shares[string] // in bytes
	// from returns the sender of a request; empty for one whose body is small or is not read.
	from func(*http.Request) string
}

// limitAPIBodies limits by token. Without one no body is read.
func limitAPIBodies(next http.Handler) http.Handler {
	b := &bodies{atOnce: share.New[string](apiBodies), from: func(r *http.Request) string {
		token := r.Header.Get("Authorization")
		if token == "" {
			return ""
		}
		sum := sha256.Sum256([]byte(token))
		return string(sum[:])
	}}
	return b.limit(next)
}

// limitGraphQLBodies limits by workspace. Those of strangers are small.
func limitGraphQLBodies(next http.Handler) http.Handler {
	b := &bodies{atOnce: share.New[string](graphQLBodies), from: func(r *http.Request) string {
		actor, ok := outreach.ActorFrom(r.Context())
		if !ok {
			return ""
		}
		return string(actor.WorkspaceID[:])
	}}
	limited := b.limit(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil {
			r.Body = &countedJSON{ReadCloser: r.Body, left: graphQLValues}
		}
		limited.ServeHTTP(w, r)
	})
}

func (b *bodies) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if from := b.from(r); from != "" && r.ContentLength != 0 {
			leave, err := b.enter(r.Context(), from, r.ContentLength)
			if err != nil {
				r.Body = io.NopCloser(tooLate{}) // the handler asks to send the request again
			} else {
				defer leave()
			}
		}
		next.ServeHTTP(w, r)
	})
}

// enter waits until a body of that length, -1 for an unknown one, may be read.
func (b *bodies) enter(ctx context.Context, from string, length int64) (leave func(), err error) {
	if length < 0 || length > largestBody {
		length = largestBody
	}
	ctx, cancel := context.WithTimeout(ctx, bodyWait)
	defer cancel()
	return b.atOnce.Take(ctx, from, length)
}

// tooLate is a body that did not arrive in time.
type tooLate struct{}

// Read is part of io.Reader.
func (tooLate) Read([]byte) (int, error) { return 0, os.ErrDeadlineExceeded }

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
