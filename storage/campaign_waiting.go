package storage

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"outreach"
)

var waitingColumns = NewColumns(func(w *outreach.WaitingStep) []Column {
	return []Column{
		{"w.step", &w.Step},
		{"count(*)", &w.People},
		{"min(w.since)", &w.Since},
	}
})

// The running enrollments of a campaign by their next step. The first half uses index enrollments_due, the
// second enrollments_waiting, so that ended enrollments are not read. A message of unknown fate decides
// what the next step is.
var selectWaitingSteps = `
SELECT ` + waitingColumns.SQL + `
FROM (SELECT e.next_step AS step, coalesce(e.last_step_at, e.begun_at) AS since FROM enrollments e
	WHERE e.workspace_id = $1 AND e.campaign_id = $2 AND e.status = 'active'
	UNION ALL SELECT e.next_step, coalesce(e.last_step_at, e.begun_at) FROM enrollments e
	WHERE e.workspace_id = $1 AND e.campaign_id = $2 AND e.status IN ('held', 'paused')
		AND e.hold_kind IS DISTINCT FROM 'unknown') w
WHERE w.step IS NOT NULL
GROUP BY w.step ORDER BY w.step`

// CampaignWaiting counts the people who wait in a campaign by their next step. A person whose message is
// on its way is counted at its step until the message is sent. It returns outreach.ErrNotFound for a
// campaign of another workspace.
func (db *DB) CampaignWaiting(ctx context.Context, workspace, id uuid.UUID) ([]outreach.WaitingStep, error) {
	if _, err := Campaigns.One(ctx, db.pool, workspace, id); err != nil {
		return nil, err
	}
	waiting, err := waitingColumns.Query(ctx, db.pool, selectWaitingSteps, workspace, id)
	if err != nil {
		return nil, fmt.Errorf("count waiting people: %w", err)
	}
	return waiting, nil
}
