package engine

import (
	"context"
	"time"
)

// SendOnce is one tick of the sending loop with everything that it set going.
func (e *Engine) SendOnce(ctx context.Context) {
	e.sendTick(ctx, ctx)
	e.sending.wait()
}

// ReceiveOnce is one tick of the receiving loop with everything that it set going.
func (e *Engine) ReceiveOnce(ctx context.Context) {
	e.receiveTick(ctx, ctx)
	e.readers.wait()
	e.readers.give(cap(e.readers.taken))
}

// SetPatience shortens the two waits of a drain.
func (e *Engine) SetPatience(soft, hard time.Duration) { e.soft, e.hard = soft, hard }

// RenewOnce renews all leases that are kept now.
func (e *Engine) RenewOnce(ctx context.Context) {
	e.letters.Renew(ctx)
	e.reading.Renew(ctx)
}

// ReceiveTick is one tick of the receiving loop, without waiting for the readings.
func (e *Engine) ReceiveTick(ctx context.Context) { e.receiveTick(ctx, ctx) }
