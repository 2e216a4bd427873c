package storage

import (
	"context"

	"github.com/google/uuid"

	"outreach"
)

var history = List[outreach.History]{
	Reads: NewColumns(func(h *outreach.History) []Column {
		return []Column{
			{"e.id", &h.ID},
			{"e.type", &h.Type},
			{"e.occurred_at", &h.OccurredAt},
			{"e.campaign_id", &h.CampaignID},
			{"e.campaign_name", &h.CampaignName},
			{"e.metadata", &h.Metadata},
		}
	}),
	From: "events e WHERE e.workspace_id = $1",
	At:   "e.occurred_at", ID: "e.id",
	Key: func(h *outreach.History) outreach.Key { return outreach.Key{At: h.OccurredAt, ID: h.ID} },
}

// ListHistory returns the events of one prospect, newest first.
func (db *DB) ListHistory(ctx context.Context, workspace, prospect uuid.UUID, page outreach.Page) (outreach.Rows[outreach.History], error) {
	f := InWorkspace(workspace)
	f.add("e.prospect_id = ?", prospect)
	return history.Fetch(ctx, db.pool, f, page)
}
