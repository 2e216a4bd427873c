package graph

import (
	"context"

	"outreach"
)

// ServerFinder finds the mail servers of an address.
type ServerFinder interface {
	// FindServers looks for the servers in bounded time. It sends no passwords.
	FindServers(ctx context.Context, email string) outreach.FoundServers
}

// MailServers counts as a test of a login, because it connects to servers under a domain that a
// tenant names.
func (q queries) MailServers(ctx context.Context, email string) (found outreach.FoundServers, err error) {
	ws, err := workspace(ctx)
	if err != nil {
		return found, err
	}
	var faults outreach.Faults
	outreach.ValidateEmail(&faults, outreach.At("email"), email)
	if err := faults.Err(); err != nil {
		return found, err
	}
	done, err := q.Probes.Begin(ctx, ws)
	if err != nil {
		return found, err
	}
	defer done()
	return q.Finder.FindServers(ctx, email), nil
}
