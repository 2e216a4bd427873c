package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"

	"outreach"
	"outreach/internal/rate"
)

// tokenTable holds valid tokens and counts the questions.
type tokenTable struct {
	valid map[[sha256.Size]byte]bool
	asked int
}

func (t *tokenTable) WorkspaceByToken(_ context.Context, hash [sha256.Size]byte) (uuid.UUID, []byte, error) {
	t.asked++
	if !t.valid[hash] {
		return uuid.Nil, nil, outreach.ErrNotFound
	}
	return uuid.UUID{1}, hash[:], nil
}

// A client that sends too many unknown tokens is refused without a query. Tokens that were seen
// pass from the same address, and other clients are not concerned.
func TestUnknownTokens(t *testing.T) {
	t.Parallel()
	withAndWithoutRedis(t, func(t *testing.T, limiter *rate.Limiter, _ *miniredis.Miniredis) {
		hash := func(n int) (h [sha256.Size]byte) {
			binary.BigEndian.PutUint64(h[:], uint64(n))
			return h
		}
		const seen, fresh = 1_000_001, 1_000_002
		table := &tokenTable{valid: map[[sha256.Size]byte]bool{hash(seen): true, hash(fresh): true}}
		guard := guardTokens(table, limiter)
		ask := func(client string, token int) string {
			before := table.asked
			answer := "found"
			if _, _, err := guard.WorkspaceByToken(outreach.WithClient(t.Context(), client), hash(token)); err != nil {
				answer = string(outreach.CodeOf(err))
			}
			return fmt.Sprintf("%s after %d questions", answer, table.asked-before)
		}
		const found, unknown, refused = "found after 1 questions", "not_found after 1 questions", "rate_limited after 0 questions"
		const office, elsewhere = "203.0.113.9", "203.0.113.10"
		if got := ask(office, seen); got != found {
			t.Fatalf("a valid token: %s", got)
		}
		sent := 0
		for sent < 700 && ask(office, sent) == unknown {
			sent++
		}
		if sent < 598 || sent > 600 { // Redis rounds
			t.Errorf("%d unknown tokens passed, want 600", sent)
		}
		for _, c := range []struct {
			what, client string
			token        int
			want         string
		}{
			{"one more", office, 700, refused},
			{"a token that was seen", office, seen, found},
			{"a token that was not seen", office, fresh, refused},
			{"an unknown one from elsewhere", elsewhere, 701, unknown},
			{"a token that was not seen, from elsewhere", elsewhere, fresh, found},
			{"that token", office, fresh, found},
		} {
			if got := ask(c.client, c.token); got != c.want {
				t.Errorf("%s: %q, want %q", c.what, got, c.want)
			}
		}
		delete(table.valid, hash(seen))
		if got := ask(office, seen); got != unknown {
			t.Errorf("a revoked token: %s", got)
		}
		if got := ask(office, seen); got != refused {
			t.Errorf("a revoked token, again: %s", got)
		}
	})
}

// The secrets that a process remembers are bounded.
func TestSeenSecretsAreBounded(t *testing.T) {
	t.Parallel()
	unknown := &unknownSecrets{}
	for i := range 2*knownSecrets + 1 {
		var hash [sha256.Size]byte
		binary.BigEndian.PutUint64(hash[:], uint64(i))
		unknown.remember(hash)
	}
	if n := len(unknown.seen); n != 1 {
		t.Errorf("%d secrets are remembered, want 1", n)
	}
}

// sessionTable holds sessions and counts the questions.
type sessionTable struct {
	noSessions
	valid map[[sha256.Size]byte]bool
	asked int
}

func (t *sessionTable) ViewerBySession(_ context.Context, hash [sha256.Size]byte) (*outreach.Viewer, error) {
	t.asked++
	if !t.valid[hash] {
		return nil, nil
	}
	return &outreach.Viewer{}, nil
}

// A client that sends too many unknown cookies is refused without a query, but for sessions that this
// process has seen or begun.
func TestUnknownSessions(t *testing.T) {
	t.Parallel()
	withAndWithoutRedis(t, func(t *testing.T, limiter *rate.Limiter, _ *miniredis.Miniredis) {
		hash := func(n int) [sha256.Size]byte { return sha256.Sum256([]byte{byte(n >> 8), byte(n)}) }
		const seen, begun = 1_001, 1_002
		table := &sessionTable{valid: map[[sha256.Size]byte]bool{hash(seen): true, hash(begun): true}}
		guard := guardSessions(table, limiter)
		ask := func(client string, n int) string {
			before := table.asked
			viewer, err := guard.ViewerBySession(outreach.WithClient(t.Context(), client), hash(n))
			if err != nil {
				return fmt.Sprintf("%s after %d questions", outreach.CodeOf(err), table.asked-before)
			}
			return fmt.Sprintf("%v after %d questions", viewer != nil, table.asked-before)
		}
		const known, unknown, refused = "true after 1 questions", "false after 1 questions", "rate_limited after 0 questions"
		const office, elsewhere = "203.0.113.9", "203.0.113.10"
		if got := ask(office, seen); got != known {
			t.Fatalf("a session: %s", got)
		}
		sent := 0
		for sent < 700 && ask(office, sent) == unknown {
			sent++
		}
		if sent < 598 || sent > 600 { // Redis rounds
			t.Errorf("%d unknown cookies passed, want 600", sent)
		}
		if got := ask(office, begun); got != refused {
			t.Errorf("a session that was not seen: %s", got)
		}
		if err := guard.StartSession(t.Context(), outreach.NewSession{Hash: hash(begun)}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			what, client string
			n            int
			want         string
		}{
			{"one more", office, 700, refused},
			{"a session that was seen", office, seen, known},
			{"a session that begins here", office, begun, known},
			{"an unknown one from elsewhere", elsewhere, 701, unknown},
		} {
			if got := ask(c.client, c.n); got != c.want {
				t.Errorf("%s: %q, want %q", c.what, got, c.want)
			}
		}
	})
}
