package engine

import (
	"context"
	"time"

	"outreach"
)

// SendOnce is one tick of the sending loop with everything that it set going.
func (e *Engine) SendOnce(ctx context.Context) {
	e.sendTick(ctx, ctx)
	e.senders.wait()
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
	e.messages.Renew(ctx)
	e.reading.Renew(ctx)
}

// ReceiveTick is one tick of the receiving loop, without waiting for the readings.
func (e *Engine) ReceiveTick(ctx context.Context) { e.receiveTick(ctx, ctx) }

// Serve runs one round of a mailbox.
func (e *Engine) Serve(ctx context.Context, ref outreach.MailboxRef) { e.serve(ctx, ctx, ref) }

// ComposeTrial is the message that Trial.Send hands over.
func ComposeTrial(ctx context.Context, c *Composer, d outreach.Draft, to string) (outreach.Composed, error) {
	return c.composeTrial(ctx, d, to)
}

// StopSaving keeps budgets from growing again.
func (e *Engine) StopSaving() { e.sizes.rate = 0 }

// AnswerOnce is one tick of the loop for answers with everything that it set going.
func (e *Engine) AnswerOnce(ctx context.Context) {
	e.answerTick(ctx, ctx)
	e.answers.wait()
	e.answers.give(cap(e.answers.taken))
}

// PlaceOnce is one tick of the loop for placement checks with everything that it set
// going.
func (e *Engine) PlaceOnce(ctx context.Context) {
	e.placementTick(ctx, ctx)
	e.placements.wait()
	e.placements.give(cap(e.placements.taken))
}

// Sanitise is what a preview keeps of a page.
func Sanitise(page string) string { return sanitise(page) }

// WithToken calls try, and calls it again if a new token may help.
func WithToken(ctx context.Context, tokens Tokens, box *outreach.Mailbox, try func() error) error {
	return withToken(ctx, tokens, box, try)
}

// SetMeter makes each preview and check cost what a meter says.
func (c *Composer) SetMeter(meter func() (stop func() time.Duration)) { c.previews.meter = meter }

// Watched returns how many mailboxes have a watcher.
func (e *Engine) Watched() int {
	e.watch.mu.Lock()
	defer e.watch.mu.Unlock()
	return len(e.watch.active)
}
