package storage

import (
	"context"
	"fmt"
	"outreach"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
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
	Columns: "e.id, e.type, e.occurred_at, e.campaign_id, e.campaign_name, e.metadata",
	From:    "events e WHERE e.workspace_id = $1",
	At:      "e.occurred_at", ID: "e.id",
	Scan: func(row pgx.CollectableRow) (h outreach.History, err error) {
		err = row.Scan(&h.ID, &h.Type, &h.OccurredAt, &h.CampaignID, &h.CampaignName, &h.Metadata)
		return h, err
	},
	Key: func(h *outreach.History) outreach.Key { return outreach.Key{At: h.OccurredAt, ID: h.ID} },
}

// ListHistory gives what happened with one prospect, newest first.
func (db *DB) ListHistory(ctx context.Context, workspace, prospect uuid.UUID, page outreach.Page) (outreach.Rows[outreach.History], error) {
	f := InWorkspace(workspace)
	f.add("e.prospect_id = ?", prospect)
	rows, err := history.Fetch(ctx, db.pool, f, page)
	if err != nil {
		return rows, fmt.Errorf("list history: %w", err)
	}
	return rows, nil
}
