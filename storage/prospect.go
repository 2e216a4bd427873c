package storage

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// Prospects holds the columns of prospects.
var Prospects = List[outreach.Prospect]{
	Reads: NewColumns(func(p *outreach.Prospect) []Column {
		return []Column{
			{"p.id", &p.ID},
			{"p.workspace_id", &p.WorkspaceID},
			{"p.email", &p.Email},
			{"p.first_name", &p.FirstName},
			{"p.last_name", &p.LastName},
			{"p.company_name", &p.CompanyName},
			{"p.company_id", &p.CompanyID},
			{"p.job_title", &p.JobTitle},
			{"p.phone", &p.Phone},
			{"p.website", &p.Website},
			{"p.linkedin_url", &p.LinkedinURL},
			{"p.timezone", &p.Timezone},
			{"p.custom_fields", &p.CustomFields},
			{"p.status", &p.Status},
			{"p.interest", &p.Interest},
			{"p.last_contacted_at", &p.LastContactedAt},
			{"p.last_replied_at", &p.LastRepliedAt},
			{"p.created_at", &p.CreatedAt},
		}
	}),
	From: "prospects p WHERE p.workspace_id = $1",
	At:   "p.created_at", ID: "p.id",
	Key: func(p *outreach.Prospect) outreach.Key { return outreach.Key{At: p.CreatedAt, ID: p.ID} },
}

var matchesSearch = plainText("p.email_key || ' ' || coalesce(p.first_name, '') || ' ' || coalesce(p.last_name, '') || ' ' || "+
	"coalesce(p.company_name, '')") + " LIKE " + plainText("?")

// ListProspects returns one page, newest first by creation.
func (db *DB) ListProspects(ctx context.Context, workspace uuid.UUID, filter outreach.ProspectFilter,
	page outreach.Page) (outreach.Rows[outreach.Prospect], error) {
	f := InWorkspace(workspace)
	Where(f, "p.status = ?", filter.Status)
	whereAddress(f, "p.email_key = ?", filter.Email)
	Where(f, "EXISTS (SELECT FROM enrollments e WHERE e.workspace_id = p.workspace_id AND e.campaign_id = ? AND "+
		"e.prospect_id = p.id)", filter.CampaignID)
	Where(f, "p.company_id = ?", filter.CompanyID)
	Where(f, "p.created_at >= ?", filter.CreatedSince)
	Where(f, matchesSearch, likePattern(filter.Search))
	return Prospects.Fetch(ctx, db.pool, f, page)
}

// Prospect returns one prospect.
func (db *DB) Prospect(ctx context.Context, workspace, id uuid.UUID) (outreach.Prospect, error) {
	return Prospects.One(ctx, db.pool, workspace, id)
}

// Prospects returns those of ids that the workspace has.
func (db *DB) Prospects(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) ([]outreach.Prospect, error) {
	return Prospects.Many(ctx, db.pool, workspace, ids)
}

// CreateProspect stores a prospect with its company. It returns CodeProspectExists, with the id
// under prospect_id, if the address exists.
func (db *DB) CreateProspect(ctx context.Context, p outreach.Prospect) (outreach.Prospect, error) {
	p.Normalize()
	if err := p.Validate(); err != nil {
		return p, err
	}
	if done, err := db.insertAlone(ctx, &p); done || err != nil {
		return p, err
	}
	err := db.Tx(ctx, func(tx pgx.Tx) error {
		created, err := db.InsertProspect(ctx, tx, &p)
		if err == nil && !created {
			return prospectExists(p.ID)
		}
		return err
	})
	return p, err
}

const insertProspectAlone = `
INSERT INTO prospects (id, workspace_id, email, email_key, first_name, last_name, company_name, company_id, job_title,
	phone, website, linkedin_url, timezone, custom_fields, created_at, words)
SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::text, c.id, $8::text, $9::text, $10::text,
	$11::text, $12::text, $13::jsonb, $14::timestamptz, $16::text
FROM companies c
WHERE c.workspace_id = $2 AND c.domain = $15 AND (c.name <> c.domain OR $7::text IS NULL)
	AND NOT EXISTS (SELECT FROM suppressions s WHERE s.workspace_id = $2 AND s.email_key = $4)
	AND NOT EXISTS (SELECT FROM former_replies f WHERE f.workspace_id = $2 AND f.email_key = $4)
ON CONFLICT (workspace_id, email_key) DO NOTHING
RETURNING company_id`

// insertAlone inserts the usual new prospect, whose company exists and whose address has no
// history, with one statement instead of four. It returns false and stores nothing for any other
// prospect, and under an idempotency key, whose commit has to wait.
func (db *DB) insertAlone(ctx context.Context, p *outreach.Prospect) (bool, error) {
	domain := outreach.EmailDomain(p.Email)
	if _, keyed := outreach.KeyedRequestFrom(ctx); keyed || !outreach.EffectAllowed(ctx) || outreach.IsFreeMail(domain) {
		return false, nil
	}
	fresh, company := *p, uuid.UUID{}
	fresh.ID, fresh.CreatedAt, fresh.Status = NewID(), db.Now(), outreach.ProspectNew
	err := db.pool.QueryRow(ctx, insertProspectAlone, fresh.ID, p.WorkspaceID, p.Email, outreach.CanonicalEmail(p.Email),
		p.FirstName, p.LastName, p.CompanyName, p.JobTitle, p.Phone, p.Website, p.LinkedinURL, p.Timezone, p.CustomFields,
		fresh.CreatedAt, domain, p.SearchWords()).Scan(&company)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("insert prospect: %w", DomainError(err))
	}
	fresh.CompanyID = &company
	*p = fresh
	return true, nil
}

func prospectExists(id uuid.UUID) error {
	return &outreach.Error{
		Code:    outreach.CodeProspectExists,
		Message: "A prospect with this address already exists.",
		Extra:   map[string]string{"prospect_id": id.String()},
	}
}

const insertProspect = `
INSERT INTO prospects (id, workspace_id, email, email_key, first_name, last_name, company_name, company_id, job_title,
	phone, website, linkedin_url, timezone, custom_fields, created_at, words, unsubscribed_at, bounced_at, replied_at)
SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::text, $8::uuid, $9::text,
	$10::text, $11::text, $12::text, $13::text, $14::jsonb, $15::timestamptz, $16::text,
	(SELECT s.created_at FROM suppressions s WHERE s.workspace_id = $2 AND s.email_key = $4 AND s.reason IN ('unsubscribed', 'complaint')),
	(SELECT s.created_at FROM suppressions s WHERE s.workspace_id = $2 AND s.email_key = $4 AND s.reason = 'bounced'),
	(SELECT f.replied_at FROM former_replies f WHERE f.workspace_id = $2 AND f.email_key = $4)
ON CONFLICT (workspace_id, email_key) DO NOTHING
RETURNING unsubscribed_at IS NOT NULL OR bounced_at IS NOT NULL OR replied_at IS NOT NULL`

// InsertProspect stores p with a new id, its company and its status. If the address exists, it returns
// false and sets p.ID to the existing prospect. An address that unsubscribed, bounced or replied before keeps that
// status.
func (db *DB) InsertProspect(ctx context.Context, tx pgx.Tx, p *outreach.Prospect) (bool, error) {
	if err := db.assignCompanies(ctx, tx, p.WorkspaceID, []*outreach.Prospect{p}); err != nil {
		return false, err
	}
	p.ID, p.CreatedAt, p.Status = NewID(), db.Now(), outreach.ProspectNew
	var marked bool
	err := tx.QueryRow(ctx, insertProspect, p.ID, p.WorkspaceID, p.Email, outreach.CanonicalEmail(p.Email), p.FirstName, p.LastName,
		p.CompanyName, p.CompanyID, p.JobTitle, p.Phone, p.Website, p.LinkedinURL, p.Timezone, p.CustomFields, p.CreatedAt,
		p.SearchWords()).Scan(&marked)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		p.ID, err = prospectIDByEmail(ctx, tx, p.WorkspaceID, p.Email)
		return false, err
	case err != nil:
		return false, fmt.Errorf("insert prospect: %w", err)
	case marked:
		return true, restoreInserted(ctx, tx, p)
	}
	return true, nil
}

// restoreInserted reads a new prospect again after the history of its address was applied.
func restoreInserted(ctx context.Context, tx pgx.Tx, p *outreach.Prospect) error {
	if err := Exec(ctx, tx, "restore replies", restoreReplies, p.WorkspaceID, []uuid.UUID{p.ID}); err != nil {
		return err
	}
	if _, err := RefreshStatus(ctx, tx, p.WorkspaceID, p.ID); err != nil {
		return err
	}
	again, err := Prospects.One(ctx, tx, p.WorkspaceID, p.ID)
	if err == nil {
		*p = again
	}
	return err
}

const selectProspectID = `SELECT id FROM prospects WHERE workspace_id = $1 AND email_key = $2`

func prospectIDByEmail(ctx context.Context, q Querier, workspace uuid.UUID, email string) (id uuid.UUID, err error) {
	err = q.QueryRow(ctx, selectProspectID, workspace, outreach.CanonicalEmail(email)).Scan(&id)
	return id, DomainError(err)
}

// UpdateProspect calls change with the locked prospect and stores the result. It stores nothing if
// change or Validate returns an error.
func (db *DB) UpdateProspect(ctx context.Context, workspace, id uuid.UUID,
	change func(*outreach.Prospect)) (p outreach.Prospect, err error) {
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		if p, err = Prospects.OneLocked(ctx, tx, workspace, id, " FOR UPDATE"); err != nil {
			return err
		}
		return db.ChangeProspect(ctx, tx, &p, change)
	})
	return p, err
}

// ChangeProspect edits a locked prospect and stores it. If the time zone changes, its enrollments
// are planned again. Enrollments that were held for a missing value continue.
func (db *DB) ChangeProspect(ctx context.Context, tx pgx.Tx, p *outreach.Prospect, change func(*outreach.Prospect)) error {
	before := *p
	before.CustomFields = maps.Clone(p.CustomFields)
	change(p)
	if err := db.storeProspect(ctx, tx, p); err != nil || len(before.Changes(p)) == 0 {
		return err
	}
	if err := moveMarks(ctx, tx, before.Email, p); err != nil {
		return err
	}
	whose := []uuid.UUID{p.ID}
	if err := wakeContent(ctx, tx, wakeProspects, p.WorkspaceID, whose, db.Now()); err != nil || SameValue(before.Timezone, p.Timezone) {
		return err
	}
	return moveEnrollments(ctx, tx, p.WorkspaceID, whose, []*string{p.Timezone})
}

// A bounce belongs to the address and stays with it. An opt-out belongs to the person and moves to
// the new address.
const moveProspectMarks = `
UPDATE prospects p SET
	unsubscribed_at = coalesce(p.unsubscribed_at,
		(SELECT s.created_at FROM suppressions s WHERE s.workspace_id = $1 AND s.email_key = p.email_key
			AND s.reason IN ('unsubscribed', 'complaint'))),
	bounced_at = (SELECT s.created_at FROM suppressions s WHERE s.workspace_id = $1 AND s.email_key = p.email_key AND s.reason = 'bounced'),
	replied_at = coalesce(p.replied_at, (SELECT f.replied_at FROM former_replies f WHERE f.workspace_id = $1 AND f.email_key = p.email_key))
WHERE p.workspace_id = $1 AND p.id = $2`

// moveMarks derives the status of a prospect again after a change of its address.
func moveMarks(ctx context.Context, tx pgx.Tx, from string, p *outreach.Prospect) (err error) {
	if outreach.SameEmail(from, p.Email) {
		return nil
	}
	if err := Exec(ctx, tx, "move marks to another address", moveProspectMarks, p.WorkspaceID, p.ID); err != nil {
		return err
	}
	p.Status, err = RefreshStatus(ctx, tx, p.WorkspaceID, p.ID)
	return err
}

const updateProspect = `
UPDATE prospects SET email = $3, email_key = $4, first_name = $5, last_name = $6, company_name = $7, company_id = $8,
	job_title = $9, phone = $10, website = $11, linkedin_url = $12, timezone = $13, custom_fields = $14, words = $15
WHERE workspace_id = $1 AND id = $2`

func (db *DB) storeProspect(ctx context.Context, tx pgx.Tx, p *outreach.Prospect) error {
	p.Normalize()
	if err := p.Validate(); err != nil {
		return err
	}
	if holder, err := prospectIDByEmail(ctx, tx, p.WorkspaceID, p.Email); err == nil && holder != p.ID {
		return prospectExists(holder)
	}
	if err := db.assignCompanies(ctx, tx, p.WorkspaceID, []*outreach.Prospect{p}); err != nil {
		return err
	}
	return Exec(ctx, tx, "update prospect", updateProspect, p.WorkspaceID, p.ID, p.Email, outreach.CanonicalEmail(p.Email), p.FirstName,
		p.LastName, p.CompanyName, p.CompanyID, p.JobTitle, p.Phone, p.Website, p.LinkedinURL, p.Timezone, p.CustomFields, p.SearchWords())
}

const deleteProspect = `DELETE FROM prospects WHERE workspace_id = $1 AND id = $2`

const stopDeletedProspect = `
UPDATE enrollments SET status = $3, stop_reason = $4, ` + Ended + `
WHERE workspace_id = $1 AND prospect_id = $2 AND status IN ('active', 'held', 'paused')`

// DeleteProspect deletes the person and leaves the id on recorded events and messages. Running
// enrollments stop; queued deliveries keep their frozen body. That the person replied, and how far
// they came in each campaign, is kept by address.
func (db *DB) DeleteProspect(ctx context.Context, workspace, id uuid.UUID) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		if err := Exec(ctx, tx, "keep replies", keepReplies, workspace, id); err != nil {
			return err
		}
		if err := Exec(ctx, tx, "keep enrollments", keepEnrollments, workspace, id); err != nil {
			return err
		}
		return dropProspect(ctx, tx, workspace, id)
	})
}

// DeleteProspects deletes those of the prospects that exist, each in a transaction of its own: when it
// fails, those before are deleted, and calling it again deletes the rest.
func (db *DB) DeleteProspects(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) (deleted int, err error) {
	for _, id := range ids {
		err := db.DeleteProspect(ctx, workspace, id)
		switch {
		case err == nil:
			deleted++
		case outreach.CodeOf(err) != outreach.CodeNotFound:
			return deleted, err
		}
	}
	return deleted, nil
}

func dropProspect(ctx context.Context, tx pgx.Tx, workspace, id uuid.UUID) error {
	if err := ExecOne(ctx, tx, "delete prospect", deleteProspect, workspace, id); err != nil {
		return err
	}
	end := outreach.EndProspectDeleted.Ending()
	if err := Exec(ctx, tx, "stop enrollments of deleted prospect", stopDeletedProspect, workspace, id, end.Status,
		end.Reason); err != nil {
		return err
	}
	return WakeBound(ctx, tx, workspace, []uuid.UUID{id})
}

// DerivedStatus is the status of prospect p of workspace $1 that the other columns imply
// (docs/reference.md#prospects).
const DerivedStatus = `CASE
	WHEN p.unsubscribed_at IS NOT NULL THEN 'unsubscribed'
	WHEN p.bounced_at IS NOT NULL THEN 'bounced'
	WHEN p.replied_at IS NOT NULL THEN 'replied'
	ELSE (SELECT CASE
		WHEN bool_or(e.status IN ('active', 'held')) THEN 'in_sequence'
		WHEN bool_or(e.status = 'paused') THEN 'paused'
		WHEN count(*) > 0 THEN 'finished'
		ELSE 'new' END
	FROM enrollments e WHERE e.workspace_id = $1 AND e.prospect_id = p.id) END`

const refreshProspectStatus = `
UPDATE prospects p SET status = ` + DerivedStatus + `
WHERE p.workspace_id = $1 AND p.id = ANY($2)
RETURNING p.status`

// RefreshStatus derives the stored status again. Call it at the end of each transaction that
// changes what the status derives from. A deleted prospect has none.
func RefreshStatus(ctx context.Context, tx pgx.Tx, workspace, id uuid.UUID) (status outreach.ProspectStatus, err error) {
	err = tx.QueryRow(ctx, refreshProspectStatus, workspace, []uuid.UUID{id}).Scan(&status)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("refresh prospect status: %w", err)
	}
	return status, nil
}

// RefreshStatuses is RefreshStatus for several prospects.
func RefreshStatuses(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	return Exec(ctx, tx, "refresh prospect statuses", refreshProspectStatus, workspace, ids)
}
