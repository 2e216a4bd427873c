package outreach

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
)

// IdempotencyLease is how long a key stays claimed after the process that claimed it has died.
// Requests end well before.
const IdempotencyLease = 60 * time.Second

// IdempotencyRetention is how long the answer of a key is kept.
const IdempotencyRetention = 24 * time.Hour

// IdempotencyClaim is the claim of one request on an Idempotency-Key. rest puts it
// into the context of the operation, and the transactions of the store find it
// there.
//
//  1. The claim is a row that is committed before the operation begins and taken
//     until Until. If the process dies here, nothing was done, and another request
//     may claim the key after Until.
//  2. The method that makes the effect does not commit its transaction. It passes
//     it to Hold. If the process dies here, the database rolls back: nothing was
//     done.
//  3. When the answer is known, the store stores it in the held transaction and
//     commits: effect and answer appear together. If the process dies right after,
//     the next request under the key gets that answer.
//
// Until is also the fence. The statement of step 3 matches the row only while
// claimed_until still equals Until and no answer is stored. If it matches nothing,
// another process has claimed the key, and the transaction is rolled back.
//
// An operation of several transactions commits each before it begins the next.
// Only the last is held and fenced. Another connection does not see the effect
// between Hold and the commit, so a method returns what it wrote.
type IdempotencyClaim struct {
	WorkspaceID uuid.UUID
	Key         string
	Until       time.Time // in microseconds: claimed_until as this claim wrote it

	mu   sync.Mutex
	held HeldEffect
}

// HeldEffect is a transaction that has made its changes and is not committed yet.
type HeldEffect interface {
	Commit(ctx context.Context) error
	Rollback(ctx context.Context) error
}

// Hold keeps effect until the answer of the request is known. It returns the
// effect held before, which the caller commits first.
func (c *IdempotencyClaim) Hold(effect HeldEffect) (before HeldEffect) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, c.held = c.held, effect
	return before
}

// Take returns the held effect and removes it from the claim; nil if there is none.
func (c *IdempotencyClaim) Take() HeldEffect { return c.Hold(nil) }

type idempotencyKey struct{}

// WithIdempotencyClaim returns a context that carries the claim of one operation.
func WithIdempotencyClaim(ctx context.Context, claim *IdempotencyClaim) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, claim)
}

// IdempotencyClaimFrom returns the claim of the request, false without one.
func IdempotencyClaimFrom(ctx context.Context) (*IdempotencyClaim, bool) {
	claim, ok := ctx.Value(idempotencyKey{}).(*IdempotencyClaim)
	return claim, ok && claim != nil
}
