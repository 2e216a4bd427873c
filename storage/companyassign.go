package storage

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// companyLookup is one way to find a company: by the domain of its addresses or by its folded name.
type companyLookup struct {
	find   string // returns key, id and name
	upsert string // returns key and id
}

// The upserts store companies in the order of their keys, so that two requests with the same
// companies do not deadlock.
var (
	byDomain = companyLookup{
		find: `SELECT domain, id, name FROM companies WHERE workspace_id = $1 AND domain = ANY($2)`,
		upsert: `
INSERT INTO companies AS c (id, workspace_id, name, name_key, domain, site, created_at)
SELECT r.id, $1, r.name, r.name_key, r.key, r.site, $7
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[]) AS r(id, key, name, name_key, site)
ORDER BY r.key
ON CONFLICT (workspace_id, domain) WHERE domain IS NOT NULL DO UPDATE SET
	name = CASE WHEN c.name = c.domain THEN excluded.name ELSE c.name END,
	name_key = CASE WHEN c.name = c.domain THEN excluded.name_key ELSE c.name_key END
RETURNING c.domain, c.id`,
	}
	byName = companyLookup{
		find: `SELECT name_key, id, name FROM companies WHERE workspace_id = $1 AND name_key = ANY($2) AND domain IS NULL`,
		upsert: `
INSERT INTO companies AS c (id, workspace_id, name, name_key, created_at)
SELECT r.id, $1, r.name, r.key, $7
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[]) AS r(id, key, name, name_key, site)
ORDER BY r.key
ON CONFLICT (workspace_id, name_key) WHERE domain IS NULL DO UPDATE SET name = c.name
RETURNING c.name_key, c.id`,
	}
)

// assignCompanies finds or creates the company of each prospect: by the domain of the address if it
// is not a free mail provider's, else by the folded name. A company keeps the first name that it was
// given. A company without a name is named after its domain.
func (db *DB) assignCompanies(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, prospects []*outreach.Prospect) error {
	domains, names := map[string]string{}, map[string]string{} // names by key
	for _, p := range prospects {
		domain := outreach.EmailDomain(p.Email)
		switch {
		case !outreach.IsFreeMail(domain):
			if name, ok := domains[domain]; p.CompanyName != nil && (!ok || name == domain) {
				domains[domain] = *p.CompanyName
			} else if !ok {
				domains[domain] = domain
			}
		case p.CompanyName != nil:
			if key := outreach.FoldText(*p.CompanyName); names[key] == "" {
				names[key] = *p.CompanyName
			}
		}
	}
	domainIDs, err := db.findOrCreateCompanies(ctx, tx, workspace, byDomain, domains)
	if err != nil {
		return err
	}
	nameIDs, err := db.findOrCreateCompanies(ctx, tx, workspace, byName, names)
	if err != nil {
		return err
	}
	for _, p := range prospects {
		p.CompanyID = nil
		if id, ok := domainIDs[outreach.EmailDomain(p.Email)]; ok {
			p.CompanyID = &id
		} else if p.CompanyName != nil {
			id := nameIDs[outreach.FoldText(*p.CompanyName)]
			p.CompanyID = &id
		}
	}
	return nil
}

// findOrCreateCompanies returns the ids of companies by key. names holds the name for each key; a
// name that equals its key is replaced by the first other name.
func (db *DB) findOrCreateCompanies(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, by companyLookup,
	names map[string]string) (map[string]uuid.UUID, error) {
	out := make(map[string]uuid.UUID, len(names))
	if len(names) == 0 {
		return out, nil
	}
	wanted := slices.Sorted(maps.Keys(names))
	var key, name string
	var id uuid.UUID
	err := ForEach(ctx, tx, "find companies", by.find, []any{workspace, wanted}, []any{&key, &id, &name}, func() {
		if name != key || names[key] == key {
			out[key] = id
		}
	})
	if err != nil {
		return nil, err
	}
	var ids []uuid.UUID
	var keys, given, folded, sites []string
	for _, key := range wanted {
		if _, found := out[key]; !found {
			ids, keys, given = append(ids, NewID()), append(keys, key), append(given, names[key])
			folded, sites = append(folded, outreach.FoldText(names[key])), append(sites, outreach.Site(key))
		}
	}
	if len(ids) == 0 {
		return out, nil
	}
	err = ForEach(ctx, tx, "create companies", by.upsert, []any{workspace, ids, keys, given, folded, sites, db.Now()},
		[]any{&key, &id}, func() { out[key] = id })
	return out, err
}
