package outreach

import "time"

// A lease is renewed every LeaseRenewal and ends LeaseLength after its last
// renewal: docs/reference.md#leases.
const (
	LeaseLength  = 30 * time.Second
	LeaseRenewal = 10 * time.Second
)
