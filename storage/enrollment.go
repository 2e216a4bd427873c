package storage

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// Enrollments holds the columns of enrollments.
var Enrollments = List[outreach.Enrollment]{
	Reads: NewColumns(func(e *outreach.Enrollment) []Column {
		return []Column{
			{"e.id", &e.ID},
			{"e.workspace_id", &e.WorkspaceID},
			{"e.campaign_id", &e.CampaignID},
			{"e.prospect_id", &e.ProspectID},
			{"e.mailbox_id", &e.MailboxID},
			{"e.status", &e.Status},
			{"e.stop_reason", &e.StopReason},
			// One that a suppression or a reply stopped keeps its hold, so that both can be undone; it does not show it.
			{"CASE WHEN e.status NOT IN ('stopped', 'replied') THEN e.hold_reason END", &e.HoldReason},
			{"CASE WHEN e.status NOT IN ('stopped', 'replied') THEN e.hold_until END", &e.HoldUntil},
			{`CASE WHEN e.hold_kind = 'unknown' AND e.status NOT IN ('stopped', 'replied') THEN (SELECT u.id FROM messages u
			WHERE u.workspace_id = $1 AND u.enrollment_id = e.id AND u.run = e.run AND u.step = e.next_step
				AND (u.status NOT IN ('not_sent', 'bounced') OR u.reported) AND u.status = 'unknown') END`, &e.UnknownMessageID},
			{"e.next_step", &e.NextStep},
			{`coalesce(e.next_send_at, (SELECT l.lease_until FROM messages l
			WHERE l.workspace_id = $1 AND l.enrollment_id = e.id AND l.run = e.run AND l.step = e.next_step
				AND (l.status NOT IN ('not_sent', 'bounced') OR l.reported) AND l.status = 'claimed'))`, &e.DueAt},
			{"e.timezone", &e.Timezone},
			{`(SELECT b.last_commit_at + make_interval(secs => b.min_gap_seconds * b.gap_factor) FROM mailboxes b
			WHERE b.workspace_id = $1 AND b.id = e.mailbox_id)`, &e.GapEnd},
			{"e.created_at", &e.CreatedAt},
		}
	}),
	From: "enrollments e WHERE e.workspace_id = $1",
	At:   "e.created_at", ID: "e.id",
	Key: func(e *outreach.Enrollment) outreach.Key { return outreach.Key{At: e.CreatedAt, ID: e.ID} },
}

const (
	hasWords = "EXISTS (SELECT FROM prospects p WHERE p.workspace_id = $1 AND p.id = e.prospect_id AND p.words LIKE ALL(?))"

	// Prospects are found by index prospects_words, and then the enrollments of those.
	ofFound = "e.prospect_id = ANY(ARRAY(SELECT p.id FROM prospects p WHERE p.workspace_id = $1 AND " +
		"prospect_words(p.workspace_id, p.words) @@ prospect_query($1, ?)))"
)

// ListEnrollments returns one page, newest first by creation.
func (db *DB) ListEnrollments(ctx context.Context, workspace uuid.UUID, filter outreach.EnrollmentFilter,
	page outreach.Page) (outreach.Rows[outreach.Enrollment], error) {
	f := InWorkspace(workspace)
	Where(f, "e.campaign_id = ?", filter.CampaignID)
	Where(f, "e.prospect_id = ?", filter.ProspectID)
	Where(f, "e.status = ?", filter.Status)
	rows, err := db.searchEnrollments(ctx, f, page, filter.Search)
	if err != nil {
		return rows, fmt.Errorf("list enrollments: %w", err)
	}
	return rows, db.openEnrollments(ctx, db.pool, workspace, rows.Rows)
}

// searchEnrollments reads a page of the enrollments whose prospects have words with all of these
// beginnings, or of all enrollments if search is empty. It reads the newest rows first, which finds
// frequent words. Other words are looked up in the index.
func (db *DB) searchEnrollments(ctx context.Context, f *Filters, page outreach.Page,
	search []string) (outreach.Rows[outreach.Enrollment], error) {
	if len(search) == 0 {
		return Enrollments.Fetch(ctx, db.pool, f, page)
	}
	patterns := make([]string, len(search))
	for i, word := range search {
		patterns[i] = "% " + word + "%"
	}
	sql, args := Enrollments.nearStatement(f, page, hasWords, patterns)
	rows, err := Enrollments.run(ctx, db.pool, page, sql, args)
	if err != nil || rows.More {
		return rows, err
	}
	f.add(ofFound, search)
	return Enrollments.Fetch(ctx, db.pool, f, page)
}

const (
	countEnrollments = `
SELECT e.status, count(*) FROM enrollments e
WHERE e.workspace_id = $1 AND e.campaign_id = $2 GROUP BY e.status ORDER BY e.status`

	// Prospects are found by index prospects_words.
	countFoundEnrollments = `
SELECT e.status, count(*) FROM enrollments e
WHERE e.workspace_id = $1 AND e.campaign_id = $2 AND e.prospect_id = ANY(ARRAY(SELECT p.id FROM prospects p
	WHERE p.workspace_id = $1 AND prospect_words(p.workspace_id, p.words) @@ prospect_query($1, $3)))
GROUP BY e.status ORDER BY e.status`
)

// CountEnrollments counts the prospects of a campaign whose words have all of these beginnings, or
// all of them if search is empty, by the status of their enrollment. A status that none has is left
// out.
func (db *DB) CountEnrollments(ctx context.Context, workspace, campaign uuid.UUID, search []string) ([]outreach.EnrollmentCount, error) {
	sql, args := countEnrollments, []any{workspace, campaign}
	if len(search) > 0 {
		sql, args = countFoundEnrollments, append(args, search)
	}
	return Collect(ctx, db.pool, "count enrollments", pgx.RowToStructByPos[outreach.EnrollmentCount], sql, args...)
}

// maxRunning bounds the running enrollments that are read of several prospects.
const maxRunning = 1000

const ofProspects = `
	AND e.prospect_id = ANY($2) AND e.status IN ('active', 'held', 'paused')
ORDER BY e.created_at DESC, e.id DESC LIMIT $3`

// RunningEnrollments returns the running enrollments of prospects with their next_send_at, newest
// first; of more than a thousand the newest.
func (db *DB) RunningEnrollments(ctx context.Context, workspace uuid.UUID, prospects []uuid.UUID) ([]outreach.Enrollment, error) {
	running, err := Enrollments.Query(ctx, db.pool, Enrollments.Select()+ofProspects, workspace, prospects, maxRunning)
	if err != nil {
		return nil, fmt.Errorf("list running enrollments: %w", err)
	}
	return running, db.openEnrollments(ctx, db.pool, workspace, running)
}

const selectLastEnded = `
SELECT DISTINCT ON (e.prospect_id) e.prospect_id, c.name, e.stop_reason
FROM enrollments e JOIN campaigns c ON c.workspace_id = $1 AND c.id = e.campaign_id
WHERE e.workspace_id = $1 AND e.prospect_id = ANY($2) AND e.status NOT IN ('active', 'held', 'paused')
ORDER BY e.prospect_id, e.created_at DESC, e.id DESC`

// LastEnded returns how the newest ended enrollment of each of some prospects ended. Prospects without one
// are missing.
func (db *DB) LastEnded(ctx context.Context, workspace uuid.UUID, prospects []uuid.UUID) (map[uuid.UUID]*outreach.Ended, error) {
	found, err := Collect(ctx, db.pool, "list ended enrollments", pgx.RowToStructByPos[outreach.Ended], selectLastEnded, workspace, prospects)
	if err != nil {
		return nil, err
	}
	of := make(map[uuid.UUID]*outreach.Ended, len(found))
	for i := range found {
		of[found[i].ProspectID] = &found[i]
	}
	return of, nil
}

// Enrollment returns one enrollment.
func (db *DB) Enrollment(ctx context.Context, workspace, id uuid.UUID) (outreach.Enrollment, error) {
	return db.ReadEnrollment(ctx, db.pool, workspace, id)
}

// ReadEnrollment reads one enrollment with its next_send_at.
func (db *DB) ReadEnrollment(ctx context.Context, q Querier, workspace, id uuid.UUID) (outreach.Enrollment, error) {
	e, err := Enrollments.One(ctx, q, workspace, id)
	if err != nil {
		return e, err
	}
	one := []outreach.Enrollment{e}
	err = db.openEnrollments(ctx, q, workspace, one)
	return one[0], err
}

// openEnrollments sets NextSendAt of enrollments.
func (db *DB) openEnrollments(ctx context.Context, q Querier, workspace uuid.UUID, rows []outreach.Enrollment) error {
	var ids []uuid.UUID
	for i := range rows {
		if !slices.Contains(ids, rows[i].CampaignID) {
			ids = append(ids, rows[i].CampaignID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := Campaigns.Many(ctx, q, workspace, ids)
	if err != nil {
		return fmt.Errorf("read campaigns: %w", err)
	}
	of := make(map[uuid.UUID]*outreach.Campaign, len(found))
	for i := range found {
		of[found[i].ID] = &found[i]
	}
	now := db.Now()
	for i := range rows {
		if c := of[rows[i].CampaignID]; c != nil {
			rows[i].Opens(c, now)
		}
	}
	return nil
}

// UnknownReference returns the error for an id in a body that this workspace does not have.
func UnknownReference(path outreach.Path) *outreach.Error {
	var faults outreach.Faults
	faults.AddUnknown(path)
	return &outreach.Error{Code: outreach.CodeUnknownReference, Message: faults[0].Detail, Fields: faults}
}

// StopEnrollment ends a running enrollment. It can be resumed. The hold is kept, and the reason tells
// whether the enrollment was paused, so that an undo can restore both.
func (db *DB) StopEnrollment(ctx context.Context, workspace, id uuid.UUID) (outreach.Enrollment, error) {
	return db.changeEnrollment(ctx, workspace, id, func(e *outreach.Enrollment) error {
		if !e.Status.Running() {
			return cannot("stop", e)
		}
		cause := outreach.EndStopped
		if e.Status == outreach.EnrollmentPaused {
			cause = outreach.EndStoppedPaused
		}
		end := cause.Ending()
		e.Status, e.StopReason, e.NextStep, e.DueAt = end.Status, end.ReasonOrNil(), nil, nil
		return nil
	})
}

// PauseEnrollment keeps an enrollment from sending until it is resumed. A hold is kept and applies
// again after the pause.
func (db *DB) PauseEnrollment(ctx context.Context, workspace, id uuid.UUID) (outreach.Enrollment, error) {
	return db.changeEnrollment(ctx, workspace, id, func(e *outreach.Enrollment) error {
		if e.Status != outreach.EnrollmentActive && e.Status != outreach.EnrollmentHeld {
			return cannot("pause", e)
		}
		e.Status = outreach.EnrollmentPaused
		return nil
	})
}

// ResumeRunning ends a pause, and a hold that was kept applies again. If the enrollment is not
// paused, ResumeRunning ends its hold: if it still cannot be sent to, it is held again before
// anything is sent. An enrollment without a next step is finished.
func (db *DB) ResumeRunning(ctx context.Context, tx pgx.Tx, workspace, id uuid.UUID) (outreach.Enrollment, error) {
	return db.changeEnrollmentIn(ctx, tx, workspace, id, func(e *outreach.Enrollment) error {
		if e.Status != outreach.EnrollmentPaused && e.Status != outreach.EnrollmentHeld {
			return cannot("resume", e)
		}
		now := db.Now()
		if e.Status == outreach.EnrollmentPaused && e.HoldReason != nil && (e.HoldUntil == nil || e.HoldUntil.After(now)) {
			e.Status = outreach.EnrollmentHeld
			return nil
		}
		e.Status, e.HoldReason, e.HoldUntil = outreach.EnrollmentActive, nil, nil
		if e.NextStep == nil {
			e.Status = outreach.EnrollmentFinished
			return nil
		}
		if e.DueAt == nil {
			e.DueAt = &now // due now; a claim holds it again if the cause persists
		}
		return nil
	})
}

// cannot returns the error for a change that the status of an enrollment does not allow.
func cannot(verb string, e *outreach.Enrollment) error {
	return outreach.Errorf(outreach.CodeInvalidState, "Cannot %s: the enrollment is %s.", verb, e.Status)
}

const updateEnrollment = `
UPDATE enrollments SET status = $3, stop_reason = $4, hold_kind = CASE WHEN $5::text IS NOT NULL THEN hold_kind
	END, hold_reason = $5, hold_until = $6,
	next_step = $7, next_send_at = $8
WHERE workspace_id = $1 AND id = $2`

func (db *DB) changeEnrollment(ctx context.Context, workspace, id uuid.UUID,
	change func(*outreach.Enrollment) error) (e outreach.Enrollment, err error) {
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		e, err = db.changeEnrollmentIn(ctx, tx, workspace, id, change)
		return err
	})
	return e, err
}

func (db *DB) changeEnrollmentIn(ctx context.Context, tx pgx.Tx, workspace, id uuid.UUID,
	change func(*outreach.Enrollment) error) (outreach.Enrollment, error) {
	e, err := Enrollments.OneLocked(ctx, tx, workspace, id, " FOR UPDATE")
	if err != nil {
		return e, err
	}
	if err := change(&e); err != nil {
		return e, err
	}
	if err := Exec(ctx, tx, "update enrollment", updateEnrollment, workspace, id, e.Status, e.StopReason,
		e.HoldReason, e.HoldUntil,
		e.NextStep, e.DueAt); err != nil {
		return e, err
	}
	if _, err := RefreshStatus(ctx, tx, workspace, e.ProspectID); err != nil {
		return e, err
	}
	if err := Wake(ctx, tx, workspace); err != nil {
		return e, err
	}
	return db.ReadEnrollment(ctx, tx, workspace, id)
}
