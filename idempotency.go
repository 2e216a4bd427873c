package outreach

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
)

// IdempotencyLease is how long a claimed key stays taken when the process that
// claimed it died. Requests end well before.
const IdempotencyLease = 60 * time.Second

// IdempotencyRetention is how long the answer under a key is kept.
const IdempotencyRetention = 24 * time.Hour

// IdempotencyClaim is one request's hold on an Idempotency-Key. rest puts it into
// the context of the operation, the store's transactions find it there.
//
// The rule, for whoever writes a transaction:
//
//  1. The claim is a row of its own, committed before the operation begins, taken
//     until Until. A process that dies here leaves a row that anyone may claim
//     again once Until has passed: nothing was done.
//  2. The transaction that has the effect is not committed by the method that
//     made it. It is handed to Hold instead. A process that dies here loses the
//     transaction, so again nothing was done.
//  3. When the answer is written, the store takes the transaction back, stores the
//     sealed answer in it and commits: effect and answer become true in one
//     instant. A process that dies right after finds the answer at the next try.
//
// Until is also the fence: the statement of step 3 matches the row only while
// claimed_until still equals it and no answer stands. When it matches nothing, a
// slower process lost its claim to another, and rolls back.
//
// An operation of several transactions (a test delivery is written, attempted,
// then settled) commits each before it begins the next; only the last is held,
// and it alone is fenced. Whoever reads through another connection between Hold
// and the commit does not see the effect: a method returns what it wrote.
type IdempotencyClaim struct {
	WorkspaceID uuid.UUID
	Key         string
	Until       time.Time // microseconds; claimed_until as this claim wrote it

	mu   sync.Mutex
	held HeldEffect
}

// HeldEffect is a transaction that has done its work and waits for its commit.
type HeldEffect interface {
	Commit(ctx context.Context) error
	Rollback(ctx context.Context) error
}

// Hold keeps effect until the answer of the request is known. It gives back what
// was held before, which the caller commits first.
func (c *IdempotencyClaim) Hold(effect HeldEffect) (before HeldEffect) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, c.held = c.held, effect
	return before
}

// Take gives what is held, nil when the operation had no effect, and forgets it.
func (c *IdempotencyClaim) Take() HeldEffect { return c.Hold(nil) }

type idempotencyKey struct{}

// WithIdempotencyClaim binds a claim to the context of one operation.
func WithIdempotencyClaim(ctx context.Context, claim *IdempotencyClaim) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, claim)
}

// IdempotencyClaimFrom gives the claim of the request, false without one.
func IdempotencyClaimFrom(ctx context.Context) (*IdempotencyClaim, bool) {
	claim, ok := ctx.Value(idempotencyKey{}).(*IdempotencyClaim)
	return claim, ok && claim != nil
}
