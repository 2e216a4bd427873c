package tracking

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Domains manages the tracking domain of each workspace.
type Domains struct {
	Store    DomainStore
	Resolver Resolver // net.DefaultResolver when nil
	// BaseURL is the address of the service; the CNAME of a tracking domain must point to its
	// host.
	BaseURL string
	// BaseVerified accepts the host of the service itself as a tracking domain, without asking the
	// DNS, for `outreach dev`.
	BaseVerified bool
}

// DomainStore keeps tracking domains.
type DomainStore interface {
	TrackingDomain(ctx context.Context, workspace uuid.UUID) (*outreach.TrackingDomain, error)
	SetTrackingDomain(ctx context.Context, workspace uuid.UUID, host string, status outreach.TrackingDomainStatus) error
	TrackingHostTaken(ctx context.Context, workspace uuid.UUID, host string) (bool, error)
}

// Resolver is the part of net.Resolver that Domains uses.
type Resolver interface {
	LookupCNAME(ctx context.Context, host string) (string, error)
}

// lookupTime limits both DNS queries; a person waits for the answer.
const lookupTime = 5 * time.Second

// Domain returns the workspace's tracking domain with the required target of its CNAME, nil if
// none is set.
func (d *Domains) Domain(ctx context.Context, workspace uuid.UUID) (*outreach.TrackingDomain, error) {
	domain, err := d.Store.TrackingDomain(ctx, workspace)
	if domain != nil {
		domain.Target = d.target()
	}
	return domain, err
}

// Set stores a host, as verified if its CNAME points here, else as pending; a DNS that does not
// answer is not an error. A host that was verified before stays verified while the DNS does not
// answer at all. It returns CodeValidation for text that is not a host, CodeConflict for a host
// that another workspace has verified.
func (d *Domains) Set(ctx context.Context, workspace uuid.UUID, host string) (outreach.TrackingDomain, error) {
	host = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(host)), ".")
	status, err := d.judge(ctx, workspace, host)
	if err != nil {
		return outreach.TrackingDomain{}, err
	}
	if err := d.Store.SetTrackingDomain(ctx, workspace, host, status); err != nil {
		return outreach.TrackingDomain{}, err
	}
	domain, err := d.Domain(ctx, workspace)
	if err != nil {
		return outreach.TrackingDomain{}, err
	}
	return *domain, nil
}

func (d *Domains) judge(ctx context.Context, workspace uuid.UUID, host string) (outreach.TrackingDomainStatus, error) {
	if host == hostOf(d.BaseURL) || host == d.target() {
		return d.judgeBase()
	}
	if !outreach.IsHostname(host) {
		return "", hostFault("host must be a host name, such as links.example.com.")
	}
	taken, err := d.Store.TrackingHostTaken(ctx, workspace, host)
	if err != nil {
		return "", err
	}
	if taken {
		return "", outreach.Errorf(outreach.CodeConflict, "Another workspace uses this host as its tracking domain.")
	}
	return d.lookUp(ctx, workspace, host)
}

// judgeBase returns an error for the service's own host, which all workspaces share.
func (d *Domains) judgeBase() (outreach.TrackingDomainStatus, error) {
	if !d.BaseVerified {
		return "", hostFault("host must not be the host of the service; use your own domain.")
	}
	return outreach.TrackingDomainVerified, nil
}

func (d *Domains) lookUp(ctx context.Context, workspace uuid.UUID, host string) (outreach.TrackingDomainStatus, error) {
	asking, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	leadsTo, err := d.canonical(asking, host)
	switch {
	case err == nil && leadsTo == d.target():
		return outreach.TrackingDomainVerified, nil
	case err == nil && leadsTo != host:
		// The service's name may be an alias itself, for example of a load balancer.
		if ours, err := d.canonical(asking, d.target()); err == nil && leadsTo == ours {
			return outreach.TrackingDomainVerified, nil
		}
	case err != nil && !isNotFound(err):
		return d.asBefore(ctx, workspace, host)
	}
	return outreach.TrackingDomainPending, nil
}

func (d *Domains) canonical(ctx context.Context, host string) (string, error) {
	var resolver Resolver = net.DefaultResolver
	if d.Resolver != nil {
		resolver = d.Resolver
	}
	name, err := resolver.LookupCNAME(ctx, host)
	return strings.TrimSuffix(strings.ToLower(name), "."), err
}

func (d *Domains) asBefore(ctx context.Context, workspace uuid.UUID, host string) (outreach.TrackingDomainStatus, error) {
	before, err := d.Store.TrackingDomain(ctx, workspace)
	if err != nil {
		return "", err
	}
	if before != nil && before.Host == host {
		return before.Status, nil
	}
	return outreach.TrackingDomainPending, nil
}

func isNotFound(err error) bool {
	failure, ok := errors.AsType[*net.DNSError](err)
	return ok && failure.IsNotFound
}

// target returns the host name of the service, without a port.
func (d *Domains) target() string {
	u, err := url.Parse(d.BaseURL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

func hostFault(detail string) error {
	var faults outreach.Faults
	faults.Add(outreach.At("host"), outreach.FieldInvalid, "%s", detail)
	return faults.Err()
}
