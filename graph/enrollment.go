package graph

import (
	"context"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// EnrollmentReader reads enrollments.
type EnrollmentReader interface {
	Enrollment(ctx context.Context, workspace, id uuid.UUID) (outreach.Enrollment, error)
	ListEnrollments(ctx context.Context, workspace uuid.UUID, filter outreach.EnrollmentFilter,
		page outreach.Page) (outreach.Rows[outreach.Enrollment], error)
	CountEnrollments(ctx context.Context, workspace, campaign uuid.UUID, search []string) ([]outreach.EnrollmentCount, error)
}

// Enroller adds prospects to campaigns.
type Enroller interface {
	Enroll(ctx context.Context, request outreach.EnrollRequest) (outreach.Enrolled, error)
	BulkEnroll(ctx context.Context, request outreach.BulkEnrollRequest) ([]outreach.BulkEnrollResult, error)
}

// EnrollmentSwitch stops, pauses and resumes enrollments.
type EnrollmentSwitch interface {
	StopEnrollment(ctx context.Context, workspace, id uuid.UUID) (outreach.Enrollment, error)
	PauseEnrollment(ctx context.Context, workspace, id uuid.UUID) (outreach.Enrollment, error)
	ResumeEnrollment(ctx context.Context, workspace, id uuid.UUID, force bool) (outreach.Enrollment, error)
}

// EnrollmentRestorer takes back stops.
type EnrollmentRestorer interface {
	RestoreEnrollments(ctx context.Context, workspace uuid.UUID, stopped []uuid.UUID) (restored int, err error)
}

func (q queries) Enrollment(ctx context.Context, id uuid.UUID) (outreach.Enrollment, error) {
	return inWorkspace(ctx, id, q.Stores.EnrollmentReader.Enrollment)
}

func (q queries) Enrollments(ctx context.Context, first int, after *string, campaignID, prospectID *uuid.UUID,
	status *outreach.EnrollmentStatus, search *string) (c exec.EnrollmentConnection, err error) {
	filter := outreach.EnrollmentFilter{CampaignID: campaignID, ProspectID: prospectID, Status: status}
	if search != nil {
		if filter.Search, err = outreach.ParseSearch(*search); err != nil {
			return c, err
		}
	}
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"enrollments", first, after}, filter,
		q.Stores.EnrollmentReader.ListEnrollments)
	return c, err
}

func (q queries) EnrollmentCounts(ctx context.Context, campaignID uuid.UUID, search *string) ([]outreach.EnrollmentCount, error) {
	var words []string
	if search != nil {
		var err error
		if words, err = outreach.ParseSearch(*search); err != nil {
			return nil, err
		}
	}
	return inWorkspaceWith(ctx, campaignID, words, q.Stores.EnrollmentReader.CountEnrollments)
}

// Enroll validates the input before it calls the store.
func (m mutations) Enroll(ctx context.Context, in exec.EnrollInput) (out outreach.Enrolled, err error) {
	request := outreach.EnrollRequest{ProspectID: in.ProspectID.Value(), Force: on(in.Force), Restart: on(in.Restart)}
	if request.WorkspaceID, err = workspace(ctx); err != nil {
		return out, err
	}
	var faults outreach.Faults
	if campaign := in.CampaignID.Value(); campaign != nil {
		request.CampaignID = *campaign
	} else {
		faults.Add(outreach.At("campaign_id"), outreach.FieldRequired, "campaign_id is required.")
	}
	prospect := in.Prospect.Value()
	if (prospect == nil) == (request.ProspectID == nil) {
		faults.Add(outreach.At("prospect"), outreach.FieldRequired, "Send either prospect or prospect_id.")
		return out, faults.Err()
	}
	if prospect != nil {
		request.Change = changeProspect(*prospect)
	}
	if request.Update, err = updates(in.OnExisting.Value()); err != nil {
		return out, err
	}
	err = outreach.FindAll(ctx,
		func(context.Context) error { return faults.Err() },
		func(ctx context.Context) (err error) {
			out, err = m.Stores.Enroller.Enroll(ctx, request)
			return err
		})
	return out, err
}

func (m mutations) BulkEnroll(ctx context.Context, in exec.BulkEnrollInput) (out exec.BulkEnrolled, err error) {
	request := outreach.BulkEnrollRequest{CampaignID: in.CampaignID, ProspectIDs: in.ProspectIds, Force: in.Force, Restart: in.Restart}
	if request.WorkspaceID, err = workspace(ctx); err != nil {
		return out, err
	}
	done, err := m.beginBulk(ctx, request.WorkspaceID, "prospect_ids", len(in.ProspectIds))
	if err != nil {
		return out, err
	}
	defer done()
	out.Results, err = m.Stores.Enroller.BulkEnroll(ctx, request)
	return out, err
}

func (m mutations) StopEnrollment(ctx context.Context, id uuid.UUID) (outreach.Enrollment, error) {
	return inWorkspace(ctx, id, m.Stores.EnrollmentSwitch.StopEnrollment)
}

func (m mutations) PauseEnrollment(ctx context.Context, id uuid.UUID) (outreach.Enrollment, error) {
	return inWorkspace(ctx, id, m.Stores.EnrollmentSwitch.PauseEnrollment)
}

func (m mutations) ResumeEnrollment(ctx context.Context, id uuid.UUID, in *exec.EnrollmentResume) (outreach.Enrollment, error) {
	return inWorkspaceWith(ctx, id, in != nil && on(in.Force), m.Stores.EnrollmentSwitch.ResumeEnrollment)
}

func (m mutations) RestoreEnrollments(ctx context.Context, ids []uuid.UUID) (restored int, err error) {
	return m.changeMany(ctx, ids, m.Stores.EnrollmentRestorer.RestoreEnrollments)
}

func (q queries) EnrollmentContinuation(ctx context.Context, id uuid.UUID) (outreach.Continuation, error) {
	return inWorkspace(ctx, id, q.Stores.Continuer.EnrollmentContinuation)
}
