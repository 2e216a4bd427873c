//go:build full

package realtest

import (
	"context"
	"testing"
	"time"

	"outreach"
	"outreach/mail/engine"
)

// With an hour between two readings, Dovecot's IDLE makes a reply be read at once.
func TestIdleWakes(t *testing.T) { //nolint:paralleltest // each runs servers of its own, one set at a time
	w := newWorld(t, startServers(t, freePort(t), me))
	w.mailbox(me, w.Submission)
	taken := make(chan outreach.ReceivedKind, 2)
	config := w.config()
	config.SendInterval, config.ReceiveInterval, config.Wake = time.Hour, time.Hour, w.WakeReader
	config.Hooks.Ingested = func(kind outreach.ReceivedKind) { taken <- kind }
	w.write(bob, me, answer(bob, "i1@prospects.example", "<x@acme.example>", "First."))
	w.quiet()
	ctx, stop := context.WithCancel(w.ctx)
	ended := make(chan error, 1)
	go func() { ended <- engine.New(config).Run(ctx) }()
	<-taken
	w.write(bob, me, answer(bob, "i2@prospects.example", "<x@acme.example>", "Second."))
	<-taken
	stop()
	must(t, <-ended)
}
