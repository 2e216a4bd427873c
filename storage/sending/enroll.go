package sending

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// Enroll finds or creates the prospect and its enrollment in one transaction: if it returns an
// error, nothing was created. An existing enrollment is returned unchanged, unless Restart is set
// and it has ended: then it begins a new run.
func (l *Ledger) Enroll(ctx context.Context, request outreach.EnrollRequest) (out outreach.Enrolled, err error) {
	err = l.db.Tx(ctx, func(tx pgx.Tx) error {
		var status campaignState
		err := outreach.FindAll(ctx,
			func(ctx context.Context) (err error) {
				status, err = campaignStatus(ctx, tx, request.WorkspaceID, request.CampaignID)
				return err
			},
			func(ctx context.Context) (err error) {
				out.Prospect, out.ProspectCreated, err = l.prospectToEnroll(ctx, tx, request)
				return err
			})
		if err != nil {
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
			out.Enrollment, err = l.db.ReadEnrollment(ctx, tx, e.workspace, there.ID)
			return err
		}
		return l.startEnrollment(ctx, tx, e, &out)
	})
	return out, err
}

// startEnrollment creates the enrollment of a prospect without an obstacle.
func (l *Ledger) startEnrollment(ctx context.Context, tx pgx.Tx, e enrolling, out *outreach.Enrolled) error {
	begun, err := e.start(ctx, tx, l, []uuid.UUID{out.Prospect.ID})
	if err != nil {
		return err
	}
	now, ok := begun[out.Prospect.ID]
	if !ok {
		return storage.ErrWentAway // another call created it meanwhile
	}
	out.EnrollmentCreated = now.made
	if out.Prospect.Status, err = storage.RefreshStatus(ctx, tx, e.workspace, out.Prospect.ID); err != nil {
		return err
	}
	out.Enrollment, err = l.db.ReadEnrollment(ctx, tx, e.workspace, now.id)
	return err
}

// The lock allows concurrent enrolling. It keeps the campaign from being archived before this
// enrollment is committed, because archiving stops the enrollments that it finds.
const selectCampaignState = `SELECT status, stop_company_on_reply FROM campaigns WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE`

// campaignState holds the fields of a campaign that decide about enrolling.
type campaignState struct {
	status  outreach.CampaignStatus
	company bool // a reply stops the whole company
}

func campaignStatus(ctx context.Context, tx pgx.Tx, workspace, campaign uuid.UUID) (s campaignState, err error) {
	err = tx.QueryRow(ctx, selectCampaignState, workspace, campaign).Scan(&s.status, &s.company)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, storage.UnknownReference(outreach.At("campaign_id"))
	}
	return s, err
}

func (l *Ledger) prospectToEnroll(ctx context.Context, tx pgx.Tx,
	request outreach.EnrollRequest) (p outreach.Prospect, created bool, err error) {
	if request.ProspectID != nil {
		p, err = storage.Prospects.OneLocked(ctx, tx, request.WorkspaceID, *request.ProspectID, " FOR UPDATE")
		if errors.Is(err, outreach.ErrNotFound) {
			err = storage.UnknownReference(outreach.At("prospect_id"))
		}
		return p, false, err
	}
	p.WorkspaceID = request.WorkspaceID
	request.Change(&p)
	p.Normalize()
	if err := p.Validate(); err != nil {
		return p, false, under("prospect", err)
	}
	if created, err = l.db.InsertProspect(ctx, tx, &p); err != nil || created {
		return p, created, err
	}
	if p, err = storage.Prospects.OneLocked(ctx, tx, request.WorkspaceID, p.ID, " FOR UPDATE"); err != nil || !request.Update {
		return p, false, err
	}
	return p, false, under("prospect", l.db.ChangeProspect(ctx, tx, &p, request.Change))
}

// under prefixes the paths of the faults in err with a field.
func under(field string, err error) error {
	refused, ok := errors.AsType[*outreach.Error](err)
	if !ok {
		return err
	}
	moved := *refused
	moved.Fields = outreach.Faults(refused.Fields).Under(outreach.At(field))
	return &moved
}
