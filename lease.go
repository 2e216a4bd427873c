package outreach

import (
	"errors"
	"time"
)

// ErrMailboxBusy says that another transaction has a mailbox at this moment, such as
// one that begins to read it, or that it was just deleted: whether it has something to
// send is not known.
var ErrMailboxBusy = errors.New("another transaction has the mailbox")

// A lease is renewed every LeaseRenewal and ends LeaseLength after its last
// renewal: docs/reference.md#leases.
const (
	LeaseLength  = 30 * time.Second
	LeaseRenewal = 10 * time.Second
)
