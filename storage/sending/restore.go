package sending

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// The enrollments of prospect $2 and of its colleagues that ended for one of the reasons $3, without a reply
// of their own prospect since their last step. One that was forced goes on against the replies of others, so
// it is one only if its own prospect's reply stopped it ($4).
const selectStoppedByReply = `
SELECT e.id FROM prospects me
	LEFT JOIN companies own ON own.workspace_id = $1 AND own.id = me.company_id
	JOIN prospects p ON p.workspace_id = $1 AND (p.id = me.id OR p.company_id IN (
		SELECT k.id FROM companies k WHERE k.workspace_id = $1 AND k.site = own.site))
	JOIN enrollments e ON e.workspace_id = $1 AND e.prospect_id = p.id
WHERE me.workspace_id = $1 AND me.id = $2 AND e.status = 'replied' AND e.stop_reason = ANY($3)
	AND (NOT e.forced OR p.id = me.id AND e.stop_reason = ANY($4))
	AND (p.last_replied_at > coalesce(e.last_step_at, e.begun_at)) IS NOT TRUE`

var (
	ownReply       = []outreach.EndCause{outreach.EndReplied, outreach.EndRepliedPaused}
	colleagueReply = []outreach.EndCause{outreach.EndColleagueReplied, outreach.EndColleaguePaused}
)

// RestoreReplied restores the enrollments that a reply of a prospect stopped, after the reply was marked
// as automatic: active, paused, held with their cause, or finished. Those that something else keeps from
// continuing stay as they are, for example after another reply.
func (l *Ledger) RestoreReplied(ctx context.Context, tx pgx.Tx, workspace, prospect uuid.UUID) error {
	causes := slices.Concat(ownReply, colleagueReply)
	stopped, err := storage.Values[uuid.UUID](ctx, tx, "find enrollments that a reply stopped", selectStoppedByReply, workspace,
		prospect, reasonsOf(causes), reasonsOf(ownReply))
	if err != nil {
		return err
	}
	_, err = l.restore(ctx, tx, workspace, stopped, causes...)
	return err
}

// RestoreEnrollments restores those of the enrollments that a user stopped and that nothing else keeps from
// continuing: active, paused, or held with their cause. It returns how many were restored.
func (l *Ledger) RestoreEnrollments(ctx context.Context, workspace uuid.UUID, stopped []uuid.UUID) (restored int, err error) {
	err = l.db.Tx(ctx, func(tx pgx.Tx) error {
		restored, err = l.restore(ctx, tx, workspace, stopped, outreach.EndStopped, outreach.EndStoppedPaused)
		return err
	})
	return restored, err
}

// restore restores those of the enrollments stopped that ended for one of the causes, campaign by campaign.
// It returns how many continue.
func (l *Ledger) restore(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, stopped []uuid.UUID,
	causes ...outreach.EndCause) (restored int, err error) {
	campaigns, err := storage.Values[uuid.UUID](ctx, tx, "find campaigns", campaignsOfStopped, workspace, stopped)
	if err != nil {
		return 0, err
	}
	for _, campaign := range campaigns {
		n, err := l.restoreIn(ctx, tx, workspace, campaign, stopped, causes...)
		if err != nil {
			return 0, err
		}
		restored += n
	}
	return restored, nil
}

func reasonsOf(causes []outreach.EndCause) []string {
	reasons := make([]string, len(causes))
	for i, cause := range causes {
		reasons[i] = cause.Ending().Reason
	}
	return reasons
}

const campaignsOfStopped = `
SELECT DISTINCT e.campaign_id FROM enrollments e WHERE e.workspace_id = $1 AND e.id = ANY($2) ORDER BY e.campaign_id`

const peopleOfStopped = `
SELECT e.prospect_id FROM enrollments e WHERE e.workspace_id = $1 AND e.id = ANY($2) AND e.campaign_id = $3`

var lockStopped = `
SELECT ` + haltedColumns.SQL + ` FROM enrollments e
WHERE e.workspace_id = $1 AND e.id = ANY($2) AND e.campaign_id = $3 AND e.status IN ('stopped', 'replied') AND e.stop_reason = ANY($4)
ORDER BY e.id FOR UPDATE`

// What was unknown may have been resolved since.
const endResolvedHolds = `
UPDATE enrollments e SET ` + storage.NotHeld + `
WHERE e.workspace_id = $1 AND e.id = ANY($2) AND e.hold_kind = 'unknown'
	AND NOT EXISTS (SELECT FROM messages m WHERE m.workspace_id = $1 AND m.enrollment_id = e.id AND m.run = e.run AND m.status = 'unknown')`

const restoreEnrollments = `
UPDATE enrollments e SET
	status = CASE WHEN e.stop_reason = ANY($5) THEN 'paused' WHEN e.hold_kind IS NOT NULL THEN 'held' ELSE 'active' END,
	stop_reason = NULL, next_step = one.step, next_send_at = one.due
FROM unnest($2::uuid[], $3::int[], $4::timestamptz[]) one(id, step, due)
WHERE e.workspace_id = $1 AND e.id = one.id`

// A reply to the last step ends a finished enrollment as replied.
const finishAgain = `
UPDATE enrollments e SET status = 'finished', stop_reason = NULL, ` + storage.NotHeld + `
WHERE e.workspace_id = $1 AND e.id = ANY($2)`

// restoreIn restores those of the enrollments stopped of one campaign that ended for one of the causes.
// It returns how many continue. The locks are those of resumeEnded.
func (l *Ledger) restoreIn(ctx context.Context, tx pgx.Tx, workspace, campaign uuid.UUID, stopped []uuid.UUID,
	causes ...outreach.EndCause) (int, error) {
	if _, err := tx.Exec(ctx, lockCampaignState, workspace, campaign); err != nil {
		return 0, fmt.Errorf("lock campaign: %w", err)
	}
	g := &goingOn{ledger: l, now: l.db.Now()}
	var err error
	if g.campaign, err = storage.Campaigns.One(ctx, tx, workspace, campaign); err != nil {
		return 0, err
	}
	if g.campaign.Status == outreach.CampaignArchived {
		return 0, nil
	}
	people, err := storage.Values[uuid.UUID](ctx, tx, "find people", peopleOfStopped, workspace, stopped, campaign)
	if err != nil {
		return 0, err
	}
	if _, err := lockProspects(ctx, tx, workspace, people); err != nil {
		return 0, err
	}
	list, err := haltedColumns.Query(ctx, tx, lockStopped, workspace, stopped, campaign, reasonsOf(causes))
	if err != nil {
		return 0, fmt.Errorf("lock stopped enrollments: %w", err)
	}
	if err := g.finishAgain(ctx, tx, list); err != nil {
		return 0, err
	}
	c, _, err := g.judge(ctx, tx, list)
	if err != nil || len(c.enrollments) == 0 {
		return 0, err
	}
	if _, err := tx.Exec(ctx, endResolvedHolds, workspace, c.enrollments); err != nil {
		return 0, fmt.Errorf("end resolved holds: %w", err)
	}
	if _, err := tx.Exec(ctx, restoreEnrollments, workspace, c.enrollments, c.steps, c.due,
		reasonsOf(pausedEndings)); err != nil {
		return 0, fmt.Errorf("restore enrollments: %w", err)
	}
	return len(c.enrollments), g.reopen(ctx, tx, c)
}

// pausedEndings are the causes that end a paused enrollment and can be undone.
var pausedEndings = []outreach.EndCause{outreach.EndSuppressedPaused, outreach.EndStoppedPaused, outreach.EndRepliedPaused,
	outreach.EndColleaguePaused}

// finishAgain finishes those enrollments that a reply ended after their last step.
func (g *goingOn) finishAgain(ctx context.Context, tx pgx.Tx, list []halted) error {
	var done, people []uuid.UUID
	for i := range list {
		if _, _, left := g.campaign.After(list[i].progress); !left && list[i].status == outreach.EnrollmentReplied {
			done, people = append(done, list[i].id), append(people, list[i].prospect)
		}
	}
	if len(done) == 0 {
		return nil
	}
	if err := storage.Exec(ctx, tx, "finish enrollments", finishAgain, g.campaign.WorkspaceID, done); err != nil {
		return err
	}
	return storage.RefreshStatuses(ctx, tx, g.campaign.WorkspaceID, storage.InOrder(people))
}
