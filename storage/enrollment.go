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
		e := enrolling{request.WorkspaceID, request.CampaignID, request.Force, request.Restart}
		j, err := e.judge(ctx, tx, status, []uuid.UUID{out.Prospect.ID})
		if err != nil {
			return err
		}
		if refusal := j.refused[out.Prospect.ID]; refusal != nil {
			return refusal
		}
		if there, ok := j.there[out.Prospect.ID]; ok {
			out.Enrollment = there
			return nil
		}
		return db.startEnrollment(ctx, tx, e, &out)
	})
	return out, err
}

// startEnrollment begins the enrollment of a prospect whom nothing stands against.
func (db *DB) startEnrollment(ctx context.Context, tx pgx.Tx, e enrolling, out *outreach.Enrolled) error {
	begun, err := e.start(ctx, tx, db, []uuid.UUID{out.Prospect.ID})
	if err != nil {
		return err
	}
	now, ok := begun[out.Prospect.ID]
	if !ok {
		return errWentAway // another call was faster
	}
	out.EnrollmentCreated = now.made
	if out.Prospect.Status, err = refreshStatus(ctx, tx, e.workspace, out.Prospect.ID); err != nil {
		return err
	}
	out.Enrollment, err = enrollments.one(ctx, tx, e.workspace, now.id)
	return err
}

// The lock lets others enrol and keeps the campaign from being archived, which
// stops whom it finds, before this enrollment is there to be found.
const selectCampaignStatus = `SELECT status FROM campaigns WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE`

func campaignStatus(ctx context.Context, tx pgx.Tx, workspace, campaign uuid.UUID) (status outreach.CampaignStatus, err error) {
	err = tx.QueryRow(ctx, selectCampaignStatus, workspace, campaign).Scan(&status)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", unknownReference("/campaign_id")
	}
	return status, err
}

func unknownReference(pointer string) *outreach.Error {
	const detail = "There is no such resource in this workspace."
	return &outreach.Error{Code: outreach.CodeUnknownReference, Message: detail,
		Fields: []outreach.FieldError{{Pointer: pointer, Code: outreach.CodeUnknownReference, Detail: detail}}}
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
	return p, false, under("/prospect", db.changeProspect(ctx, tx, &p, request.Change))
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

// StopEnrollment ends a running enrollment for good.
func (db *DB) StopEnrollment(ctx context.Context, workspace, id uuid.UUID) (outreach.Enrollment, error) {
	return db.changeEnrollment(ctx, workspace, id, func(e *outreach.Enrollment) bool {
		if !e.Status.Running() {
			return false
		}
		reason := "stopped by hand"
		e.Status, e.StopReason, e.NextStep, e.NextSendAt = outreach.EnrollmentStopped, &reason, nil, nil
		e.HoldReason, e.HoldUntil = nil, nil
		return true
	})
}

// PauseEnrollment keeps an enrollment from sending until it is resumed. What holds
// it shall hold it then.
func (db *DB) PauseEnrollment(ctx context.Context, workspace, id uuid.UUID) (outreach.Enrollment, error) {
	return db.changeEnrollment(ctx, workspace, id, func(e *outreach.Enrollment) bool {
		if e.Status != outreach.EnrollmentActive && e.Status != outreach.EnrollmentHeld {
			return false
		}
		e.Status = outreach.EnrollmentPaused
		return true
	})
}

// ResumeEnrollment ends a pause: whatever held the enrollment, or would have,
// holds it now. Of an enrollment that is not paused it ends the hold: what cannot
// be sent will hold it again before anything is sent.
func (db *DB) ResumeEnrollment(ctx context.Context, workspace, id uuid.UUID) (outreach.Enrollment, error) {
	return db.changeEnrollment(ctx, workspace, id, func(e *outreach.Enrollment) bool {
		if e.Status != outreach.EnrollmentPaused && e.Status != outreach.EnrollmentHeld {
			return false
		}
		now := db.now()
		if e.Status == outreach.EnrollmentPaused && e.HoldReason != nil && (e.HoldUntil == nil || e.HoldUntil.After(now)) {
			e.Status = outreach.EnrollmentHeld
			return true
		}
		e.Status, e.HoldReason, e.HoldUntil = outreach.EnrollmentActive, nil, nil
		if e.NextSendAt == nil {
			e.NextSendAt = &now // due at once, to be held again where its step is not settled
		}
		return true
	})
}

const updateEnrollment = `
UPDATE enrollments SET status = $3, stop_reason = $4, hold_kind = CASE WHEN $5::text IS NOT NULL THEN hold_kind END, hold_reason = $5, hold_until = $6,
	next_step = $7, next_send_at = $8
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
		if _, err := tx.Exec(ctx, updateEnrollment, workspace, id, e.Status, e.StopReason, e.HoldReason, e.HoldUntil, e.NextStep, e.NextSendAt); err != nil {
			return fmt.Errorf("update enrollment: %w", err)
		}
		_, err := refreshStatus(ctx, tx, workspace, e.ProspectID)
		return err
	})
	return e, err
}
