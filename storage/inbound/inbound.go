// Package inbound stores what arrives and its consequences: replies, bounces and complaints from
// mailboxes; clicks, opens, visits and unsubscribes from the public pages. It must not know how
// mail is fetched or how text is classified.
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

// New returns the inbox of a database. Events are written to outbox; proofs and endings of messages
// go to ledger.
func New(db *storage.DB, outbox *outbox.Outbox, ledger *sending.Ledger) *Inbox {
	return &Inbox{db: db, outbox: outbox, ledger: ledger}
}
