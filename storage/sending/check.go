package sending

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/storage"
)

// candidate is a Candidate with its place in the list of enrollments.
type candidate struct {
	outreach.Candidate
	key       outreach.Key
	contacted *time.Time // the last step of another campaign inside the gap
}

// candidateColumns read a prospect p of workspace $1 and its enrollment e in campaign $4; $2 and $3
// are those of otherContacts. The statement joins lastContact.
var candidateColumns = storage.NewColumns(func(c *candidate) []storage.Column {
	columns := append(storage.Prospects.Reads.Of(&c.Prospect), standingColumns(&c.Standing)...)
	return append(columns,
		storage.Column{SQL: colleagueReplied, To: &c.Standing.Company},
		storage.Column{SQL: "coalesce(e.status, '')", To: &c.Status},
		storage.Column{SQL: "coalesce(e.next_step, 1)", To: &c.Step},
		storage.Column{SQL: "coalesce(e.forced, false)", To: &c.Forced},
		storage.Column{SQL: "coalesce(e.created_at, p.created_at)", To: &c.key.At},
		storage.Column{SQL: "coalesce(e.id, p.id)", To: &c.key.ID},
		storage.Column{SQL: "contact.at", To: &c.contacted})
})

// lastContact joins contact, the last step of another campaign to prospect p.
const lastContact = ` CROSS JOIN LATERAL (SELECT max(m.at) AS at FROM (SELECT p.id AS prospect_id, $4::uuid AS campaign_id) one` +
	otherContacts + `) contact`

// The people to enroll, without those that the workspace does not have.
var selectChosen = `
SELECT ` + candidateColumns.SQL + `
FROM prospects p LEFT JOIN enrollments e ON e.workspace_id = $1 AND e.campaign_id = $4 AND e.prospect_id = p.id` + lastContact + `
WHERE p.workspace_id = $1 AND p.id = ANY($5)
ORDER BY p.created_at, p.id`

// The next $7 enrollments of the campaign after ($5, $6), oldest first, ended ones too: what one
// page reads does not depend on how many have ended.
var selectEnrolled = `
SELECT ` + candidateColumns.SQL + `
FROM (SELECT e.id, e.prospect_id, e.status, e.next_step, e.forced, e.created_at FROM enrollments e
	WHERE e.workspace_id = $1 AND e.campaign_id = $4 AND (e.created_at, e.id) > ($5, $6)
		AND EXISTS (SELECT FROM prospects p WHERE p.workspace_id = $1 AND p.id = e.prospect_id)
	ORDER BY e.created_at, e.id LIMIT $7) e
JOIN prospects p ON p.workspace_id = $1 AND p.id = e.prospect_id` + lastContact + `
ORDER BY e.created_at, e.id`

const selectGap = `SELECT w.contact_gap_hours FROM workspaces w WHERE w.id = $1`

// ChosenPeople returns what decides whether a campaign may enroll and write to prospects.
func (l *Ledger) ChosenPeople(ctx context.Context, workspace, campaign uuid.UUID,
	prospects []uuid.UUID) ([]outreach.Candidate, error) {
	found, err := l.candidates(ctx, selectChosen, workspace, campaign, prospects)
	people := make([]outreach.Candidate, len(found))
	for i := range found {
		people[i] = found[i].Candidate
	}
	if err != nil {
		return nil, err
	}
	return people, l.addFormer(ctx, workspace, campaign, people)
}

// EnrolledPeople returns what decides whether a campaign may go on writing to its people, oldest
// enrollment first. A page has fewer rows than its limit because of enrollments that have ended.
func (l *Ledger) EnrolledPeople(ctx context.Context, workspace, campaign uuid.UUID,
	page outreach.Page) (out outreach.Rows[outreach.Candidate], err error) {
	var after outreach.Key
	if page.After != nil {
		after = *page.After
	}
	found, err := l.candidates(ctx, selectEnrolled, workspace, campaign, after.At, after.ID, page.Limit)
	for _, c := range found {
		out.Last = c.key
		if c.Status.Running() {
			out.Rows = append(out.Rows, c.Candidate)
		}
	}
	out.More = err == nil && len(found) == page.Limit
	return out, err
}

// candidates runs a statement of candidateColumns whose first four values are the workspace, the
// start of the gap, now and the campaign.
func (l *Ledger) candidates(ctx context.Context, sql string, workspace, campaign uuid.UUID, more ...any) ([]candidate, error) {
	var hours int
	if err := l.db.Pool().QueryRow(ctx, selectGap, workspace).Scan(&hours); err != nil {
		return nil, fmt.Errorf("read gap between campaigns: %w", storage.DomainError(err))
	}
	now, gap := l.db.Now(), time.Duration(hours)*time.Hour
	found, err := candidateColumns.Query(ctx, l.db.Pool(), sql, append([]any{workspace, now.Add(-gap), now, campaign}, more...)...)
	if err != nil {
		return nil, fmt.Errorf("read people of a check: %w", storage.DomainError(err))
	}
	for i := range found {
		if at := found[i].contacted; at != nil && gap > 0 {
			until := at.Add(gap)
			found[i].GapUntil = &until
		}
	}
	return found, nil
}
