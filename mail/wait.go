package mail

import (
	"context"
	"errors"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// ErrNoIdle reports that a server cannot announce new messages (RFC 2177); it has to be polled.
var ErrNoIdle = errors.New("the server does not offer IDLE")

// Wait returns true as soon as the inbox has a message after from, as reported by the server, and
// false after max (at most 28 minutes) or when the context ends. It does not read messages; Fetch
// does. It returns ErrNoIdle at once for a server without IDLE, unless a message is there already.
func Wait(ctx context.Context, config IMAPConfig, from Position, most time.Duration) (changed bool, err error) {
	m, err := OpenMailbox(ctx, config)
	if err != nil {
		return false, err
	}
	defer m.Close()
	return m.Wait(ctx, from, most)
}

// Wait is Wait on an open session, which is over afterwards.
func (m *Mailbox) Wait(ctx context.Context, from Position, most time.Duration) (changed bool, err error) {
	box, err := m.examine(ctx, "INBOX")
	if err != nil {
		return false, err
	}
	if box.UIDValidity != from.UIDValidity || uint32(box.UIDNext) > from.UID+1 {
		return true, nil
	}
	can, err := phase(ctx, m, m.times.Command, controlBytes, func() (bool, error) { return m.client.Caps().Has(imap.CapIdle), nil })
	if err != nil {
		return false, err
	}
	if !can {
		return false, ErrNoIdle
	}
	return m.idle(ctx, min(most, 28*time.Minute))
}

func (m *Mailbox) idle(ctx context.Context, most time.Duration) (bool, error) {
	_, err := phase(ctx, m, m.times.Command, controlBytes, func() (*imapclient.IdleCommand, error) { return m.client.Idle() })
	if err != nil {
		return false, err
	}
	// Ending IDLE with DONE is one more exchange that can hang; the connection is not needed any
	// more, so it is dropped.
	defer func() { m.broken = true; _ = m.wire.Close() }()
	m.wire.allow(most+m.times.Command, controlBytes)
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-m.changed:
		return true, nil
	case <-timer.C:
		return false, nil
	case <-ctx.Done():
		return false, nil
	case <-m.client.Closed():
		return false, explain(m.client.Close())
	}
}
