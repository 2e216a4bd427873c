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

// Idempotency stores the answers of requests with an Idempotency-Key.
type Idempotency interface {
	// Reserve reserves key for the request with this hash, for outreach.IdempotencyLease, in its own
	// transaction. If the request was answered under the key before, it returns that answer and no
	// keyed request. It returns CodeIdempotencyReused if another request has the key, and
	// CodeIdempotencyRunning while a reservation is in force. The body behind the hash may contain a
	// password, so a store must key the hash before it stores it.
	Reserve(ctx context.Context, workspace uuid.UUID, key string, hash []byte) (*outreach.KeyedRequest, []byte, error)
	// Finish stores the sealed answer in the transaction that the request has kept and commits it. It
	// returns CodeIdempotencyRunning if another process has reserved the key; then nothing was
	// done.
	Finish(ctx context.Context, request *outreach.KeyedRequest, status int, answer []byte) error
	// Abandon rolls back what the request has kept and frees the key, unless an answer is stored
	// under it or another process has reserved it.
	Abandon(ctx context.Context, request *outreach.KeyedRequest) error
}

// settleTime is how long storing the answer, or freeing the key, may take after the operation, whose
// context may have ended.
const settleTime = 10 * time.Second

// once runs an operation under the Idempotency-Key of the call, if it has one.
//
// If the process dies before Reserve returns, nothing was done, and the key is free,
// or reserved for a minute at most. If it dies during the operation or before Finish
// has committed, the database rolls the effect back, and the key is free when its
// lease ends. If it dies after that, effect and answer are stored together, and the
// next request gets that answer.
func (a *api) once(ctx context.Context, c *call, run func(context.Context) (*answer, error)) (*answer, error) {
	if c.key == "" {
		return run(ctx)
	}
	request, stored, err := a.Idempotency.Reserve(ctx, c.actor.WorkspaceID, c.key, c.hash)
	if err != nil {
		return nil, err
	}
	if stored != nil {
		return parseAnswer(stored)
	}
	finished := false
	defer func() { // also after a panic
		if !finished {
			a.abandon(ctx, request, c.requestID)
		}
	}()
	reply, err := run(outreach.WithKeyedRequest(ctx, request))
	if err != nil {
		refused := refuse(err, c.requestID)
		if !kept(refused.Status) {
			return nil, err
		}
		reply = refused
	}
	if err := a.finish(ctx, request, reply); err != nil {
		return nil, err
	}
	finished = true
	return reply, nil
}

// idempotencyKey returns the key of a POST or PATCH, "" if it has none.
func idempotencyKey(r *http.Request) (string, error) {
	const name = "Idempotency-Key"
	values := r.Header.Values(name)
	if len(values) == 0 || r.Method != http.MethodPost && r.Method != http.MethodPatch {
		return "", nil
	}
	key := values[0]
	if n := utf8.RuneCountInString(key); len(values) > 1 || n < 1 || n > 255 || !utf8.ValidString(key) {
		refused := outreach.Errorf(outreach.CodeInvalidHeader, "Send %s once, with 1 to 255 characters.", name)
		refused.Fields = outreach.Faults{{Path: outreach.At(name), Code: outreach.CodeInvalidHeader, Detail: refused.Message}}
		return "", refused
	}
	return key, nil
}

// requestHash returns a hash of method, path, query and the bytes of the body.
func requestHash(r *http.Request, body []byte) []byte {
	hash := sha256.New()
	fmt.Fprintf(hash, "%s %s?%s\n", r.Method, r.URL.Path, r.URL.RawQuery)
	hash.Write(body)
	return hash.Sum(nil)
}

// kept reports whether an answer is stored under its key: a success, or a refusal that depends
// only on the request. Other answers may differ next time.
func kept(status int) bool {
	switch status {
	case http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity:
		return true
	}
	return status < 300
}

func (a *api) finish(ctx context.Context, request *outreach.KeyedRequest, reply *answer) error {
	text, err := json.Marshal(reply)
	if err != nil {
		return fmt.Errorf("write answer to keep: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	return a.Idempotency.Finish(ctx, request, reply.Status, text)
}

func (a *api) abandon(ctx context.Context, request *outreach.KeyedRequest, requestID string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if err := a.Idempotency.Abandon(ctx, request); err != nil {
		a.Logger.ErrorContext(ctx, "idempotency key not freed", slog.String("request_id", requestID), slog.Any("error", err))
	}
}

func parseAnswer(stored []byte) (*answer, error) {
	reply := &answer{replayed: true}
	if err := json.Unmarshal(stored, reply); err != nil {
		return nil, fmt.Errorf("read kept answer: %w", err)
	}
	return reply, nil
}
