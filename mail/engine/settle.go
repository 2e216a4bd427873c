package engine

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Times between tries to settle while the database cannot be reached.
const (
	settleFirst = 100 * time.Millisecond
	settleMost  = 5 * time.Second
	settleTry   = 20 * time.Second
	settleLimit = 3 * time.Minute
)

func (e *Engine) isWithdrawn(err error) bool {
	return err != nil && e.Withdrawn != nil && errors.Is(err, e.Withdrawn)
}

// settle is commit 3. Only this process knows the outcome, so it retries for minutes while the
// database cannot be reached; giving up would make a message unknown although its outcome is known.
//
// If the process dies before the commit, the message stays as commit 1 or 2 left it: claimed, and
// sent again, or unknown. If it dies after it, everything is recorded: the event and its deliveries
// are in the same commit.
func (e *Engine) settle(ctx context.Context, message outreach.Ref, result outreach.SendResult) {
	recorded := e.record(ctx, message.ID, result.Kind, func(ctx context.Context) error {
		return e.Store.SettleMessage(ctx, message, e.holder, result)
	})
	if recorded && e.Hooks.Settled != nil {
		e.Hooks.Settled(result.Kind)
	}
}

// record tries commit 3 of a message for up to settleLimit, also after ctx has ended: a shutdown
// records what servers answered. It logs a failure and reports success.
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

// insist calls try until it succeeds, ctx ends, or the store returns an error that a retry cannot
// change.
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
