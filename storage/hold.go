package storage

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// Hold is why an enrollment is held, as a text for users, and until when if that is known.
type Hold struct {
	Kind   outreach.HoldKind
	Reason string
	Until  *time.Time
}

// NotHeld is the SET list that removes a hold.
const NotHeld = `hold_kind = NULL, hold_reason = NULL, hold_until = NULL`

// EndHold ends a hold. A pause and a hold are independent: the start or end of one does not change
// the other.
const EndHold = `status = CASE WHEN status = 'held' THEN 'active' ELSE status END, ` + NotHeld

// HoldEnrollment holds an enrollment, unless it is held for one of the kinds $6, those that outrank
// the new hold (outreach.HoldKind.Keeps).
const HoldEnrollment = `
UPDATE enrollments SET status = CASE WHEN status = 'active' THEN 'held' ELSE status END, hold_kind = $3, hold_reason = $4, hold_until = $5
WHERE workspace_id = $1 AND id = $2 AND status IN ('active', 'held', 'paused') AND (hold_kind = ANY($6)) IS NOT TRUE`

// HoldProspect holds all enrollments of a prospect: an absence applies to every campaign.
const HoldProspect = `
UPDATE enrollments SET status = CASE WHEN status = 'active' THEN 'held' ELSE status END, hold_kind = $3, hold_reason = $4, hold_until = $5
WHERE workspace_id = $1 AND prospect_id = $2 AND status IN ('active', 'held', 'paused')`

// HoldOne holds an enrollment.
func HoldOne(ctx context.Context, tx pgx.Tx, workspace, enrollment uuid.UUID, h Hold) error {
	return Exec(ctx, tx, "hold enrollment", HoldEnrollment, workspace, enrollment, h.Kind, h.Reason, h.Until,
		h.Kind.Keeps())
}

// A person resumes refused enrollments. That another message was accepted does not resume them, because
// the server may refuse only some.
const (
	wakeBlamed   = `UPDATE enrollments SET ` + EndHold + ` WHERE workspace_id = $1 AND mailbox_id = ANY($2) AND hold_kind = 'sender'`
	wakeBlamedIn = wakeBlamed + ` AND campaign_id = $3`
)

// wakeFor resumes enrollments that are held because of a mailbox, after a person has resumed it.
func wakeFor(ctx context.Context, tx pgx.Tx, workspace, mailbox uuid.UUID) error {
	if err := Exec(ctx, tx, "wake enrollments held by a mailbox", wakeBlamed, workspace,
		[]uuid.UUID{mailbox}); err != nil {
		return err
	}
	return Wake(ctx, tx, workspace)
}

// The next claim checks whether the missing value is there now.
const (
	heldForContent = ` enrollments SET ` + EndHold + `, next_send_at = coalesce(next_send_at, $3)
WHERE workspace_id = $1 AND status IN ('held', 'paused') AND hold_kind = 'content'`
	wakeProspects = "UPDATE" + heldForContent + " AND prospect_id = ANY($2)"
	wakeCampaign  = "UPDATE" + heldForContent + " AND campaign_id = $2"
)

// wakeContent runs one of the two, for prospects or for a campaign, after a change of what messages
// are composed of.
func wakeContent(ctx context.Context, tx pgx.Tx, sql string, workspace uuid.UUID, whose any, now time.Time) error {
	if err := Exec(ctx, tx, "wake held enrollments", sql, workspace, whose, now); err != nil {
		return err
	}
	return Wake(ctx, tx, workspace)
}

// otherSteps reports whether the texts of two lists of steps differ.
func otherSteps(a, b *outreach.Campaign) bool {
	return !slices.EqualFunc(a.Steps, b.Steps, func(x, y outreach.Step) bool {
		return x.ID == y.ID && SameValue(x.Subject, y.Subject) && SameValue(x.BodyHTML, y.BodyHTML) && SameValue(x.BodyText, y.BodyText)
	})
}
