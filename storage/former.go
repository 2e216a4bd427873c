package storage

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// That an address replied, its last interest, and how far it came in each campaign, are kept after its prospect is deleted.

const keepReplies = `
INSERT INTO former_replies AS f (workspace_id, email_key, site, replied_at, last_replied_at, interest)
SELECT p.workspace_id, p.email_key, (SELECT c.site FROM companies c WHERE c.workspace_id = $1 AND c.id = p.company_id),
	p.replied_at, coalesce(p.last_replied_at, p.replied_at), p.interest
FROM prospects p WHERE p.workspace_id = $1 AND p.id = $2 AND p.replied_at IS NOT NULL FOR UPDATE OF p
ON CONFLICT (workspace_id, email_key) DO UPDATE SET replied_at = least(f.replied_at, excluded.replied_at),
	last_replied_at = greatest(f.last_replied_at, excluded.last_replied_at), interest = coalesce(excluded.interest, f.interest)`

// HadStep matches an enrollment e of workspace $1 whose run has sent a step, or may have.
const HadStep = `(e.last_step_id IS NOT NULL OR EXISTS (SELECT FROM messages m WHERE m.workspace_id = $1 AND m.enrollment_id = e.id
	AND m.run = e.run AND (m.status NOT IN ('not_sent', 'bounced') OR m.reported)))`

const keepEnrollments = `
INSERT INTO former_enrollments (workspace_id, email_key, campaign_id, enrollment_id)
SELECT e.workspace_id, p.email_key, e.campaign_id, e.id
FROM prospects p JOIN enrollments e ON e.workspace_id = $1 AND e.prospect_id = p.id
WHERE p.workspace_id = $1 AND p.id = $2 AND ` + HadStep + `
ON CONFLICT DO NOTHING`

// The replies of a deleted prospect with the same address count again.
const restoreReplies = `
UPDATE prospects p SET status = 'replied', replied_at = f.replied_at, last_replied_at = f.last_replied_at, interest = f.interest
FROM former_replies f
WHERE p.workspace_id = $1 AND p.id = ANY($2) AND f.workspace_id = $1 AND f.email_key = p.email_key`

// FormerReply is a reply to a message of a prospect who was deleted since.
type FormerReply struct {
	Address  string
	Interest *outreach.Interest
}

const addFormerReplies = `
INSERT INTO former_replies AS f (workspace_id, email_key, site, replied_at, last_replied_at, interest)
SELECT DISTINCT ON (one.email_key) $1, one.email_key, nullif(one.site, ''), $5::timestamptz, $5::timestamptz, one.interest
FROM unnest($2::text[], $3::text[], $4::text[]) one(email_key, site, interest)
ON CONFLICT (workspace_id, email_key) DO UPDATE SET last_replied_at = greatest(f.last_replied_at, excluded.last_replied_at),
	interest = coalesce(excluded.interest, f.interest)`

// KeepFormerReplies records replies to prospects who were deleted.
func (db *DB) KeepFormerReplies(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, replies []FormerReply) error {
	var keys, sites []string
	var interests []*outreach.Interest
	for _, r := range replies {
		keys, interests = append(keys, outreach.CanonicalEmail(r.Address)), append(interests, r.Interest)
		sites = append(sites, outreach.Site(outreach.EmailDomain(r.Address)))
	}
	return Exec(ctx, tx, "keep replies of deleted prospects", addFormerReplies, workspace, keys, sites, interests,
		db.Now())
}
