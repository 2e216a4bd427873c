package graph

import (
	"context"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
	"outreach/graph/page"
)

// CompanyReader reads companies.
type CompanyReader interface {
	Company(ctx context.Context, workspace, id uuid.UUID) (outreach.Company, error)
	// ListCompanies begins at page.Offset if the filter has a temperature.
	ListCompanies(ctx context.Context, workspace uuid.UUID, filter outreach.CompanyFilter,
		page outreach.Page) (outreach.Rows[outreach.Company], error)
}

func (q queries) Company(ctx context.Context, id uuid.UUID) (outreach.Company, error) {
	return inWorkspace(ctx, id, q.Stores.CompanyReader.Company)
}

// Companies uses offsets when a temperature filters, because that list is built in memory
// (docs/reference.md#lists), else keyset cursors like every other list.
func (q queries) Companies(ctx context.Context, first int, after *string,
	temperature *outreach.Temperature, search *string) (c exec.CompanyConnection, err error) {
	if err := checkPart(search); err != nil {
		return c, err
	}
	filter := outreach.CompanyFilter{Temperature: temperature, Search: search}
	asked := request{"companies", first, after}
	if temperature != nil {
		c.Nodes, c.NextCursor, err = q.companiesByOffset(ctx, asked, filter)
	} else {
		c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, asked, filter, q.Stores.CompanyReader.ListCompanies)
	}
	return c, err
}

func (q queries) companiesByOffset(ctx context.Context, asked request, filter outreach.CompanyFilter) ([]outreach.Company, *string, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := asked.limit(); err != nil {
		return nil, nil, err
	}
	scope := page.Scope{List: asked.list, Workspace: ws, Filter: filter}
	p := outreach.Page{Limit: asked.first}
	if asked.after != nil {
		if p.Offset, err = q.cursors.OpenOffset(scope, *asked.after); err != nil {
			return nil, nil, err
		}
	}
	rows, err := q.Stores.CompanyReader.ListCompanies(ctx, ws, filter, p)
	if err != nil || !rows.More {
		return rows.Rows, nil, err
	}
	return rows.Rows, new(q.cursors.SealOffset(scope, p.Offset+p.Limit)), nil
}
