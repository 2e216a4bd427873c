package sending

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"outreach"
	"outreach/storage"
)

// standingColumns read what decides whether a prospect p of workspace $1 may be written to.
// Suppressions of the address and of each domain above it are found by a unique key, so that the
// number of suppressions does not matter.
func standingColumns(s *outreach.Standing) []storage.Column {
	return []storage.Column{
		{SQL: "p.unsubscribed_at IS NOT NULL", To: &s.Unsubscribed},
		{SQL: "p.bounced_at IS NOT NULL", To: &s.Bounced},
		{SQL: "p.replied_at IS NOT NULL", To: &s.Replied},
		{SQL: `coalesce((SELECT s.reason FROM suppressions s
			WHERE s.workspace_id = $1 AND s.email_key = p.email_key), '')`, To: &s.Address},
		{SQL: `coalesce((SELECT max((SELECT s.reason FROM suppressions s
			WHERE s.workspace_id = $1 AND s.domain = above.domain))
			FROM (SELECT unnest(domains_above(p.email_key)) AS domain) above), '')`, To: &s.Domain},
	}
}

// standingOf is the standing of a prospect.
type standingOf struct {
	prospect uuid.UUID
	standing outreach.Standing
}

// colleagueReplied reports whether a colleague of prospect p of workspace $1 replied.
const colleagueReplied = `EXISTS (SELECT FROM companies own JOIN companies k ON k.workspace_id = $1 AND k.site = own.site
			JOIN prospects q ON q.workspace_id = $1 AND q.company_id = k.id
			WHERE own.workspace_id = $1 AND own.id = p.company_id AND q.replied_at IS NOT NULL AND q.id <> p.id)
			OR EXISTS (SELECT FROM companies own JOIN former_replies f ON f.workspace_id = $1 AND f.site = own.site
			WHERE own.workspace_id = $1 AND own.id = p.company_id AND f.email_key <> p.email_key)`

var standingOfColumns = storage.NewColumns(func(s *standingOf) []storage.Column {
	return append([]storage.Column{
		{SQL: "p.id", To: &s.prospect},
		{SQL: colleagueReplied, To: &s.standing.Company},
	}, standingColumns(&s.standing)...)
})

var selectStandings = `
SELECT ` + standingOfColumns.SQL + `
FROM prospects p WHERE p.workspace_id = $1 AND p.id = ANY($2)`

// standings reads the standings of several prospects. Deleted prospects are missing.
func standings(ctx context.Context, q storage.Querier, workspace uuid.UUID,
	prospects []uuid.UUID) (map[uuid.UUID]outreach.Standing, error) {
	of := make(map[uuid.UUID]outreach.Standing, len(prospects))
	err := standingOfColumns.QueryEach(ctx, q, func(s *standingOf) { of[s.prospect] = s.standing }, selectStandings, workspace, prospects)
	if err != nil {
		return nil, fmt.Errorf("read standings: %w", err)
	}
	return of, nil
}
