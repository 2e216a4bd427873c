package sending

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/storage"
)

// MailStatus returns why a prospect is mailed or not.
func (l *Ledger) MailStatus(ctx context.Context, workspace, prospect uuid.UUID) (status outreach.MailStatus, err error) {
	all, err := l.MailStatuses(ctx, workspace, []uuid.UUID{prospect})
	if err != nil {
		return status, err
	}
	if len(all) == 0 {
		return status, outreach.ErrNotFound
	}
	return all[0], nil
}

// MailStatuses returns why prospects are mailed or not, for those that the workspace has, in any
// order. It goes by what the claim goes by: the standing of the prospects, the opening of their
// enrollments, and why the step of each is not sent.
func (l *Ledger) MailStatuses(ctx context.Context, workspace uuid.UUID, prospects []uuid.UUID) ([]outreach.MailStatus, error) {
	q := l.db.Pool()
	people, err := storage.Prospects.Many(ctx, q, workspace, prospects)
	if err != nil {
		return nil, fmt.Errorf("read prospects: %w", err)
	}
	standings, err := standings(ctx, q, workspace, prospects)
	if err != nil {
		return nil, err
	}
	suppressions, err := l.db.SuppressionsOf(ctx, workspace, prospects)
	if err != nil {
		return nil, err
	}
	waiting, err := l.waiting(ctx, workspace, prospects)
	if err != nil {
		return nil, err
	}
	ended, err := l.db.LastEnded(ctx, workspace, prospects)
	if err != nil {
		return nil, err
	}
	statuses := make([]outreach.MailStatus, len(people))
	for i, p := range people {
		statuses[i] = outreach.MailStatusOf(outreach.MailFacts{Standing: standings[p.ID], Suppression: suppressions[p.ID],
			Running: waiting[p.ID], Ended: ended[p.ID], Contacted: p.LastContactedAt != nil}, l.db.Now())
		statuses[i].ProspectID = p.ID
	}
	return statuses, nil
}

// waiting returns the running enrollments of prospects with their campaigns, by prospect.
func (l *Ledger) waiting(ctx context.Context, workspace uuid.UUID, prospects []uuid.UUID) (map[uuid.UUID][]outreach.Waiting, error) {
	running, err := l.db.RunningEnrollments(ctx, workspace, prospects)
	if err != nil || len(running) == 0 {
		return nil, err
	}
	ids := make([]uuid.UUID, len(running))
	for i, e := range running {
		ids[i] = e.CampaignID
	}
	found, err := storage.Campaigns.Many(ctx, l.db.Pool(), workspace, ids)
	if err != nil {
		return nil, fmt.Errorf("read campaigns: %w", err)
	}
	situations, err := l.look(ctx, workspace, ids)
	if err != nil {
		return nil, err
	}
	campaigns := map[uuid.UUID]*outreach.Campaign{}
	for i := range found {
		campaigns[found[i].ID] = &found[i]
	}
	gaps, err := l.contactGaps(ctx, workspace, running)
	if err != nil {
		return nil, err
	}
	of := map[uuid.UUID][]outreach.Waiting{}
	for _, e := range running {
		c, s := campaigns[e.CampaignID], situations[e.CampaignID]
		if c == nil {
			continue
		}
		one := outreach.Waiting{Enrollment: e, Campaign: c}
		if s != nil && e.NextStep != nil && e.DueAt != nil {
			one.NotSentReason, one.Lasting = s.reasonFor(c, &e, l.db.Now())
		}
		if until, ok := gaps[contact{e.ProspectID, e.CampaignID}]; ok {
			one.Postpone(until)
		}
		of[e.ProspectID] = append(of[e.ProspectID], one)
	}
	return of, nil
}

// contactGaps returns until when enrollments wait because another campaign wrote to their prospects. Those
// that do not wait for that are missing.
func (l *Ledger) contactGaps(ctx context.Context, workspace uuid.UUID, running []outreach.Enrollment) (map[contact]time.Time, error) {
	var hours int
	if err := l.db.Pool().QueryRow(ctx, selectGap, workspace).Scan(&hours); err != nil {
		return nil, fmt.Errorf("read gap between campaigns: %w", err)
	}
	until := map[contact]time.Time{}
	now, gap := l.db.Now(), time.Duration(hours)*time.Hour
	if gap == 0 {
		return until, nil
	}
	var prospects, campaigns []uuid.UUID
	for _, e := range running {
		prospects, campaigns = append(prospects, e.ProspectID), append(campaigns, e.CampaignID)
	}
	var c contact
	var at time.Time
	err := storage.ForEach(ctx, l.db.Pool(), "look for other campaigns", selectContacts,
		[]any{workspace, now.Add(-gap), now, prospects, campaigns}, []any{&c.prospect, &c.campaign, &at},
		func() { until[c] = at.Add(gap) })
	return until, err
}
