package sending

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"outreach"
	"outreach/storage"
)

// MailStatus returns why a prospect is mailed or not, by what the claim goes by: the standing of
// the prospect, the opening of its enrollments, and the reasons of their campaigns.
func (l *Ledger) MailStatus(ctx context.Context, workspace, prospect uuid.UUID) (status outreach.MailStatus, err error) {
	q := l.db.Pool()
	p, err := l.db.Prospect(ctx, workspace, prospect)
	if err != nil {
		return status, err
	}
	standings, err := standings(ctx, q, workspace, []uuid.UUID{prospect})
	if err != nil {
		return status, err
	}
	enrollments, err := l.db.ListEnrollments(ctx, workspace, outreach.EnrollmentFilter{ProspectID: &prospect},
		outreach.Page{Limit: outreach.MaxLimit})
	if err != nil {
		return status, err
	}
	suppression, err := l.db.SuppressionOf(ctx, workspace, prospect)
	if err != nil {
		return status, err
	}
	waiting, err := l.waiting(ctx, workspace, enrollments.Rows)
	if err != nil {
		return status, err
	}
	return outreach.MailStatusOf(standings[prospect], suppression, waiting, p.LastContactedAt != nil, l.db.Now()), nil
}

// waiting returns the running ones of enrollments with their campaigns.
func (l *Ledger) waiting(ctx context.Context, workspace uuid.UUID, enrollments []outreach.Enrollment) ([]outreach.Waiting, error) {
	var running []outreach.Waiting
	var ids []uuid.UUID
	for _, e := range enrollments {
		if e.Status.Running() {
			running, ids = append(running, outreach.Waiting{Enrollment: e}), append(ids, e.CampaignID)
		}
	}
	if len(running) == 0 {
		return nil, nil
	}
	found, err := storage.Campaigns.Many(ctx, l.db.Pool(), workspace, ids)
	if err != nil {
		return nil, fmt.Errorf("read campaigns: %w", err)
	}
	reasons, err := l.Reasons(ctx, workspace, ids)
	if err != nil {
		return nil, err
	}
	of := map[uuid.UUID]*outreach.Campaign{}
	for i := range found {
		if reason, ok := reasons[found[i].ID]; ok {
			found[i].NotSendingReason = &reason
		}
		of[found[i].ID] = &found[i]
	}
	var all []outreach.Waiting
	for _, w := range running {
		if w.Campaign = of[w.Enrollment.CampaignID]; w.Campaign != nil {
			all = append(all, w)
		}
	}
	return all, nil
}
