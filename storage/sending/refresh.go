package sending

import (
	"context"
	"fmt"

	"outreach/storage"
)

const endAbsences = `
WITH back AS (
	UPDATE enrollments SET ` + storage.EndHold + ` WHERE hold_until <= $1 RETURNING workspace_id
)
INSERT INTO sender_wakes (workspace_id, id) SELECT workspace_id, uuid_v7() FROM (SELECT DISTINCT workspace_id FROM back) one`

// A campaign that everybody has been through is completed; one that nobody was
// ever added to waits. Each look is one row of an index: a join would read all
// enrollments each minute.
const completeCampaigns = `
UPDATE campaigns c SET status = 'completed'
WHERE c.status = 'active' AND CASE
	WHEN (SELECT true FROM enrollments e WHERE e.workspace_id = c.workspace_id AND e.campaign_id = c.id AND e.status = 'active'
		ORDER BY e.workspace_id, e.campaign_id, (e.next_step > 1) LIMIT 1) THEN false
	WHEN (SELECT true FROM enrollments e WHERE e.campaign_id = c.id AND e.status IN ('held', 'paused') ORDER BY e.campaign_id, e.status LIMIT 1) THEN false
	ELSE (SELECT true FROM enrollments e WHERE e.workspace_id = c.workspace_id AND e.campaign_id = c.id
		ORDER BY e.workspace_id, e.campaign_id, e.prospect_id LIMIT 1) END`

// Somebody may have been added in the very moment in which a campaign completed.
// One look into the index of what is due for each completed campaign.
const reopenCampaigns = `
WITH open AS (
	UPDATE campaigns c SET status = 'active' WHERE c.status = 'completed'
		AND (SELECT true FROM enrollments e WHERE e.workspace_id = c.workspace_id AND e.campaign_id = c.id AND e.status = 'active'
			ORDER BY e.workspace_id, e.campaign_id, (e.next_step > 1) LIMIT 1)
	RETURNING c.workspace_id
)
INSERT INTO sender_wakes (workspace_id, id) SELECT workspace_id, uuid_v7() FROM (SELECT DISTINCT workspace_id FROM open) one`

// RefreshCampaigns brings up to date what time alone changes: holds that are over
// end, and finished campaigns complete. Repeating it, or dying in it, changes
// nothing. Its looks into what is due are planned as statements of groups are: a
// plan that was made while these tables were small would read them from end to end.
func (l *Ledger) RefreshCampaigns(ctx context.Context) error {
	if _, err := l.db.Groups().Exec(ctx, endAbsences, l.db.Now()); err != nil {
		return fmt.Errorf("end absences: %w", err)
	}
	if _, err := l.db.Groups().Exec(ctx, completeCampaigns); err != nil {
		return fmt.Errorf("complete campaigns: %w", err)
	}
	if _, err := l.db.Groups().Exec(ctx, reopenCampaigns); err != nil {
		return fmt.Errorf("reopen campaigns: %w", err)
	}
	return nil
}
