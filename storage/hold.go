package storage

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// holdKind says what an enrollment is held for, and by that what ends the hold; a
// person may resume any.
type holdKind string

const (
	holdContent holdKind = "content" // its message could not be composed: until the prospect or the steps change
	holdAbsence holdKind = "absence" // the prospect is away: until hold_until
	holdUnknown holdKind = "unknown" // nobody knows whether its step left: until that is settled
	holdSender  holdKind = "sender"  // a server refused its mailbox: until a person has seen to that, or the campaign lets it go
)

// hold is why an enrollment waits, in words for a user, and until when if that is
// known.
type hold struct {
	kind   holdKind
	reason string
	until  *time.Time
}

// notHeld takes a hold away, with all that it says.
const notHeld = `hold_kind = NULL, hold_reason = NULL, hold_until = NULL`

// endHold lets an enrollment go on. A pause lies on top of a hold: what begins or
// ends the one leaves the other.
const endHold = `status = CASE status WHEN 'held' THEN 'active' ELSE status END, ` + notHeld

// Whoever is away stays so, whatever else would hold them: that is found again when
// their turn comes.
const holdEnrollment = `
UPDATE enrollments SET status = CASE status WHEN 'active' THEN 'held' ELSE status END, hold_kind = $3, hold_reason = $4, hold_until = $5
WHERE workspace_id = $1 AND id = $2 AND status IN ('active', 'held', 'paused') AND ($3 = 'absence' OR hold_kind IS DISTINCT FROM 'absence')`

func holdOne(ctx context.Context, tx pgx.Tx, workspace, enrollment uuid.UUID, h hold) error {
	if _, err := tx.Exec(ctx, holdEnrollment, workspace, enrollment, h.kind, h.reason, h.until); err != nil {
		return fmt.Errorf("hold enrollment: %w", err)
	}
	return nil
}

const holdEnrollmentRun = holdEnrollment + ` AND run = $6`

// holdRun holds the run that a message belongs to.
func holdRun(ctx context.Context, tx pgx.Tx, f inFlight, h hold) error {
	if _, err := tx.Exec(ctx, holdEnrollmentRun, f.workspace, f.enrollment, h.kind, h.reason, h.until, f.run); err != nil {
		return fmt.Errorf("hold enrollment: %w", err)
	}
	return nil
}

// Who is written to from another mailbox by now, or will be, is not held for this one.
const holdBlamed = holdEnrollmentRun + `
	AND mailbox_id = $7 AND EXISTS (SELECT FROM campaigns c WHERE c.workspace_id = $1 AND c.id = campaign_id AND $7 = ANY(c.mailbox_ids))`

// holdForMailbox holds the run that a message belongs to for a fault of the
// mailbox that sent it.
func holdForMailbox(ctx context.Context, tx pgx.Tx, f inFlight, address, text string) error {
	reason := fmt.Sprintf("the message was refused because of the sender; it goes again once %s is resumed or found well by a check: %s", address, text)
	if _, err := tx.Exec(ctx, holdBlamed, f.workspace, f.enrollment, holdSender, reason, nil, f.run, f.mailbox); err != nil {
		return fmt.Errorf("hold enrollment: %w", err)
	}
	return nil
}

// A message that goes shows nothing of those that were refused: did they go on by
// it, a server that minds only some would be asked again and again.
const (
	wakeBlamed   = `UPDATE enrollments SET ` + endHold + ` WHERE workspace_id = $1 AND mailbox_id = ANY($2) AND hold_kind = 'sender'`
	wakeBlamedIn = wakeBlamed + ` AND campaign_id = $3`
)

// wakeFor lets go on whom faults of a mailbox hold, after a person has seen to it.
func wakeFor(ctx context.Context, tx pgx.Tx, workspace, mailbox uuid.UUID) error {
	if _, err := tx.Exec(ctx, wakeBlamed, workspace, []uuid.UUID{mailbox}); err != nil {
		return fmt.Errorf("wake whom a mailbox held: %w", err)
	}
	return nil
}

// zones are the time zones of a prospect and of a campaign, as far as they are
// known: either may be gone.
type zones struct{ prospect, campaign *string }

const selectZones = `
SELECT (SELECT p.timezone FROM prospects p WHERE p.workspace_id = $1 AND p.id = $2), (SELECT c.timezone FROM campaigns c WHERE c.workspace_id = $1 AND c.id = $3)`

func zonesOf(ctx context.Context, tx pgx.Tx, f *inFlight) (z zones, err error) {
	if err = tx.QueryRow(ctx, selectZones, f.workspace, f.prospect, f.campaign).Scan(&z.prospect, &z.campaign); err != nil {
		return z, fmt.Errorf("read time zones: %w", err)
	}
	return z, nil
}

// outOfOffice holds somebody until the day on which they are back begins where
// they are. It reports false when it has begun there.
func outOfOffice(day time.Time, z zones, now time.Time) (hold, bool) {
	var c outreach.Campaign
	if z.campaign != nil {
		c.Timezone = *z.campaign
	}
	until := c.CivilTime(day, z.prospect)
	return hold{kind: holdAbsence, reason: "out of office until " + day.Format(time.DateOnly), until: &until}, until.After(now)
}

// Whether what was missing is there now, the next claim finds out.
const (
	heldForContent = ` enrollments SET ` + endHold + `, next_send_at = $3
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
	return nil
}

// otherSteps reports whether the two differ in what they write.
func otherSteps(a, b *outreach.Campaign) bool {
	return !slices.EqualFunc(a.Steps, b.Steps, func(x, y outreach.Step) bool {
		return x.ID == y.ID && sameValue(x.Subject, y.Subject) && sameValue(x.BodyHTML, y.BodyHTML) && sameValue(x.BodyText, y.BodyText)
	})
}
