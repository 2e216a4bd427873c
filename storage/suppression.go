package storage

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

var suppressions = List[outreach.Suppression]{
	Reads: NewColumns(func(s *outreach.Suppression) []Column {
		return []Column{
			{"s.id", &s.ID},
			{"s.workspace_id", &s.WorkspaceID},
			{"s.email", &s.Email},
			{"s.domain", &s.Domain},
			{"s.reason", &s.Reason},
			{"s.note", &s.Note},
			{"s.created_at", &s.CreatedAt},
		}
	}),
	From: "suppressions s WHERE s.workspace_id = $1",
	At:   "s.created_at", ID: "s.id",
	Key: func(s *outreach.Suppression) outreach.Key { return outreach.Key{At: s.CreatedAt, ID: s.ID} },
}

// suppressionOf is the suppression of a prospect.
type suppressionOf struct {
	prospect    uuid.UUID
	suppression outreach.Suppression
}

var suppressionOfColumns = NewColumns(func(s *suppressionOf) []Column {
	return append([]Column{{"p.id", &s.prospect}}, suppressions.Reads.Of(&s.suppression)...)
})

// The suppression of the address comes before that of a domain above it.
var selectSuppressionsOf = `
SELECT DISTINCT ON (p.id) ` + suppressionOfColumns.SQL + `
FROM prospects p JOIN suppressions s ON s.workspace_id = $1 AND (s.email_key = p.email_key OR s.domain = ANY(domains_above(p.email_key)))
WHERE p.workspace_id = $1 AND p.id = ANY($2) ORDER BY p.id, s.email_key IS NULL, s.domain`

// SuppressionsOf returns the suppression that applies to each of some prospects. Prospects without
// one are missing.
func (db *DB) SuppressionsOf(ctx context.Context, workspace uuid.UUID,
	prospects []uuid.UUID) (map[uuid.UUID]*outreach.Suppression, error) {
	found, err := suppressionOfColumns.Query(ctx, db.pool, selectSuppressionsOf, workspace, prospects)
	if err != nil {
		return nil, fmt.Errorf("look for suppressions: %w", err)
	}
	of := make(map[uuid.UUID]*outreach.Suppression, len(found))
	for i := range found {
		of[found[i].prospect] = &found[i].suppression
	}
	return of, nil
}

// ListSuppressions returns one page, newest first by creation.
func (db *DB) ListSuppressions(ctx context.Context, workspace uuid.UUID, filter outreach.SuppressionFilter,
	page outreach.Page) (outreach.Rows[outreach.Suppression], error) {
	f := InWorkspace(workspace)
	Where(f, "s.reason = ?", filter.Reason)
	whereAddress(f, "s.email_key = ?", filter.Email)
	if filter.Domain != nil {
		f.add("s.domain = ?", outreach.CanonicalDomain(*filter.Domain))
	}
	Where(f, "s.created_at >= ?", filter.CreatedSince)
	return suppressions.Fetch(ctx, db.pool, f, page)
}

// Suppression returns one suppression.
func (db *DB) Suppression(ctx context.Context, workspace, id uuid.UUID) (outreach.Suppression, error) {
	return suppressions.One(ctx, db.pool, workspace, id)
}

// CreateSuppression stores a manual suppression and stops the enrollments that it concerns. An
// existing suppression is returned unchanged.
func (db *DB) CreateSuppression(ctx context.Context, s outreach.Suppression) (made outreach.SuppressionMade, err error) {
	s.Normalize()
	if err := s.Validate(); err != nil {
		return made, err
	}
	s.Reason = outreach.SuppressedManually
	err = db.Tx(ctx, func(tx pgx.Tx) (err error) {
		made, err = db.Suppress(ctx, tx, s)
		return err
	})
	return made, err
}

// A stronger reason replaces a weaker one on the same address, so that deleting a manual
// suppression cannot remove a person's opt-out.
const insertSuppression = `
INSERT INTO suppressions (id, workspace_id, email, email_key, domain, reason, note, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`

const strengthenSuppression = `
UPDATE suppressions SET reason = $3 WHERE workspace_id = $1 AND email_key = $2
	AND array_position(ARRAY['manual', 'bounced', 'complaint', 'unsubscribed'], $3::text)
		> array_position(ARRAY['manual', 'bounced', 'complaint', 'unsubscribed'], reason)`

const selectSuppressionOf = ` AND (s.email_key = $2 OR s.domain = $3)`

// suppressedNow is the SET list of an enrollment that a suppression stops. The hold is kept, and the
// reason tells whether the enrollment was paused, so that an undo can restore both.
const suppressedNow = `status = $3, stop_reason = CASE WHEN e.status = 'paused' THEN $5::text ELSE $4::text END,
	next_step = NULL, next_send_at = NULL`

const stopSuppressedAddresses = `
UPDATE enrollments e SET ` + suppressedNow + `
FROM prospects p` + whereRunning + ` AND p.email_key = ANY($2) RETURNING e.id, e.prospect_id`

const stopSuppressedDomains = `
UPDATE enrollments e SET ` + suppressedNow + `
FROM prospects p` + whereRunning + ofSuppressedDomains + ` RETURNING e.id, e.prospect_id`

const countSuppressedDomains = `
SELECT count(DISTINCT e.prospect_id), count(*) FROM enrollments e, prospects p` + whereRunning + ofSuppressedDomains

const whereRunning = `
WHERE e.workspace_id = $1 AND e.status IN ('active', 'held', 'paused') AND p.id = e.prospect_id AND p.workspace_id = $1`

// Suppressing a domain is rare and manual, so it scans the running enrollments. The parent domains
// are computed once for each domain, because that costs as much as reading ten prospects.
const ofSuppressedDomains = ` AND split_part(p.email_key, '@', -1) IN (
	SELECT one.domain FROM (SELECT DISTINCT split_part(q.email_key, '@', -1) AS domain FROM enrollments f
		JOIN prospects q ON q.id = f.prospect_id AND q.workspace_id = $1
		WHERE f.workspace_id = $1 AND f.status IN ('active', 'held', 'paused')) one
	WHERE EXISTS (SELECT FROM unnest(domains_above(one.domain)) above WHERE above = ANY($2)))`

// SuppressionEffect counts what suppressing a domain would stop.
func (db *DB) SuppressionEffect(ctx context.Context, workspace uuid.UUID, domain string) (effect outreach.SuppressionEffect, err error) {
	s := outreach.Suppression{Domain: &domain}
	s.Normalize()
	if err := s.Validate(); err != nil {
		return effect, err
	}
	err = db.pool.QueryRow(ctx, countSuppressedDomains, workspace, []string{*s.Domain}).Scan(&effect.People, &effect.Enrollments)
	if err != nil {
		return effect, fmt.Errorf("count what a suppression stops: %w", err)
	}
	return effect, nil
}

// Suppress stores s unless its address or domain is suppressed, and stops the enrollments that it
// concerns. The caller sets the statuses of prospects.
func (db *DB) Suppress(ctx context.Context, tx pgx.Tx, s outreach.Suppression) (made outreach.SuppressionMade, err error) {
	var key *string
	if s.Email != nil {
		folded := outreach.CanonicalEmail(*s.Email)
		key = &folded
	}
	s.ID, s.CreatedAt = NewID(), db.Now()
	tag, err := tx.Exec(ctx, insertSuppression, s.ID, s.WorkspaceID, s.Email, key, s.Domain, s.Reason, s.Note, s.CreatedAt)
	if err != nil {
		return made, fmt.Errorf("insert suppression: %w", err)
	}
	if tag.RowsAffected() == 0 {
		if err := Exec(ctx, tx, "strengthen suppression", strengthenSuppression, s.WorkspaceID, key,
			s.Reason); err != nil {
			return made, err
		}
		rows, err := tx.Query(ctx, suppressions.Select()+selectSuppressionOf, s.WorkspaceID, key, s.Domain)
		if err != nil {
			return made, fmt.Errorf("find suppression: %w", err)
		}
		made.Suppression, err = suppressions.collectOne(rows)
		return made, err
	}
	made.Suppression, made.Created = s, true
	made.Stopped, err = stopSuppressedPeople(ctx, tx, s.WorkspaceID, given([]*string{key}), given([]*string{s.Domain}))
	return made, err
}

// stopSuppressedPeople stops the enrollments of canonical addresses and of domains, and returns their ids.
func stopSuppressedPeople(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, emails, domains []string) ([]uuid.UUID, error) {
	stopped, err := stopThose(ctx, tx, stopSuppressedAddresses, workspace, emails)
	if err != nil {
		return nil, err
	}
	more, err := stopThose(ctx, tx, stopSuppressedDomains, workspace, domains)
	if err != nil {
		return nil, err
	}
	stopped = append(stopped, more...)
	ids, people := make([]uuid.UUID, len(stopped)), make([]uuid.UUID, len(stopped))
	for i, s := range stopped {
		ids[i], people[i] = s.Enrollment, s.Prospect
	}
	if err := WakeBound(ctx, tx, workspace, people); err != nil {
		return nil, err
	}
	return ids, RefreshStatuses(ctx, tx, workspace, people)
}

// stoppedEnrollment is an enrollment that a suppression stopped. A prospect may have several.
type stoppedEnrollment struct {
	Enrollment, Prospect uuid.UUID
}

func stopThose(ctx context.Context, tx pgx.Tx, sql string, workspace uuid.UUID, keys []string) ([]stoppedEnrollment, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	end, paused := outreach.EndSuppressed.Ending(), outreach.EndSuppressedPaused.Ending()
	return Collect(ctx, tx, "stop suppressed enrollments", pgx.RowToStructByPos[stoppedEnrollment], sql,
		workspace, keys, end.Status, end.Reason, paused.Reason)
}

const deleteSuppression = `DELETE FROM suppressions WHERE workspace_id = $1 AND id = $2`

// An unsubscribe may have replaced a bounce, so both are cleared.
const clearStatus = `
UPDATE prospects SET
	unsubscribed_at = CASE WHEN $3 IN ('unsubscribed', 'complaint') THEN NULL ELSE unsubscribed_at END,
	bounced_at = CASE WHEN $3 = 'manual' THEN bounced_at END
WHERE workspace_id = $1 AND email_key = $2 RETURNING id`

// DeleteSuppression deletes a suppression and clears the prospect status that came with it. A
// suppression that the person asked for, by unsubscribe or complaint, is only deleted with confirm:
// CodeConfirmationRequired.
func (db *DB) DeleteSuppression(ctx context.Context, workspace, id uuid.UUID, confirm bool) error {
	return db.Tx(ctx, func(tx pgx.Tx) error { return DropSuppression(ctx, tx, workspace, id, confirm) })
}

// DropSuppression is DeleteSuppression in a transaction.
func DropSuppression(ctx context.Context, tx pgx.Tx, workspace, id uuid.UUID, confirm bool) error {
	s, err := suppressions.OneLocked(ctx, tx, workspace, id, " FOR UPDATE")
	if err != nil {
		return err
	}
	wish := s.Reason == outreach.SuppressedUnsubscribed || s.Reason == outreach.SuppressedComplaint
	if wish && !confirm {
		return outreach.Errorf(outreach.CodeConfirmationRequired,
			"The person asked for no more mail; set confirm=true to remove the suppression anyway.")
	}
	if err := ExecOne(ctx, tx, "delete suppression", deleteSuppression, workspace, id); err != nil || s.Email == nil {
		return err
	}
	var prospect uuid.UUID
	err = tx.QueryRow(ctx, clearStatus, workspace, outreach.CanonicalEmail(*s.Email), s.Reason).Scan(&prospect)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("clear prospect status: %w", err)
	}
	_, err = RefreshStatus(ctx, tx, workspace, prospect)
	return err
}
