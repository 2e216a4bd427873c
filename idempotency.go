package outreach

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
)

// IdempotencyLease is how long a key stays reserved after its process has died. Requests end well
// before.
const IdempotencyLease = 60 * time.Second

// IdempotencyRetention is how long the answer of a key is kept.
const IdempotencyRetention = 24 * time.Hour

// KeyedRequest is a request that has reserved its Idempotency-Key. rest puts it into the context of
// the operation, and the transactions of the store find it there.
//
//  1. The reservation is a row that is committed before the operation begins and holds until Until.
//     If the process dies here, nothing was done, and another request may reserve the key after
//     Until.
//  2. The method that makes the effect does not commit its transaction. It passes it to Keep. If the
//     process dies here, the database rolls back: nothing was done.
//  3. When the answer is known, the store stores it in that transaction and commits: effect and
//     answer appear together. If the process dies right after, the next request under the key gets
//     that answer.
//
// Until is also the fence. The statement of step 3 matches the row only while its claimed_until still
// equals Until and no answer is stored. If it matches nothing, another process has reserved the key,
// and the transaction is rolled back.
//
// An operation of several transactions commits each before it begins the next. Only the last waits
// for the answer and is fenced. Another connection does not see the effect between Keep and the
// commit, so a method returns what it wrote.
type KeyedRequest struct {
	WorkspaceID uuid.UUID
	Key         string
	Until       time.Time // in microseconds: claimed_until as this request wrote it

	mu   sync.Mutex
	open OpenEffect
}

// OpenEffect is a transaction that has made its changes and is not committed yet.
type OpenEffect interface {
	Commit(ctx context.Context) error
	Rollback(ctx context.Context) error
}

// Keep keeps effect until the answer of the request is known. It returns the effect kept before,
// which the caller commits first.
func (r *KeyedRequest) Keep(effect OpenEffect) (before OpenEffect) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, r.open = r.open, effect
	return before
}

// Take returns the kept effect and removes it from the request; nil if there is none.
func (r *KeyedRequest) Take() OpenEffect { return r.Keep(nil) }

type idempotencyKey struct{}

// WithKeyedRequest returns a context that carries the request of one operation.
func WithKeyedRequest(ctx context.Context, request *KeyedRequest) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, request)
}

// KeyedRequestFrom returns the request of the operation, false if it has no key.
func KeyedRequestFrom(ctx context.Context) (*KeyedRequest, bool) {
	request, ok := ctx.Value(idempotencyKey{}).(*KeyedRequest)
	return request, ok && request != nil
}
