package outreach

import "time"

// TrackingDomainStatus is whether a tracking domain points to the service.
type TrackingDomainStatus string

// The states of a tracking domain. Links use only verified domains.
const (
	TrackingDomainPending  TrackingDomainStatus = "pending"
	TrackingDomainVerified TrackingDomainStatus = "verified"
)

// TrackingDomain is the host under which links in a workspace's e-mails lead to the
// service. Target is what its CNAME record must contain.
type TrackingDomain struct {
	Host       string
	Status     TrackingDomainStatus
	Target     string
	VerifiedAt *time.Time
}
