package rest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"outreach"
)

// Idempotency keeps the answers given under an Idempotency-Key.
type Idempotency interface {
	// Claim takes key for a request whose hash is given, for as long as
	// outreach.IdempotencyLease, in a transaction of its own. When the request was
	// answered under it before, that answer comes back and no claim. It refuses
	// with CodeIdempotencyReused when another request has the key, and with
	// CodeIdempotencyRunning while a claim is in force. The hash is of a body that
	// may hold a password: a store keys it before it keeps it.
	Claim(ctx context.Context, workspace uuid.UUID, key string, hash []byte) (*outreach.IdempotencyClaim, []byte, error)
	// Finish stores the answer, sealed, and commits the transaction that the claim
	// holds along with it, in one. It fails with CodeIdempotencyRunning when the
	// claim was lost to another process meanwhile; then nothing was done.
	Finish(ctx context.Context, claim *outreach.IdempotencyClaim, status int, answer []byte) error
	// Abandon rolls back what the claim holds and frees the key, unless an answer
	// stands under it or the claim was lost.
	Abandon(ctx context.Context, claim *outreach.IdempotencyClaim) error
}

// settleTime bounds what is done for a claim after its request, whose own
// context may be over by then.
const settleTime = 10 * time.Second

// once runs an operation, under its Idempotency-Key when it has one.
//
// If the process dies before Claim returns, nothing was done and the key is free,
// or taken for a minute at most. If it dies during the operation or before Finish
// has committed, the effect is rolled back by the database and the key comes free
// with its lease. If it dies after, the effect and its answer are there together,
// and the next try gets that answer.
func (a *api) once(ctx context.Context, w http.ResponseWriter, r *http.Request, actor outreach.Actor, body []byte, requestID string, run func(context.Context) (*answer, error)) (*answer, error) {
	key, err := idempotencyKey(r)
	if err != nil || key == "" {
		if err != nil {
			return nil, err
		}
		return run(ctx)
	}
	claim, stored, err := a.Idempotency.Claim(ctx, actor.WorkspaceID, key, requestHash(r, body))
	if err != nil {
		return nil, err
	}
	if stored != nil {
		w.Header().Set("Idempotency-Replayed", "true")
		return parseAnswer(stored)
	}
	finished := false
	defer func() { // also when the operation panics
		if !finished {
			a.abandon(ctx, claim, requestID)
		}
	}()
	reply, err := run(outreach.WithIdempotencyClaim(ctx, claim))
	if err != nil {
		refused := refuse(err, requestID)
		if !kept(refused.Status) {
			return nil, err
		}
		reply = refused
	}
	if err := a.finish(ctx, claim, reply); err != nil {
		return nil, err
	}
	finished = true
	return reply, nil
}

// idempotencyKey is "" when there is none, or on a call that needs none.
func idempotencyKey(r *http.Request) (string, error) {
	values := r.Header.Values("Idempotency-Key")
	if len(values) == 0 || r.Method != http.MethodPost && r.Method != http.MethodPatch {
		return "", nil
	}
	key := values[0]
	if n := utf8.RuneCountInString(key); len(values) > 1 || n < 1 || n > 255 || !utf8.ValidString(key) {
		return "", invalidParameter("Idempotency-Key", "Idempotency-Key is one value of 1 to 255 characters.")
	}
	return key, nil
}

// requestHash tells one request from another: the call, its query and the bytes
// of its body.
func requestHash(r *http.Request, body []byte) []byte {
	hash := sha256.New()
	fmt.Fprintf(hash, "%s %s?%s\n", r.Method, r.URL.Path, r.URL.RawQuery)
	hash.Write(body)
	return hash.Sum(nil)
}

// kept says which answers are those of an operation that was carried out, or
// refused for what it asked; the rest may well differ at the next try.
func kept(status int) bool {
	switch status {
	case http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity:
		return true
	}
	return status < 300
}

func (a *api) finish(ctx context.Context, claim *outreach.IdempotencyClaim, reply *answer) error {
	text, err := json.Marshal(reply)
	if err != nil {
		return fmt.Errorf("write answer to keep: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	return a.Idempotency.Finish(ctx, claim, reply.Status, text)
}

func (a *api) abandon(ctx context.Context, claim *outreach.IdempotencyClaim, requestID string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if err := a.Idempotency.Abandon(ctx, claim); err != nil {
		a.Logger.ErrorContext(ctx, "idempotency key not freed", slog.String("request_id", requestID), slog.Any("error", err))
	}
}

func parseAnswer(stored []byte) (*answer, error) {
	reply := &answer{}
	if err := json.Unmarshal(stored, reply); err != nil {
		return nil, fmt.Errorf("read kept answer: %w", err)
	}
	return reply, nil
}
