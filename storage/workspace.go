package storage

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

const trackingHostTaken = `SELECT EXISTS (SELECT FROM tracking_domains WHERE host = $2 AND status = 'verified' AND workspace_id <> $1)`

// TrackingHostTaken reports whether another workspace has verified host.
func (db *DB) TrackingHostTaken(ctx context.Context, workspace uuid.UUID, host string) (taken bool, err error) {
	if err := db.pool.QueryRow(ctx, trackingHostTaken, workspace, host).Scan(&taken); err != nil {
		return false, fmt.Errorf("look for tracking domain: %w", err)
	}
	return taken, nil
}

const insertWorkspace = `INSERT INTO workspaces (id, name, created_at) VALUES ($1, $2, $3)`

// CreateWorkspace creates an empty workspace and returns its id.
func (db *DB) CreateWorkspace(ctx context.Context, name string) (uuid.UUID, error) {
	id := NewID()
	if err := Exec(ctx, db.pool, "insert workspace", insertWorkspace, id, name, db.Now()); err != nil {
		return id, err
	}
	return id, nil
}

var meColumns = NewColumns(func(me *outreach.Me) []Column {
	return []Column{
		{"w.id", &me.WorkspaceID},
		{"w.name", &me.WorkspaceName},
		{"t.prefix", &me.TokenPrefix},
		{"t.last_used_at", &me.TokenLastUsedAt},
		{"w.contact_gap_hours", &me.ContactGapHours},
		{"greatest(w.messages_kept_from, w.replies_kept_from)", &me.MailKeptFrom},
	}
})

var selectMe = "SELECT " + meColumns.SQL + `
FROM workspaces w LEFT JOIN tokens t ON t.workspace_id = w.id WHERE w.id = $1`

// Me returns what a token may read of its workspace and of itself.
func (db *DB) Me(ctx context.Context, workspace uuid.UUID) (me outreach.Me, err error) {
	return readMe(ctx, db.pool, workspace)
}

func readMe(ctx context.Context, q Querier, workspace uuid.UUID) (me outreach.Me, err error) {
	me, err = meColumns.QueryOne(ctx, q, selectMe, workspace)
	return me, DomainError(err)
}

const updateRules = `UPDATE workspaces SET contact_gap_hours = $2 WHERE id = $1`

// UpdateMe changes the rules of a workspace and wakes it, since enrollments may be due earlier. It
// changes no enrollment: the next tick shortens waits that are too long now.
func (db *DB) UpdateMe(ctx context.Context, workspace uuid.UUID, change func(*outreach.Me)) (me outreach.Me, err error) {
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		if err := Exec(ctx, tx, "lock workspace", lockWorkspace, workspace); err != nil {
			return err
		}
		if me, err = readMe(ctx, tx, workspace); err != nil {
			return err
		}
		change(&me)
		if err := me.Validate(); err != nil {
			return err
		}
		if err := Exec(ctx, tx, "update workspace", updateRules, workspace, me.ContactGapHours); err != nil {
			return err
		}
		return Wake(ctx, tx, workspace)
	})
	return me, err
}

const selectTrackingDomain = `SELECT host, status, verified_at FROM tracking_domains WHERE workspace_id = $1`

// TrackingDomain returns the workspace's tracking domain, or nil.
func (db *DB) TrackingDomain(ctx context.Context, workspace uuid.UUID) (*outreach.TrackingDomain, error) {
	var d outreach.TrackingDomain
	err := db.pool.QueryRow(ctx, selectTrackingDomain, workspace).Scan(&d.Host, &d.Status, &d.VerifiedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read tracking domain: %w", err)
	}
	return &d, nil
}

const upsertTrackingDomain = `
INSERT INTO tracking_domains (workspace_id, host, status, verified_at, served_hosts, created_at)
VALUES ($1, $2, $3, CASE WHEN $3 = 'verified' THEN $4::timestamptz END, CASE WHEN $3 = 'verified' THEN ARRAY[$2] ELSE '{}' END, $4)
ON CONFLICT (workspace_id) DO UPDATE SET host = excluded.host, status = excluded.status,
	served_hosts = array_remove(tracking_domains.served_hosts, excluded.served_hosts[1]) || excluded.served_hosts,
	verified_at = CASE WHEN excluded.status = 'pending' THEN NULL
		WHEN tracking_domains.host = excluded.host THEN coalesce(tracking_domains.verified_at, excluded.verified_at)
		ELSE excluded.verified_at END`

// SetTrackingDomain stores a host with the result of its lookup. Links on hosts that were verified
// before still work.
func (db *DB) SetTrackingDomain(ctx context.Context, workspace uuid.UUID, host string, status outreach.TrackingDomainStatus) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		return Exec(ctx, tx, "store tracking domain", upsertTrackingDomain, workspace, host, status, db.Now())
	})
}
