package storage

import (
	"context"
	"fmt"
	"outreach"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Hold is why an enrollment waits, in words for a user, and until when if that is
// known.
type Hold struct {
	Kind   outreach.HoldKind
	Reason string
	Until  *time.Time
}

// NotHeld takes a hold away, with all that it says.
const NotHeld = `hold_kind = NULL, hold_reason = NULL, hold_until = NULL`

// EndHold lets an enrollment go on. A pause lies on top of a hold: what begins or
// ends the one leaves the other.
const EndHold = `status = CASE WHEN status = 'held' THEN 'active' ELSE status END, ` + NotHeld

// HoldEnrollment holds an enrollment unless it is held for one of the kinds $6, those
// that the new hold keeps (outreach.HoldKind.Keeps).
const HoldEnrollment = `
UPDATE enrollments SET status = CASE WHEN status = 'active' THEN 'held' ELSE status END, hold_kind = $3, hold_reason = $4, hold_until = $5
WHERE workspace_id = $1 AND id = $2 AND status IN ('active', 'held', 'paused') AND (hold_kind = ANY($6)) IS NOT TRUE`

// HoldProspect holds all enrollments of a prospect: who is away is so for every
// campaign.
const HoldProspect = `
UPDATE enrollments SET status = CASE WHEN status = 'active' THEN 'held' ELSE status END, hold_kind = $3, hold_reason = $4, hold_until = $5
WHERE workspace_id = $1 AND prospect_id = $2 AND status IN ('active', 'held', 'paused')`

// HoldOne holds an enrollment.
func HoldOne(ctx context.Context, tx pgx.Tx, workspace, enrollment uuid.UUID, h Hold) error {
	if _, err := tx.Exec(ctx, HoldEnrollment, workspace, enrollment, h.Kind, h.Reason, h.Until, h.Kind.Keeps()); err != nil {
		return fmt.Errorf("hold enrollment: %w", err)
	}
	return nil
}

// A message that goes shows nothing of those that were refused: did they go on by
// it, a server that minds only some would be asked again and again.
const (
	wakeBlamed   = `UPDATE enrollments SET ` + EndHold + ` WHERE workspace_id = $1 AND mailbox_id = ANY($2) AND hold_kind = 'sender'`
	wakeBlamedIn = wakeBlamed + ` AND campaign_id = $3`
)

// wakeFor lets go on whom faults of a mailbox hold, after a person has seen to it.
func wakeFor(ctx context.Context, tx pgx.Tx, workspace, mailbox uuid.UUID) error {
	if _, err := tx.Exec(ctx, wakeBlamed, workspace, []uuid.UUID{mailbox}); err != nil {
		return fmt.Errorf("wake whom a mailbox held: %w", err)
	}
	return Wake(ctx, tx, workspace)
}

// Whether what was missing is there now, the next claim finds out.
const (
	heldForContent = ` enrollments SET ` + EndHold + `, next_send_at = coalesce(next_send_at, $3)
WHERE workspace_id = $1 AND status IN ('held', 'paused') AND hold_kind = 'content'`
	wakeProspects = "UPDATE" + heldForContent + " AND prospect_id = ANY($2)"
	wakeCampaign  = "UPDATE" + heldForContent + " AND campaign_id = $2"
)

// wakeContent runs one of the two, for prospects or for a campaign, after a change
// of what messages are composed of.
func wakeContent(ctx context.Context, tx pgx.Tx, sql string, workspace uuid.UUID, whose any, now time.Time) error {
	if _, err := tx.Exec(ctx, sql, workspace, whose, now); err != nil {
		return fmt.Errorf("wake held enrollments: %w", err)
	}
	return Wake(ctx, tx, workspace)
}

// otherSteps reports whether the two differ in what they write.
func otherSteps(a, b *outreach.Campaign) bool {
	return !slices.EqualFunc(a.Steps, b.Steps, func(x, y outreach.Step) bool {
		return x.ID == y.ID && SameValue(x.Subject, y.Subject) && SameValue(x.BodyHTML, y.BodyHTML) && SameValue(x.BodyText, y.BodyText)
	})
}
