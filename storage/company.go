package storage

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"outreach"
)

// signalColumns are the columns of engagementColumns, read from a row t.
func signalColumns(s *outreach.Signals) []Column {
	return []Column{
		{"t.positive", &s.Positive},
		{"t.neutral", &s.Neutral},
		{"t.reply", &s.Reply},
		{"t.click", &s.Click},
		{"t.offer_read", &s.OfferRead},
		{"t.offer_reread", &s.OfferReread},
		{"t.cooled", &s.Cooled},
	}
}

// Engagements are read company by company from a partial index, so that a page reads its own rows
// only.
const engagementColumns = `
	max(ev.occurred_at) FILTER (WHERE ev.interest = 'positive') AS positive,
	max(ev.occurred_at) FILTER (WHERE ev.interest = 'neutral') AS neutral,
	max(ev.occurred_at) FILTER (WHERE ev.type = 'replied' AND (ev.interest IS NULL OR ev.interest IN ('positive', 'neutral'))) AS reply,
	max(ev.occurred_at) FILTER (WHERE ev.type = 'clicked') AS click,
	max(ev.occurred_at) FILTER (WHERE ev.type = 'offer_read') AS offer_read,
	max(ev.occurred_at) FILTER (WHERE ev.type = 'offer_read' AND ev.metadata->'again' = 'true') AS offer_reread,
	max(ev.occurred_at) FILTER (WHERE ev.interest = 'negative' OR ev.type = 'unsubscribed') AS cooled`

const engaged = `ev.type IN ('replied', 'clicked', 'unsubscribed', 'offer_read', 'interest_marked') AND ` +
	`ev.company_id IS NOT NULL AND ev.occurred_at > now() - interval '7 days'`

var companies = List[outreach.Company]{
	Reads: NewColumns(func(c *outreach.Company) []Column {
		return append([]Column{
			{"c.id", &c.ID},
			{"c.workspace_id", &c.WorkspaceID},
			{"c.name", &c.Name},
			{"c.domain", &c.Domain},
			{"(SELECT count(*) FROM prospects p WHERE p.workspace_id = $1 AND p.company_id = c.id)", &c.ProspectCount},
			{"c.created_at", &c.CreatedAt},
		}, signalColumns(&c.Signals)...)
	}),
	Then: func(c *outreach.Company) { c.Temperature, c.TemperatureReason = c.Signals.Temperature() },
	From: `companies c CROSS JOIN LATERAL (SELECT ` + engagementColumns + ` FROM events ev
		WHERE ev.workspace_id = $1 AND ev.company_id = c.id AND ` + engaged + `) t WHERE c.workspace_id = $1`,
	At: "c.created_at", ID: "c.id",
	Key: func(c *outreach.Company) outreach.Key { return outreach.Key{At: c.CreatedAt, ID: c.ID} },
}

// Company returns one company with its present temperature.
func (db *DB) Company(ctx context.Context, workspace, id uuid.UUID) (outreach.Company, error) {
	return companies.One(ctx, db.pool, workspace, id)
}

var companyMatches = plainText("c.name || ' ' || coalesce(c.domain, '')") + " LIKE " + plainText("?")

// ListCompanies returns one page, newest first by creation, with the present temperature of each
// company. With a temperature the page begins at page.Offset.
func (db *DB) ListCompanies(ctx context.Context, workspace uuid.UUID, filter outreach.CompanyFilter,
	page outreach.Page) (outreach.Rows[outreach.Company], error) {
	f := InWorkspace(workspace)
	Where(f, companyMatches, likePattern(filter.Search))
	if filter.Temperature != nil {
		return db.companiesByTemperature(ctx, workspace, f, *filter.Temperature, page)
	}
	return companies.Fetch(ctx, db.pool, f, page)
}

// companiesByTemperature returns the companies from page.Offset on that meet f and have a temperature,
// from a snapshot of the workspace that is at most seconds old (docs/reference.md#temperature). A
// company whose temperature has changed since is left out.
func (db *DB) companiesByTemperature(ctx context.Context, workspace uuid.UUID, f *Filters, temperature outreach.Temperature,
	page outreach.Page) (outreach.Rows[outreach.Company], error) {
	var out outreach.Rows[outreach.Company]
	all, err := db.temperatures.of(ctx, db, workspace)
	if err != nil {
		return out, fmt.Errorf("take temperatures: %w", err)
	}
	ids := all.by(temperature)
	if f.narrows() {
		if ids, err = meeting(ctx, db.pool, f, ids); err != nil {
			return out, err
		}
	}
	ids = ids[min(max(page.Offset, 0), len(ids)):]
	if len(ids) > page.Limit {
		ids, out.More = ids[:page.Limit], true
	}
	found, err := companies.Many(ctx, db.pool, workspace, ids)
	if err != nil {
		return out, err
	}
	at := make(map[uuid.UUID]*outreach.Company, len(found))
	for i := range found {
		at[found[i].ID] = &found[i]
	}
	for _, id := range ids {
		if c := at[id]; c != nil && c.Temperature == temperature {
			out.Rows = append(out.Rows, *c)
		}
	}
	return out, nil
}

// meeting returns those of ids, in their order, whose companies meet f.
func meeting(ctx context.Context, q Querier, f *Filters, ids []uuid.UUID) ([]uuid.UUID, error) {
	met, err := Values[uuid.UUID](ctx, q, "search companies",
		"SELECT c.id FROM companies c WHERE c.workspace_id = $1"+f.sql.String(), f.args...)
	if err != nil {
		return nil, err
	}
	of := SetOf(met)
	return slices.DeleteFunc(slices.Clone(ids), func(id uuid.UUID) bool {
		_, meets := of[id]
		return !meets
	}), nil
}
