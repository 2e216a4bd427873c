package storage

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

const insertWake = `INSERT INTO sender_wakes (workspace_id, id) VALUES ($1, $2)`

// Wake makes the mailboxes and the campaigns of a workspace due for a check at the next tick. Call it
// in each transaction that may make an enrollment due earlier. It waits for no lock.
func Wake(ctx context.Context, tx pgx.Tx, workspace uuid.UUID) error {
	return Exec(ctx, tx, "wake mailboxes", insertWake, workspace, NewID())
}

// NoMailbox is the mailbox of a wake that makes no mailbox due. Only the campaigns of its workspace are
// checked.
const NoMailbox = `'00000000-0000-0000-0000-000000000000'`

const insertCampaignWake = `INSERT INTO sender_wakes (workspace_id, id, mailbox_id) VALUES ($1, $2, ` + NoMailbox + `)`

// WakeCampaigns makes the campaigns of a workspace due for a check at the next tick, but no mailbox.
func WakeCampaigns(ctx context.Context, tx pgx.Tx, workspace uuid.UUID) error {
	return Exec(ctx, tx, "wake campaigns", insertCampaignWake, workspace, NewID())
}

// WakeSenders makes the mailboxes that are bound to prospects $2 due for a check: a place that they kept
// for a follow-up may be free for a first step now. Campaigns are checked even if no mailbox is bound,
// because the prospects may have been the last ones in them.
const WakeSenders = `
INSERT INTO sender_wakes (workspace_id, id, mailbox_id)
SELECT $1::uuid, uuid_v7(), bound.mailbox_id
FROM (SELECT DISTINCT coalesce(e.mailbox_id, ` + NoMailbox + `) AS mailbox_id FROM enrollments e
	WHERE e.workspace_id = $1::uuid AND e.prospect_id = ANY($2::uuid[])) bound`

// WakeEnded makes the campaigns of a workspace due for a check if any of enrollments $2 has ended. Its
// mailbox is checked anyway, because it has just sent or claimed.
const WakeEnded = `
INSERT INTO sender_wakes (workspace_id, id, mailbox_id)
SELECT $1::uuid, uuid_v7(), ended.no_mailbox
FROM (SELECT DISTINCT ` + NoMailbox + `::uuid AS no_mailbox FROM enrollments e
	WHERE e.workspace_id = $1::uuid AND e.id = ANY($2::uuid[]) AND e.status NOT IN ('active', 'held', 'paused')) ended`

// WakeIfEnded runs WakeEnded for one enrollment.
func WakeIfEnded(ctx context.Context, tx pgx.Tx, workspace, enrollment uuid.UUID) error {
	return Exec(ctx, tx, "wake campaigns", WakeEnded, workspace, []uuid.UUID{enrollment})
}

// WakeBound runs WakeSenders. Call it in each transaction that ends or holds enrollments, except in a
// claim.
func WakeBound(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, prospects []uuid.UUID) error {
	return Exec(ctx, tx, "wake bound mailboxes", WakeSenders, workspace, prospects)
}
