package storage

import (
	"context"
	"fmt"
	"outreach"
	"time"

	"github.com/google/uuid"
)

// EnsurePartitions makes the event partitions of the coming weeks. Safe to call
// from any process at any time.
func (db *DB) EnsurePartitions(ctx context.Context, around time.Time) error {
	if _, err := db.pool.Exec(ctx, "SELECT ensure_event_partitions($1)", around); err != nil {
		return fmt.Errorf("make event partitions: %w", err)
	}
	return nil
}

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

// ListHistory returns what happened with one prospect, newest first.
func (db *DB) ListHistory(ctx context.Context, workspace, prospect uuid.UUID, page outreach.Page) (outreach.Rows[outreach.History], error) {
	f := InWorkspace(workspace)
	f.add("e.prospect_id = ?", prospect)
	rows, err := history.Fetch(ctx, db.pool, f, page)
	if err != nil {
		return rows, fmt.Errorf("list history: %w", err)
	}
	return rows, nil
}
