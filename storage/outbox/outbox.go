// Package outbox records events, and queues and hands out their deliveries: one delivery for each
// subscription that asks for the event, fairness between workspaces and hosts, attempts and their leases. It
// must not know how a request is made: bodies come from the payload function, attempts from package
// jobs.
package outbox

import (
	"outreach"
	"outreach/storage"
)

// Payload returns the frozen webhook body of an event, with the id and the time of the event.
type Payload func(outreach.Event) ([]byte, error)

// Outbox records events with their deliveries and hands the deliveries out. Its methods are safe
// for concurrent use.
type Outbox struct {
	db      *storage.DB
	payload Payload
}

// New returns the outbox of a database.
func New(db *storage.DB, payload Payload) *Outbox { return &Outbox{db: db, payload: payload} }
