package main

import (
	"context"
	"crypto/sha256"
	"sync"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/rate"
	"outreach/rest"
	"outreach/session"
)

// knownSecrets bounds the secrets that a process remembers: about 1 MB.
const knownSecrets = 10_000

// countUnknown counts n unknown secrets or names, of which what is the plural, for the client behind
// ctx. It reports whether the client may send more.
func countUnknown(ctx context.Context, limiter *rate.Limiter, what string, n int) bool {
	return limiter.Take(ctx, "unknown:"+what+":"+outreach.ClientFrom(ctx), unknownLimit, n).Allowed
}

// unknownSecrets limits the requests of one client with unknown secrets, API tokens or session
// cookies: each costs a query. Many clients may share one address, so a secret that this process has
// seen is always looked up.
type unknownSecrets struct {
	limiter *rate.Limiter
	name    string // of the secrets, in plural

	mu   sync.Mutex
	seen map[[sha256.Size]byte]bool
}

// lookUp calls ask, which reports whether the secret with this hash is valid. It returns
// CodeRateLimited, without the call, for a secret that was not seen yet from a client that has sent
// too many unknown ones.
func (u *unknownSecrets) lookUp(ctx context.Context, hash [sha256.Size]byte, ask func() (valid bool, err error)) error {
	if !u.knows(hash) && !countUnknown(ctx, u.limiter, u.name, 0) {
		return outreach.Errorf(outreach.CodeRateLimited, "More than %d requests with unknown %s in a minute came "+
			"from this address. Try again in a minute.", unknownLimit.Rate, u.name)
	}
	valid, err := ask()
	switch {
	case err != nil:
		return err
	case valid:
		u.remember(hash)
	default:
		u.forget(hash)
		countUnknown(ctx, u.limiter, u.name, 1)
	}
	return nil
}

func (u *unknownSecrets) knows(hash [sha256.Size]byte) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.seen[hash]
}

func (u *unknownSecrets) remember(hash [sha256.Size]byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.seen[hash] {
		return
	}
	if u.seen == nil || len(u.seen) >= knownSecrets {
		u.seen = map[[sha256.Size]byte]bool{}
	}
	u.seen[hash] = true
}

func (u *unknownSecrets) forget(hash [sha256.Size]byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.seen, hash)
}

// guardedTokens limits requests with unknown tokens.
type guardedTokens struct {
	rest.Tokens
	unknown *unknownSecrets
}

func guardTokens(tokens rest.Tokens, limiter *rate.Limiter) guardedTokens {
	return guardedTokens{tokens, &unknownSecrets{limiter: limiter, name: "tokens"}}
}

// WorkspaceByToken returns CodeRateLimited, without a query, for an unknown token of a client that
// has sent too many of them.
func (g guardedTokens) WorkspaceByToken(ctx context.Context, hash [sha256.Size]byte) (workspace uuid.UUID, stored []byte, err error) {
	refused := g.unknown.lookUp(ctx, hash, func() (bool, error) {
		workspace, stored, err = g.Tokens.WorkspaceByToken(ctx, hash)
		if outreach.CodeOf(err) == outreach.CodeNotFound {
			return false, nil
		}
		return err == nil, err
	})
	if err == nil {
		err = refused
	}
	return workspace, stored, err
}

// guardedSessions limits requests with unknown session cookies.
type guardedSessions struct {
	session.Store
	unknown *unknownSecrets
}

func guardSessions(store session.Store, limiter *rate.Limiter) guardedSessions {
	return guardedSessions{store, &unknownSecrets{limiter: limiter, name: "sessions"}}
}

// StartSession remembers the session, so that it works for a client that has sent unknown ones.
func (g guardedSessions) StartSession(ctx context.Context, s outreach.NewSession) error {
	err := g.Store.StartSession(ctx, s)
	if err == nil {
		g.unknown.remember(s.Hash)
	}
	return err
}

// ViewerBySession returns CodeRateLimited, without a query, for an unknown cookie of a client that
// has sent too many of them.
func (g guardedSessions) ViewerBySession(ctx context.Context, hash [sha256.Size]byte) (viewer *outreach.Viewer, err error) {
	err = g.unknown.lookUp(ctx, hash, func() (_ bool, err error) {
		viewer, err = g.Store.ViewerBySession(ctx, hash)
		return viewer != nil, err
	})
	return viewer, err
}
