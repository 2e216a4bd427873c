package sending

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// halted is an enrollment that has ended, with its last step.
type halted struct {
	id, prospect, campaign uuid.UUID
	status                 outreach.EnrollmentStatus
	forced                 bool
	timezone               string
	created                time.Time
	progress               outreach.Progress
}

var haltedColumns = storage.NewColumns(func(h *halted) []storage.Column {
	return []storage.Column{
		{SQL: "e.id", To: &h.id},
		{SQL: "e.prospect_id", To: &h.prospect},
		{SQL: "e.campaign_id", To: &h.campaign},
		{SQL: "e.status", To: &h.status},
		{SQL: "e.forced", To: &h.forced},
		{SQL: "e.timezone", To: &h.timezone},
		{SQL: "e.created_at", To: &h.created},
		{SQL: "e.last_step_id", To: &h.progress.LastStepID},
		{SQL: "e.last_step_at", To: &h.progress.LastStepAt},
		{SQL: "e.begun_at", To: &h.progress.BegunAt},
	}
})

var selectHalted = `SELECT ` + haltedColumns.SQL + ` FROM enrollments e WHERE e.workspace_id = $1 AND e.id = $2`

// goingOn continues enrollments of one campaign. The preview and the change use the same judgement.
type goingOn struct {
	ledger   *Ledger
	campaign outreach.Campaign
	force    bool
	now      time.Time
}

// next returns how an enrollment continues: its step, or why it cannot.
func (g *goingOn) next(h *halted, standing outreach.Standing, known bool, replies, company bool) (outreach.Continuation, time.Time) {
	number, due, left := g.campaign.After(h.progress)
	refusal := Refusal(standing.Obstacle(replies && !g.force, company && !g.force))
	switch {
	case !known:
		refusal = outreach.Errorf(outreach.CodeInvalidState, "Cannot resume: the prospect was deleted.")
	case refusal == nil && !left:
		refusal = outreach.Errorf(outreach.CodeInvalidState, "Cannot resume: the campaign has no step after the last one that was sent.")
	}
	if refusal != nil {
		return outreach.Continuation{Refusal: refusal}, due
	}
	e := outreach.Enrollment{Status: outreach.EnrollmentActive, DueAt: &due, Timezone: h.timezone}
	e.Opens(&g.campaign, g.now)
	return outreach.Continuation{Step: &number, NextSendAt: e.NextSendAt}, due
}

// one judges one enrollment that a person wants to resume.
func (g *goingOn) one(ctx context.Context, q storage.Querier, h *halted) (c outreach.Continuation, due time.Time, err error) {
	if err := h.status.CanContinue(); err != nil {
		return c, due, err
	}
	if err := g.campaign.CanGoOn(); err != nil {
		return c, due, err
	}
	found, err := standings(ctx, q, g.campaign.WorkspaceID, []uuid.UUID{h.prospect})
	if err != nil {
		return c, due, err
	}
	standing, known := found[h.prospect]
	c, due = g.next(h, standing, known, true, g.campaign.StopCompanyOnReply)
	return c, due, nil
}

// ResumeEnrollment ends a pause or a hold. An enrollment that was stopped, or ended by a reply,
// continues with the first step placed after the last one sent. The obstacles of enrolling apply;
// force passes a reply of the prospect or of a colleague. It returns CodeInvalidState if no step is
// left, and for any other status.
func (l *Ledger) ResumeEnrollment(ctx context.Context, workspace, id uuid.UUID, force bool) (e outreach.Enrollment, err error) {
	err = l.db.Tx(ctx, func(tx pgx.Tx) error {
		h, err := haltedColumns.QueryOne(ctx, tx, selectHalted, workspace, id)
		if err != nil {
			return err
		}
		if h.status.Running() {
			e, err = l.db.ResumeRunning(ctx, tx, workspace, id)
			return err
		}
		e, err = l.resumeEnded(ctx, tx, workspace, &h, force)
		return err
	})
	return e, err
}

// resumeEnded continues an enrollment that has ended. Campaign, prospect and enrollment are locked
// in the order of enrolling, and the enrollment is read again.
func (l *Ledger) resumeEnded(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, h *halted,
	force bool) (e outreach.Enrollment, err error) {
	g := &goingOn{ledger: l, force: force, now: l.db.Now()}
	if err := storage.Exec(ctx, tx, "lock campaign", lockCampaignState, workspace, h.campaign); err != nil {
		return e, err
	}
	if g.campaign, err = storage.Campaigns.One(ctx, tx, workspace, h.campaign); err != nil {
		return e, err
	}
	if _, err := lockProspects(ctx, tx, workspace, []uuid.UUID{h.prospect}); err != nil {
		return e, err
	}
	if *h, err = haltedColumns.QueryOne(ctx, tx, selectHalted+" FOR UPDATE", workspace, h.id); err != nil {
		return e, err
	}
	c, due, err := g.one(ctx, tx, h)
	if err == nil && c.Refusal != nil {
		err = c.Refusal
	}
	if err != nil {
		return e, err
	}
	one := continued{enrollments: []uuid.UUID{h.id}, prospects: []uuid.UUID{h.prospect}, steps: []int{*c.Step}, due: []time.Time{due}}
	if err := g.write(ctx, tx, one); err != nil {
		return e, err
	}
	return l.db.ReadEnrollment(ctx, tx, workspace, h.id)
}

// EnrollmentContinuation returns what ResumeEnrollment would do with an enrollment that has ended.
func (l *Ledger) EnrollmentContinuation(ctx context.Context, workspace, id uuid.UUID) (c outreach.Continuation, err error) {
	q := l.db.Pool()
	h, err := haltedColumns.QueryOne(ctx, q, selectHalted, workspace, id)
	if err != nil {
		return c, storage.DomainError(err)
	}
	g := &goingOn{ledger: l, now: l.db.Now()}
	if g.campaign, err = storage.Campaigns.One(ctx, q, workspace, h.campaign); err != nil {
		return c, err
	}
	c, _, err = g.one(ctx, q, &h)
	if err == nil && c.Refusal != nil && (c.Refusal.Code == outreach.CodeProspectReplied || c.Refusal.Code == outreach.CodeCompanyReplied) {
		g.force = true
		c, _, err = g.one(ctx, q, &h)
		c.NeedsForce = true
	}
	if refusal, ok := errors.AsType[*outreach.Error](err); ok {
		return outreach.Continuation{Refusal: refusal}, nil
	}
	return c, err
}

// continued holds the enrollments that continue, as columns.
type continued struct {
	enrollments, prospects []uuid.UUID
	steps                  []int
	due                    []time.Time
	next                   []outreach.Continuation // set by judge
}

const continueEnrollments = `
UPDATE enrollments e SET status = 'active', stop_reason = NULL, ` + storage.NotHeld + `, forced = e.forced OR $5,
	next_step = one.step, next_send_at = one.due
FROM unnest($2::uuid[], $3::int[], $4::timestamptz[]) one(id, step, due)
WHERE e.workspace_id = $1 AND e.id = one.id`

// write continues enrollments and reopens their campaign.
func (g *goingOn) write(ctx context.Context, tx pgx.Tx, c continued) error {
	if len(c.enrollments) == 0 {
		return nil
	}
	workspace := g.campaign.WorkspaceID
	if err := storage.Exec(ctx, tx, "continue enrollments", continueEnrollments, workspace, c.enrollments, c.steps,
		c.due, g.force); err != nil {
		return err
	}
	return g.reopen(ctx, tx, c)
}

// reopen does what follows after enrollments continue: it holds them for absences, reopens their
// campaign and derives the statuses of their prospects.
func (g *goingOn) reopen(ctx context.Context, tx pgx.Tx, c continued) error {
	workspace := g.campaign.WorkspaceID
	if err := joinAbsence(ctx, tx, workspace, g.campaign.ID, c.prospects, g.now); err != nil {
		return err
	}
	if err := storage.Exec(ctx, tx, "reopen campaign", reopenCampaign, workspace, g.campaign.ID); err != nil {
		return err
	}
	if err := storage.RefreshStatuses(ctx, tx, workspace, storage.InOrder(c.prospects)); err != nil {
		return err
	}
	return storage.Wake(ctx, tx, workspace)
}
