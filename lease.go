package outreach

import (
	"errors"
	"time"
)

// ErrMailboxBusy reports that another transaction has locked a mailbox, such as one that begins to
// read it, or that the mailbox was just deleted. Whether it has something to send is not known.
var ErrMailboxBusy = errors.New("another transaction has locked the mailbox")

// A lease is renewed every LeaseRenewal and ends LeaseLength after its last renewal
// (docs/reference.md#leases).
const (
	LeaseLength  = 30 * time.Second
	LeaseRenewal = 10 * time.Second
)
