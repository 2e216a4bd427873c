// Package stores joins the store and the workflows on it into one value, for programs and tests
// that need all of them. It holds no rules.
package stores

import (
	"context"

	"outreach/storage"
	"outreach/storage/inbound"
	"outreach/storage/outbox"
	"outreach/storage/sending"
)

// Stores has the methods of all packages on one database.
type Stores struct {
	*storage.DB
	*outbox.Outbox
	*sending.Ledger
	*inbound.Inbox
}

// Open connects to Postgres. It returns an error if no server answers within 10 seconds. payload
// may be nil in programs that record no events. Close closes the connections.
func Open(ctx context.Context, config storage.Config, payload outbox.Payload) (*Stores, error) {
	db, err := storage.Open(ctx, config)
	if err != nil {
		return nil, err
	}
	box := outbox.New(db, payload)
	ledger := sending.New(db, box)
	return &Stores{DB: db, Outbox: box, Ledger: ledger, Inbox: inbound.New(db, box, ledger)}, nil
}
