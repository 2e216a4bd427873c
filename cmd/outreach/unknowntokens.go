package main

import (
	"context"
	"crypto/sha256"
	"sync"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/rate"
	"outreach/rest"
)

// knownTokens bounds the tokens that a process remembers: about 1 MB.
const knownTokens = 10_000

// guardedTokens limits the requests with unknown tokens of one client: each costs a query. Many
// clients may share one address, so a token that this process has seen is always looked up.
type guardedTokens struct {
	rest.Tokens
	limiter *rate.Limiter

	mu   sync.Mutex
	seen map[[sha256.Size]byte]bool
}

// WorkspaceByToken returns CodeRateLimited, without a query, for a token that was not seen yet from
// a client that has sent too many unknown ones.
func (g *guardedTokens) WorkspaceByToken(ctx context.Context, hash [sha256.Size]byte) (uuid.UUID, []byte, error) {
	key := "unknown:" + outreach.ClientFrom(ctx)
	if !g.knows(hash) && !g.limiter.Take(ctx, key, unknownTokenLimit, 0).Allowed {
		return uuid.Nil, nil, outreach.Errorf(outreach.CodeRateLimited, "More than %d requests with unknown tokens in a minute came "+
			"from this address. Try again in a minute.", unknownTokenLimit.Rate)
	}
	workspace, stored, err := g.Tokens.WorkspaceByToken(ctx, hash)
	switch {
	case err == nil:
		g.remember(hash)
	case outreach.CodeOf(err) == outreach.CodeNotFound:
		g.forget(hash)
		g.limiter.Take(ctx, key, unknownTokenLimit, 1)
	}
	return workspace, stored, err
}

func (g *guardedTokens) knows(hash [sha256.Size]byte) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.seen[hash]
}

func (g *guardedTokens) remember(hash [sha256.Size]byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.seen[hash] {
		return
	}
	if g.seen == nil || len(g.seen) >= knownTokens {
		g.seen = map[[sha256.Size]byte]bool{}
	}
	g.seen[hash] = true
}

func (g *guardedTokens) forget(hash [sha256.Size]byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.seen, hash)
}
