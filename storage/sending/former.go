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

// A prospect who is deleted and added again continues the sequence of a campaign where the deleted one
// stopped: no person gets the same step twice. The new prospect takes over the enrollment with its messages,
// so that the ledger guards it (messages_once) and the next step stays in the thread.

// former is an enrollment of a deleted prospect whose address prospect has now.
type former struct {
	halted
	heir uuid.UUID // the prospect who has the address now
}

var formerColumns = storage.NewColumns(func(f *former) []storage.Column {
	return append(haltedColumns.Of(&f.halted), storage.Column{SQL: "p.id", To: &f.heir})
})

// Of several enrollments of one address the one that was written to last counts.
var selectFormer = `
SELECT DISTINCT ON (p.id) ` + formerColumns.SQL + `
FROM prospects p
	JOIN former_enrollments f ON f.workspace_id = $1 AND f.email_key = p.email_key AND f.campaign_id = $2
	JOIN enrollments e ON e.workspace_id = $1 AND e.id = f.enrollment_id
WHERE p.workspace_id = $1 AND p.id = ANY($3) AND ` + storage.HadStep + `
	AND NOT EXISTS (SELECT FROM enrollments o WHERE o.workspace_id = $1 AND o.campaign_id = $2 AND o.prospect_id = p.id)
ORDER BY p.id, e.last_step_at DESC NULLS LAST, e.id DESC`

// formers returns the former enrollments in a campaign of those prospects who are not enrolled in it.
func formers(ctx context.Context, q storage.Querier, workspace, campaign uuid.UUID, prospects []uuid.UUID) ([]former, error) {
	found, err := formerColumns.Query(ctx, q, selectFormer, workspace, campaign, prospects)
	if err != nil {
		return nil, fmt.Errorf("look for former enrollments: %w", err)
	}
	return found, nil
}

const (
	takeMessages = `
UPDATE messages m SET prospect_id = one.heir
FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) one(enrollment_id, prospect_id, heir)
WHERE m.workspace_id = $1 AND m.enrollment_id = one.enrollment_id AND m.id IN (
	SELECT x.id FROM messages x WHERE x.workspace_id = $1 AND x.prospect_id = one.prospect_id
		AND x.status IN ('sent', 'bounced', 'unknown') AND x.enrollment_id = one.enrollment_id
	UNION ALL
	SELECT x.id FROM messages x WHERE x.workspace_id = $1 AND x.enrollment_id = one.enrollment_id
		AND (x.status NOT IN ('not_sent', 'bounced') OR x.reported))`

	forgetFormer = `DELETE FROM former_enrollments WHERE workspace_id = $1 AND enrollment_id = ANY($2) AND campaign_id = $3
	AND email_key IN (SELECT p.email_key FROM prospects p WHERE p.workspace_id = $1 AND p.id = ANY($4))`
)

var takeEnrollments = `
UPDATE enrollments e SET prospect_id = p.id, timezone = coalesce(p.timezone, '')
FROM unnest($2::uuid[], $3::uuid[]) one(id, heir) JOIN prospects p ON p.workspace_id = $1 AND p.id = one.heir
WHERE e.workspace_id = $1 AND e.id = one.id
RETURNING ` + formerColumns.SQL

// takeOver moves the former enrollments of people in the campaign to them and returns them. It locks the
// messages first, as a transaction does that settles one.
func (e enrolling) takeOver(ctx context.Context, tx pgx.Tx, people []uuid.UUID) ([]former, error) {
	found, err := formers(ctx, tx, e.workspace, e.campaign, people)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	var ids, before, heirs []uuid.UUID
	for _, f := range found {
		ids, before, heirs = append(ids, f.id), append(before, f.prospect), append(heirs, f.heir)
	}
	if err := storage.Exec(ctx, tx, "take messages over", takeMessages, e.workspace, ids, before, heirs); err != nil {
		return nil, err
	}
	taken, err := formerColumns.Query(ctx, tx, takeEnrollments, e.workspace, ids, heirs)
	if err != nil {
		return nil, fmt.Errorf("take enrollments over: %w", err)
	}
	return taken, storage.Exec(ctx, tx, "forget former enrollments", forgetFormer, e.workspace, ids, e.campaign, heirs)
}

// goOn continues enrollments that were taken over. Those that have no step left are finished.
func (e enrolling) goOn(ctx context.Context, tx pgx.Tx, l *Ledger, taken []former) (err error) {
	g := &goingOn{ledger: l, force: e.force, now: l.db.Now()}
	if g.campaign, err = storage.Campaigns.One(ctx, tx, e.workspace, e.campaign); err != nil {
		return err
	}
	var c continued
	var done []uuid.UUID
	for _, f := range taken {
		number, due, left := g.campaign.After(f.progress)
		if !left {
			done = append(done, f.id)
			continue
		}
		c.enrollments, c.prospects = append(c.enrollments, f.id), append(c.prospects, f.heir)
		c.steps, c.due = append(c.steps, number), append(c.due, due)
	}
	if err := storage.Exec(ctx, tx, "finish enrollments", finishAgain, e.workspace, done); err != nil {
		return err
	}
	return g.write(ctx, tx, c)
}

// addFormer notes the former enrollments of people who are not enrolled in the campaign.
func (l *Ledger) addFormer(ctx context.Context, workspace, campaign uuid.UUID, people []outreach.Candidate) error {
	ids := make([]uuid.UUID, len(people))
	for i := range people {
		ids[i] = people[i].Prospect.ID
	}
	found, err := formers(ctx, l.db.Pool(), workspace, campaign, ids)
	if err != nil {
		return storage.DomainError(err)
	}
	for i := range found {
		at := slices.Index(ids, found[i].heir)
		people[at].Former = &found[i].progress
	}
	return nil
}
