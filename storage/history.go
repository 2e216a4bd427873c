package storage

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"outreach"
)

const selectWorkspaceIDs = `SELECT id FROM workspaces WHERE id > $1 ORDER BY id LIMIT 1000`

// RemoveOld runs a statement that deletes the oldest rows of a workspace, for one workspace after
// another, until none has old rows left, and returns the number of deleted rows. The statement
// takes the workspace, the oldest id that stays, the most rows to delete, and more. If it is
// interrupted, the next call continues.
func (db *DB) RemoveOld(ctx context.Context, sql string, most int, before uuid.UUID, more ...any) (total int, err error) {
	last := uuid.Nil
	for {
		ids, err := Values[uuid.UUID](ctx, db.pool, "list workspaces", selectWorkspaceIDs, last)
		if err != nil {
			return total, err
		}
		if len(ids) == 0 {
			return total, ctx.Err()
		}
		last = ids[len(ids)-1]
		for len(ids) > 0 {
			batch, full := &pgx.Batch{}, []uuid.UUID{}
			for _, id := range ids[:min(len(ids), removeTogether)] {
				batch.Queue(sql, append([]any{id, before, most}, more...)...).Exec(func(tag pgconn.CommandTag) error {
					total += int(tag.RowsAffected())
					if int(tag.RowsAffected()) >= most {
						full = append(full, id)
					}
					return nil
				})
			}
			if err := db.pool.SendBatch(ctx, batch).Close(); err != nil {
				return total, err
			}
			ids = append(full, ids[min(len(ids), removeTogether):]...)
		}
	}
}

// removeTogether is how many workspaces share a transaction of RemoveOld.
const removeTogether = 20

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
	rows, err := history.Fetch(ctx, db.pool, f, page)
	if err != nil {
		return rows, fmt.Errorf("list history: %w", err)
	}
	return rows, nil
}
