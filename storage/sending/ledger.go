// Package sending keeps the ledger of a message: who may be written to, which mailbox sends next,
// the three commits of a message (docs/reference.md#ledger), and the consequences of a server's
// answer. It must not know how a message is composed or sent.
package sending

import (
	"sync"

	"outreach/storage"
	"outreach/storage/outbox"
)

// Ledger claims, commits and settles messages. Its methods are safe for concurrent use.
type Ledger struct {
	db      *storage.DB
	outbox  *outbox.Outbox
	claims  *together[*claiming]
	commits *together[committing]
	settles *together[settling]
	guard   guard
	heads   heads
}

// New returns the ledger of a database. Events are written to outbox.
func New(db *storage.DB, outbox *outbox.Outbox) *Ledger {
	l := &Ledger{db: db, outbox: outbox}
	// Claims compose messages inside their transaction. Commits 2 and 3 of other messages run in
	// parallel with them.
	claims, sends := &sync.Mutex{}, &sync.Mutex{}
	l.claims = newTogether(claims, l.claimTogether, l.claimAlone)
	l.commits = newTogether(sends, l.commitTogether, l.commitAlone)
	l.settles = newTogether(sends, l.settleTogether, l.settleAlone)
	db.OnCampaigns(l.Reasons)
	return l
}
