package storage

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// A message that is claimed and not committed can be withdrawn: its step is due again, and it
// counts neither for the mailbox nor for the campaign. The process that sends it gets ErrWithdrawn
// at commit 2. Its mailbox is removed from the enrollment, so that another mailbox may send the
// step.
const (
	claimedOf = ` gone AS (
	DELETE FROM messages m WHERE m.workspace_id = $1 AND m.status = 'claimed' AND m.committed_at IS NULL AND `
	released = `
	RETURNING m.workspace_id, m.campaign_id, m.enrollment_id, m.run, m.step, m.begun_on
), begun AS (
	UPDATE campaigns c SET new_count = greatest(c.new_count - (
		SELECT count(*)::int FROM gone WHERE gone.campaign_id = c.id AND gone.begun_on = c.new_on), 0)
	WHERE c.workspace_id = $1 AND c.id IN (SELECT campaign_id FROM gone WHERE begun_on IS NOT NULL)
), woken AS (
	INSERT INTO sender_wakes (workspace_id, id) SELECT DISTINCT workspace_id, uuid_v7() FROM gone LIMIT 1
)
UPDATE enrollments e SET next_send_at = coalesce(e.next_send_at, $3) FROM gone
WHERE e.workspace_id = $1 AND e.id = gone.enrollment_id AND e.run = gone.run AND e.next_step = gone.step
	AND e.status IN ('active', 'held', 'paused')`

	ReleaseMessage  = "WITH" + claimedOf + "m.id = $2" + released
	releaseMailbox  = "WITH" + claimedOf + "m.mailbox_id = $2" + released
	releaseCampaign = "WITH" + claimedOf + "m.mailbox_id = ANY($2) AND m.campaign_id = $4" + released
)

// Release runs one of the first two statements, for a message or for a mailbox.
func Release(ctx context.Context, tx pgx.Tx, sql string, workspace, of uuid.UUID, now time.Time) error {
	return Exec(ctx, tx, "release messages", sql, workspace, of, now)
}

// Any mailbox may continue what a removed mailbox began, in a new thread.
const unbindCampaign = `UPDATE enrollments SET mailbox_id = NULL WHERE workspace_id = $1 AND mailbox_id = ANY($2) AND campaign_id = $3`

// releaseFrom withdraws the claims of mailboxes that were removed from a campaign, and resumes the
// enrollments that were held because of them.
func releaseFrom(ctx context.Context, tx pgx.Tx, workspace, campaign uuid.UUID, before, after []uuid.UUID, now time.Time) error {
	left := slices.DeleteFunc(slices.Clone(before), func(id uuid.UUID) bool { return slices.Contains(after, id) })
	if len(left) == 0 {
		return nil
	}
	if err := Exec(ctx, tx, "release messages of mailboxes", releaseCampaign, workspace, left, now,
		campaign); err != nil {
		return err
	}
	if err := Exec(ctx, tx, "wake enrollments held by mailboxes", wakeBlamedIn, workspace, left, campaign); err != nil {
		return err
	}
	return Exec(ctx, tx, "unbind enrollments", unbindCampaign, workspace, left, campaign)
}
