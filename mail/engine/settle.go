package engine

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// The waits between tries to settle, while the database is away.
const (
	settleFirst = 100 * time.Millisecond
	settleMost  = 5 * time.Second
	settleTry   = 20 * time.Second
	settleLimit = 3 * time.Minute
)

func (e *Engine) isWithdrawn(err error) bool {
	return err != nil && e.Withdrawn != nil && errors.Is(err, e.Withdrawn)
}

// settle is commit 3. The outcome is known here and nowhere else: while the
// database is away it tries again, for minutes, since giving up would make a
// message unknown whose fate is not.
//
// A process that dies before the commit leaves the message as commit 1 or 2 left
// it: to be sent, which it was not, or unknown. One that dies after it has told
// all there is to tell; events and their deliveries are in the same commit.
func (e *Engine) settle(ctx context.Context, message outreach.Ref, result outreach.SendResult) {
	recorded := e.record(ctx, message.ID, result.Kind, func(ctx context.Context) error {
		return e.Store.SettleMessage(ctx, message, e.holder, result)
	})
	if recorded && e.Hooks.Settled != nil {
		e.Hooks.Settled(result.Kind)
	}
}

// record tries commit 3 of a message for up to settleLimit, also after ctx has ended: a
// shutdown records what servers answered. It logs a failure and reports success.
func (e *Engine) record(ctx context.Context, id uuid.UUID, kind outreach.SendKind, commit func(context.Context) error) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleLimit)
	defer cancel()
	err := insist(ctx, commit)
	if err != nil {
		e.Logger.LogAttrs(ctx, slog.LevelError, "outcome of a message could not be recorded",
			slog.String("message_id", id.String()), slog.String("outcome", string(kind)), slog.Any("error", err))
	}
	return err == nil
}

// insist tries until it succeeds, ctx ends, or the store refuses for a reason
// that time does not change.
func insist(ctx context.Context, try func(context.Context) error) error {
	for wait := settleFirst; ; wait = min(2*wait, settleMost) {
		once, cancel := context.WithTimeout(ctx, settleTry)
		err := try(once)
		cancel()
		if err == nil {
			return nil
		}
		if _, final := errors.AsType[*outreach.Error](err); final {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}
