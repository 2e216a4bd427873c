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
	ListCompanies(ctx context.Context, workspace uuid.UUID, page outreach.Page) (outreach.Rows[outreach.Company], error)
	ListCompaniesByTemperature(ctx context.Context, workspace uuid.UUID, temperature outreach.Temperature,
		page outreach.Page) (outreach.Rows[outreach.Company], error)
}

func (q queries) Company(ctx context.Context, id uuid.UUID) (outreach.Company, error) {
	return inWorkspace(ctx, id, q.Stores.CompanyReader.Company)
}

// Companies uses offsets when a temperature filters, because that list is built in memory
// (docs/reference.md#lists), else keyset cursors like every other list.
func (q queries) Companies(ctx context.Context, first int, after *string,
	temperature *outreach.Temperature) (c exec.CompanyConnection, err error) {
	asked := request{"companies", first, after}
	if temperature != nil {
		c.Nodes, c.NextCursor, err = q.companiesBy(ctx, asked, *temperature)
	} else {
		c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, asked, nil, unfiltered(q.Stores.CompanyReader.ListCompanies))
	}
	return c, err
}

func (q queries) companiesBy(ctx context.Context, asked request, temperature outreach.Temperature) ([]outreach.Company, *string, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := asked.limit(); err != nil {
		return nil, nil, err
	}
	scope := page.Scope{List: asked.list, Workspace: ws, Filter: temperature}
	p := outreach.Page{Limit: asked.first}
	if asked.after != nil {
		if p.Offset, err = q.cursors.OpenOffset(scope, *asked.after); err != nil {
			return nil, nil, err
		}
	}
	rows, err := q.Stores.CompanyReader.ListCompaniesByTemperature(ctx, ws, temperature, p)
	if err != nil || !rows.More {
		return rows.Rows, nil, err
	}
	return rows.Rows, new(q.cursors.SealOffset(scope, p.Offset+p.Limit)), nil
}
