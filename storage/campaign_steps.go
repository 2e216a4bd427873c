package storage

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// Whether a message exists for a step from $3 on, claimed ones included. Each half uses a partial
// index.
const selectPassed = `
SELECT EXISTS (SELECT FROM messages m WHERE m.workspace_id = $1 AND m.campaign_id = $2 AND m.step >= $3
	AND m.status IN ('sent', 'bounced', 'unknown'))
	OR EXISTS (SELECT FROM messages m WHERE m.workspace_id = $1 AND m.campaign_id = $2 AND m.step >= $3 AND m.status = 'claimed')`

// checkStepIDs returns an error for an id that none of the present steps has, and for an id that
// two steps have.
func checkStepIDs(steps, before []outreach.Step) error {
	var faults outreach.Faults
	for i, step := range steps {
		if step.ID != uuid.Nil && (placeOf(before, step.ID) < 0 || placeOf(steps, step.ID) != i) {
			faults.AddUnknown(outreach.At("steps").Index(i).Join("id"))
		}
	}
	return faults.Err()
}

func placeOf(steps []outreach.Step, id uuid.UUID) int {
	return slices.IndexFunc(steps, func(s outreach.Step) bool { return s.ID == id })
}

// checkSteps returns an error if a step that was sent is removed or
// moved.
func checkSteps(ctx context.Context, tx pgx.Tx, c *outreach.Campaign, before []outreach.Step) error {
	moved := slices.IndexFunc(before, func(s outreach.Step) bool { return placeOf(c.Steps, s.ID) != placeOf(before, s.ID) })
	if moved < 0 {
		return nil
	}
	passed, err := stepPassed(ctx, tx, c.WorkspaceID, c.ID, moved+1)
	if err == nil && passed {
		err = outreach.Errorf(outreach.CodeCampaignStepInUse, "Step %d has been sent: it can be edited, but not "+
			"removed or moved.", moved+1)
	}
	return err
}

func stepPassed(ctx context.Context, tx pgx.Tx, workspace, campaign uuid.UUID, step int) (passed bool, err error) {
	if err = tx.QueryRow(ctx, selectPassed, workspace, campaign, step).Scan(&passed); err != nil {
		return false, fmt.Errorf("look for passed steps: %w", err)
	}
	return passed, nil
}

const dropSteps = `DELETE FROM steps WHERE workspace_id = $1 AND campaign_id = $2 AND NOT id = ANY($3)`

const upsertStep = `
INSERT INTO steps (id, workspace_id, campaign_id, position, delay_minutes, subject, body_html, body_text)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (workspace_id, id) DO UPDATE SET position = excluded.position, delay_minutes = excluded.delay_minutes,
	subject = excluded.subject,
	body_html = excluded.body_html, body_text = excluded.body_text`

func storeSteps(ctx context.Context, tx pgx.Tx, c *outreach.Campaign) error {
	keep := make([]uuid.UUID, len(c.Steps))
	var batch pgx.Batch
	for i := range c.Steps {
		step := &c.Steps[i]
		if step.ID == uuid.Nil {
			step.ID = NewID()
		}
		keep[i] = step.ID
		batch.Queue(upsertStep, step.ID, c.WorkspaceID, c.ID, i+1, step.DelayMinutes, step.Subject, step.BodyHTML, step.BodyText)
	}
	if err := Exec(ctx, tx, "drop steps", dropSteps, c.WorkspaceID, c.ID, keep); err != nil {
		return err
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("store steps: %w", err)
	}
	return nil
}
