// Package inbound stores what arrives and what follows from it: replies, bounces
// and complaints that mailboxes received, and clicks, opens, visits and
// unsubscribes that the public pages took. It must not know how mail is fetched or
// how text is classified.
package inbound

import (
	"outreach/storage"
	"outreach/storage/outbox"
	"outreach/storage/sending"
)

// Inbox stores what arrives. Its methods are safe for concurrent use.
type Inbox struct {
	db     *storage.DB
	outbox *outbox.Outbox
	ledger *sending.Ledger
}

// New returns the inbox of a store. Events go to the outbox; what proves or ends a
// message goes to the ledger.
func New(db *storage.DB, outbox *outbox.Outbox, ledger *sending.Ledger) *Inbox {
	return &Inbox{db: db, outbox: outbox, ledger: ledger}
}
