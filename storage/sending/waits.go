package sending

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach/storage"
)

// A step that waits for contact_gap_hours has the end of the gap as its due time, and the hours by
// which that was computed. After a change to fewer hours the wait is computed again.

const selectLongWaits = `
SELECT e.id
FROM workspaces w CROSS JOIN LATERAL (SELECT e.id FROM enrollments e
	WHERE e.workspace_id = $1 AND e.next_send_at = e.gap_until AND e.gap_hours > w.contact_gap_hours
	ORDER BY e.gap_hours, e.gap_until LIMIT $2) e
WHERE w.id = $1`

// longWait is a locked enrollment whose wait is longer than contact_gap_hours.
type longWait struct {
	id        uuid.UUID
	from      time.Time // the delay of its step counts from here
	delay     int       // minutes; 0 if the step was removed
	contacted *time.Time
}

// The last two columns are those of otherContacts.
var longWaitColumns = storage.NewColumns(func(w *longWait) []storage.Column {
	return []storage.Column{
		{SQL: "e.id", To: &w.id},
		{SQL: "coalesce(e.last_step_at, e.begun_at)", To: &w.from},
		{SQL: `coalesce((SELECT s.delay_minutes FROM steps s
			WHERE s.workspace_id = $1 AND s.campaign_id = e.campaign_id AND s.position = e.next_step), 0)`, To: &w.delay},
		{SQL: "(SELECT max(m.at) FROM (SELECT e.prospect_id, e.campaign_id) one" + otherContacts + ")", To: &w.contacted},
	}
})

var lockLongWaits = `
SELECT ` + longWaitColumns.SQL + `
FROM enrollments e WHERE e.workspace_id = $1 AND e.id = ANY($4) AND e.next_send_at = e.gap_until AND e.gap_hours > $5
ORDER BY e.id FOR UPDATE`

const moveWaits = `
UPDATE enrollments e SET next_send_at = one.due, gap_until = CASE WHEN one.waits THEN one.due END,
	gap_hours = CASE WHEN one.waits THEN $5::int END
FROM unnest($2::uuid[], $3::timestamptz[], $4::bool[]) one(id, due, waits)
WHERE e.workspace_id = $1 AND e.id = one.id`

// mostPortions bounds the transactions of one call of shortenWaits. Each changes up to most
// enrollments.
const mostPortions = 10

// shortenWaits computes the waits of a workspace that are longer than contact_gap_hours again, and wakes
// the workspace. It begins with the waits that end first. A step whose gap is over is due after its
// delay. If there are too many for one call, or the process dies in it, the next call continues.
func (l *Ledger) shortenWaits(ctx context.Context, workspace uuid.UUID) error {
	for range mostPortions {
		ids, err := longWaits(ctx, l.db.Groups(), workspace, most)
		if err != nil || len(ids) == 0 {
			return err
		}
		err = l.db.GroupTx(ctx, func(tx pgx.Tx) error { return l.shorten(ctx, tx, workspace, ids) })
		if err != nil || len(ids) < most {
			return err
		}
	}
	return nil
}

// longWaits returns up to limit enrollments whose waits are longer than contact_gap_hours, in the order of
// their ids.
func longWaits(ctx context.Context, q storage.Querier, workspace uuid.UUID, limit int) ([]uuid.UUID, error) {
	ids, err := storage.Values[uuid.UUID](ctx, q, "look for long waits", selectLongWaits, workspace, limit)
	return storage.InOrder(ids), err
}

func (l *Ledger) shorten(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, ids []uuid.UUID) error {
	var hours int
	if err := tx.QueryRow(ctx, selectGap, workspace).Scan(&hours); err != nil {
		return fmt.Errorf("read gap between campaigns: %w", err)
	}
	now, gap := l.db.Now(), time.Duration(hours)*time.Hour
	waits, err := longWaitColumns.Query(ctx, tx, lockLongWaits, workspace, now.Add(-gap), now, ids, hours)
	if err != nil {
		return fmt.Errorf("lock long waits: %w", err)
	}
	moved, dues, still := make([]uuid.UUID, len(waits)), make([]time.Time, len(waits)), make([]bool, len(waits))
	for i, w := range waits {
		moved[i] = w.id
		dues[i] = w.from.Add(time.Duration(w.delay) * time.Minute)
		if w.contacted == nil {
			continue
		}
		if until := w.contacted.Add(gap); until.After(now) && until.After(dues[i]) {
			dues[i], still[i] = until, true
		}
	}
	if err := storage.Exec(ctx, tx, "shorten waits", moveWaits, workspace, moved, dues, still, hours); err != nil {
		return err
	}
	return storage.Wake(ctx, tx, workspace)
}
