package storage

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

var enrollments = list[outreach.Enrollment]{
	columns: `e.id, e.workspace_id, e.campaign_id, e.prospect_id, e.mailbox_id, e.status, e.stop_reason, e.hold_reason,
		e.hold_until, e.next_step, e.next_send_at, e.created_at`,
	from: "enrollments e WHERE e.workspace_id = $1",
	at:   "e.created_at", id: "e.id",
	scan: func(row pgx.CollectableRow) (e outreach.Enrollment, err error) {
		err = row.Scan(&e.ID, &e.WorkspaceID, &e.CampaignID, &e.ProspectID, &e.MailboxID, &e.Status, &e.StopReason, &e.HoldReason,
			&e.HoldUntil, &e.NextStep, &e.NextSendAt, &e.CreatedAt)
		return e, err
	},
	key: func(e *outreach.Enrollment) outreach.Key { return outreach.Key{At: e.CreatedAt, ID: e.ID} },
}

// ListEnrollments gives one page, newest first by creation.
func (db *DB) ListEnrollments(ctx context.Context, workspace uuid.UUID, filter outreach.EnrollmentFilter, page outreach.Page) (outreach.Rows[outreach.Enrollment], error) {
	f := inWorkspace(workspace)
	where(f, "e.campaign_id = ?", filter.CampaignID)
	where(f, "e.prospect_id = ?", filter.ProspectID)
	where(f, "e.status = ?", filter.Status)
	rows, err := enrollments.fetch(ctx, db.pool, f, page)
	if err != nil {
		return rows, fmt.Errorf("list enrollments: %w", err)
	}
	return rows, nil
}

// Enrollment gives one enrollment.
func (db *DB) Enrollment(ctx context.Context, workspace, id uuid.UUID) (outreach.Enrollment, error) {
	return enrollments.one(ctx, db.pool, workspace, id)
}

// Enroll finds or makes the prospect and its enrollment in one transaction: when
// it refuses, nothing has been made. An enrollment that exists is given back as
// it is, unless Restart asks for a finished one to begin again.
func (db *DB) Enroll(ctx context.Context, request outreach.EnrollRequest) (out outreach.Enrolled, err error) {
	err = db.tx(ctx, func(tx pgx.Tx) error {
		status, err := campaignStatus(ctx, tx, request.WorkspaceID, request.CampaignID)
		if err != nil {
			return err
		}
		if out.Prospect, out.ProspectCreated, err = db.prospectToEnroll(ctx, tx, request); err != nil {
			return err
		}
		found, err := existingEnrollment(ctx, tx, request.CampaignID, out.Prospect)
		if err != nil {
			return err
		}
		if found != nil && (!request.Restart || found.Status.Running()) {
			out.Enrollment = *found
			return nil
		}
		if status == outreach.CampaignArchived {
			return outreach.Errorf(outreach.CodeCampaignArchived, "The campaign is archived: nobody can be added to it.")
		}
		if err := refuseEnrollment(ctx, tx, out.Prospect, request.Force); err != nil {
			return err
		}
		return db.startEnrollment(ctx, tx, request, &out)
	})
	return out, err
}

const selectCampaignStatus = `SELECT status FROM campaigns WHERE workspace_id = $1 AND id = $2`

func campaignStatus(ctx context.Context, tx pgx.Tx, workspace, campaign uuid.UUID) (status outreach.CampaignStatus, err error) {
	err = tx.QueryRow(ctx, selectCampaignStatus, workspace, campaign).Scan(&status)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", unknownReference("/campaign_id")
	}
	return status, err
}

func unknownReference(pointer string) error {
	var faults outreach.Faults
	faults.Add(pointer, outreach.CodeUnknownReference, "There is no such resource in this workspace.")
	return faults.Err()
}

func (db *DB) prospectToEnroll(ctx context.Context, tx pgx.Tx, request outreach.EnrollRequest) (p outreach.Prospect, created bool, err error) {
	if request.ProspectID != nil {
		p, err = prospects.oneLocked(ctx, tx, request.WorkspaceID, *request.ProspectID, " FOR UPDATE")
		if errors.Is(err, outreach.ErrNotFound) {
			err = unknownReference("/prospect_id")
		}
		return p, false, err
	}
	p.WorkspaceID = request.WorkspaceID
	request.Change(&p)
	p.Normalize()
	if err := p.Validate(); err != nil {
		return p, false, under("/prospect", err)
	}
	if created, err = db.insertProspect(ctx, tx, &p); err != nil || created {
		return p, created, err
	}
	if p, err = prospects.oneLocked(ctx, tx, request.WorkspaceID, p.ID, " FOR UPDATE"); err != nil || !request.Update {
		return p, false, err
	}
	request.Change(&p)
	return p, false, under("/prospect", db.storeProspect(ctx, tx, &p))
}

// under moves the fields at fault of err below pointer.
func under(pointer string, err error) error {
	refused, ok := errors.AsType[*outreach.Error](err)
	if !ok {
		return err
	}
	moved := *refused
	moved.Fields = make([]outreach.FieldError, len(refused.Fields))
	for i, field := range refused.Fields {
		field.Pointer = pointer + field.Pointer
		moved.Fields[i] = field
	}
	return &moved
}

const selectEnrollmentOf = ` AND e.campaign_id = $2 AND e.prospect_id = $3 FOR UPDATE`

func existingEnrollment(ctx context.Context, tx pgx.Tx, campaign uuid.UUID, p outreach.Prospect) (*outreach.Enrollment, error) {
	rows, err := tx.Query(ctx, "SELECT "+enrollments.columns+" FROM "+enrollments.from+selectEnrollmentOf, p.WorkspaceID, campaign, p.ID)
	if err != nil {
		return nil, fmt.Errorf("look for enrollment: %w", err)
	}
	e, err := pgx.CollectExactlyOneRow(rows, enrollments.scan)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return &e, err
}

const selectObstacles = `
SELECT EXISTS (SELECT FROM suppressions s WHERE s.workspace_id = $1 AND s.reason = 'manual' AND (s.email_key = $3 OR s.domain = $4)),
	p.unsubscribed_at IS NOT NULL OR EXISTS (SELECT FROM suppressions s WHERE s.workspace_id = $1 AND s.reason IN ('unsubscribed', 'complaint') AND (s.email_key = $3 OR s.domain = $4)),
	p.bounced_at IS NOT NULL OR EXISTS (SELECT FROM suppressions s WHERE s.workspace_id = $1 AND s.reason = 'bounced' AND s.email_key = $3),
	p.replied_at IS NOT NULL
FROM prospects p WHERE p.workspace_id = $1 AND p.id = $2`

// refuseEnrollment names the first thing that stands against writing to p, in
// the contract's order: suppressed by hand, unsubscribed (a complaint counts as
// one), bounced, and, unless forced, replied.
func refuseEnrollment(ctx context.Context, tx pgx.Tx, p outreach.Prospect, force bool) error {
	var suppressed, unsubscribed, bounced, replied bool
	err := tx.QueryRow(ctx, selectObstacles, p.WorkspaceID, p.ID, outreach.FoldEmail(p.Email), outreach.EmailDomain(p.Email)).
		Scan(&suppressed, &unsubscribed, &bounced, &replied)
	switch {
	case err != nil:
		return fmt.Errorf("look for obstacles: %w", err)
	case suppressed:
		return outreach.Errorf(outreach.CodeProspectSuppressed, "The address or its domain is suppressed.")
	case unsubscribed:
		return outreach.Errorf(outreach.CodeProspectUnsubscribed, "The prospect has unsubscribed.")
	case bounced:
		return outreach.Errorf(outreach.CodeProspectBounced, "Mail to the prospect bounces.")
	case replied && !force:
		return outreach.Errorf(outreach.CodeProspectReplied, "The prospect has replied already; force enrols nevertheless.")
	}
	return nil
}

const insertEnrollment = `
INSERT INTO enrollments AS e (id, workspace_id, campaign_id, prospect_id, forced, next_step, next_send_at, created_at)
VALUES ($1, $2, $3, $4, $5, 1, $6::timestamptz + make_interval(mins => coalesce((SELECT s.delay_minutes FROM steps s WHERE s.campaign_id = $3 AND s.position = 1), 0)), $6)
ON CONFLICT (campaign_id, prospect_id) DO UPDATE SET status = 'active', stop_reason = NULL, hold_reason = NULL, hold_until = NULL,
	run = e.run + 1, forced = excluded.forced, next_step = 1, next_send_at = excluded.next_send_at
WHERE e.status NOT IN ('active', 'held', 'paused')
RETURNING e.id, e.id = $1`

const reopenCampaign = `UPDATE campaigns SET status = 'active' WHERE workspace_id = $1 AND id = $2 AND status = 'completed'`

// startEnrollment makes the enrollment or begins a finished one anew, and reopens
// a completed campaign.
func (db *DB) startEnrollment(ctx context.Context, tx pgx.Tx, request outreach.EnrollRequest, out *outreach.Enrolled) error {
	id := newID()
	err := tx.QueryRow(ctx, insertEnrollment, id, request.WorkspaceID, request.CampaignID, out.Prospect.ID, request.Force, db.now()).
		Scan(&id, &out.EnrollmentCreated)
	if errors.Is(err, pgx.ErrNoRows) { // another call was faster
		found, err := existingEnrollment(ctx, tx, request.CampaignID, out.Prospect)
		if err == nil && found != nil {
			out.Enrollment = *found
		}
		return err
	}
	if err != nil {
		return fmt.Errorf("insert enrollment: %w", err)
	}
	if _, err := tx.Exec(ctx, reopenCampaign, request.WorkspaceID, request.CampaignID); err != nil {
		return fmt.Errorf("reopen campaign: %w", err)
	}
	if out.Prospect.Status, err = refreshStatus(ctx, tx, request.WorkspaceID, out.Prospect.ID); err != nil {
		return err
	}
	out.Enrollment, err = enrollments.one(ctx, tx, request.WorkspaceID, id)
	return err
}

// StopEnrollment ends a running enrollment for good.
func (db *DB) StopEnrollment(ctx context.Context, workspace, id uuid.UUID) (outreach.Enrollment, error) {
	return db.changeEnrollment(ctx, workspace, id, func(e *outreach.Enrollment) bool {
		if !e.Status.Running() {
			return false
		}
		reason := "stopped by hand"
		e.Status, e.StopReason, e.NextStep, e.NextSendAt = outreach.EnrollmentStopped, &reason, nil, nil
		return true
	})
}

// PauseEnrollment keeps an enrollment from sending until it is resumed.
func (db *DB) PauseEnrollment(ctx context.Context, workspace, id uuid.UUID) (outreach.Enrollment, error) {
	return db.changeEnrollment(ctx, workspace, id, func(e *outreach.Enrollment) bool {
		if e.Status != outreach.EnrollmentActive && e.Status != outreach.EnrollmentHeld {
			return false
		}
		e.Status = outreach.EnrollmentPaused
		return true
	})
}

// ResumeEnrollment lets a paused or held enrollment go on where it stood. What
// holds it, if that still is so, will hold it again before anything is sent.
func (db *DB) ResumeEnrollment(ctx context.Context, workspace, id uuid.UUID) (outreach.Enrollment, error) {
	return db.changeEnrollment(ctx, workspace, id, func(e *outreach.Enrollment) bool {
		if e.Status != outreach.EnrollmentPaused && e.Status != outreach.EnrollmentHeld {
			return false
		}
		e.Status = outreach.EnrollmentActive
		if now := db.now(); e.NextSendAt == nil {
			e.NextSendAt = &now // due at once, to be held again where its step is not settled
		}
		return true
	})
}

const updateEnrollment = `
UPDATE enrollments SET status = $3, stop_reason = $4, hold_reason = NULL, hold_until = NULL, next_step = $5, next_send_at = $6
WHERE workspace_id = $1 AND id = $2`

func (db *DB) changeEnrollment(ctx context.Context, workspace, id uuid.UUID, change func(*outreach.Enrollment) bool) (e outreach.Enrollment, err error) {
	err = db.tx(ctx, func(tx pgx.Tx) error {
		if e, err = enrollments.oneLocked(ctx, tx, workspace, id, " FOR UPDATE"); err != nil {
			return err
		}
		before := e.Status
		if !change(&e) {
			return outreach.Errorf(outreach.CodeInvalidState, "An enrollment that is %s cannot do this.", before)
		}
		e.HoldReason, e.HoldUntil = nil, nil
		if _, err := tx.Exec(ctx, updateEnrollment, workspace, id, e.Status, e.StopReason, e.NextStep, e.NextSendAt); err != nil {
			return fmt.Errorf("update enrollment: %w", err)
		}
		_, err := refreshStatus(ctx, tx, workspace, e.ProspectID)
		return err
	})
	return e, err
}
