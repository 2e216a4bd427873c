// Package sending keeps the ledger of a message: who may be written to, which mailbox sends next,
// the three commits of a message (docs/reference.md#ledger), and the consequences of a server's
// answer. It must not know how a message is composed or sent.
package sending

import (
	"sync"

	"outreach/internal/groupcommit"
	"outreach/storage"
	"outreach/storage/outbox"
)

// Ledger claims, commits and settles messages. Its methods are safe for concurrent use.
type Ledger struct {
	db      *storage.DB
	outbox  *outbox.Outbox
	claims  *groupcommit.Group[*claiming, struct{}]
	commits *groupcommit.Group[committing, struct{}]
	settles *groupcommit.Group[settling, struct{}]
	guard   guard
	heads   heads
}

// New returns the ledger of a database. Events are written to outbox.
func New(db *storage.DB, outbox *outbox.Outbox) *Ledger {
	l := &Ledger{db: db, outbox: outbox}
	// Claims compose messages inside their transaction. Commits 2 and 3 of other messages run in
	// parallel with them.
	claims, sends := &sync.Mutex{}, &sync.Mutex{}
	l.claims = newGroup(claims, l.claimGroup, l.claimAlone)
	l.commits = newBatchGroup(sends, l.commitBatch)
	l.settles = newBatchGroup(sends, l.settleBatch)
	db.OnCampaigns(l.Reasons)
	return l
}
