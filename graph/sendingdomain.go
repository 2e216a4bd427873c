package graph

import (
	"context"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// SendingDomainReader reads sending domains.
type SendingDomainReader interface {
	SendingDomain(ctx context.Context, workspace, id uuid.UUID) (outreach.SendingDomain, error)
	ListSendingDomains(ctx context.Context, workspace uuid.UUID, page outreach.Page) (outreach.Rows[outreach.SendingDomain], error)
}

// DomainCheckStore returns what to check, and stores the result.
type DomainCheckStore interface {
	DomainQuestion(ctx context.Context, workspace, id uuid.UUID) (outreach.DomainQuestion, error)
	NoteDomainCheck(ctx context.Context, workspace, id uuid.UUID, check outreach.DomainCheck) (outreach.SendingDomain, error)
}

// DomainChecker queries the DNS.
type DomainChecker interface {
	// CheckDomain checks the records of a domain in bounded time.
	CheckDomain(ctx context.Context, q outreach.DomainQuestion) outreach.DomainCheck
}

func (q queries) SendingDomain(ctx context.Context, id uuid.UUID) (outreach.SendingDomain, error) {
	return inWorkspace(ctx, id, q.Stores.SendingDomains.SendingDomain)
}

func (q queries) SendingDomains(ctx context.Context, first int, after *string) (c exec.SendingDomainConnection, err error) {
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"sendingDomains", first, after}, nil,
		unfiltered(q.Stores.SendingDomains.ListSendingDomains))
	return c, err
}

// CheckSendingDomain counts as a test of a login, because it queries servers that a tenant
// chooses. If the process dies before the result is stored, the domain stays as it was.
func (m mutations) CheckSendingDomain(ctx context.Context, id uuid.UUID) (outreach.SendingDomain, error) {
	question, err := inWorkspace(ctx, id, m.Stores.DomainChecks.DomainQuestion)
	if err != nil {
		return outreach.SendingDomain{}, err
	}
	done, err := m.Probes.Begin(ctx, question.WorkspaceID)
	if err != nil {
		return outreach.SendingDomain{}, err
	}
	defer done()
	check := m.DNS.CheckDomain(ctx, question)
	return m.Stores.DomainChecks.NoteDomainCheck(ctx, question.WorkspaceID, id, check)
}
