package engine

import "context"

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
