package storage

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// Subscriptions holds the columns of subscriptions that are not deleted.
var Subscriptions = List[outreach.Subscription]{
	Reads: NewColumns(func(s *outreach.Subscription) []Column {
		return []Column{
			{"s.id", &s.ID},
			{"s.workspace_id", &s.WorkspaceID},
			{"s.url", &s.URL},
			{"s.events", &s.Events},
			{"s.enabled", &s.Enabled},
			{"s.created_at", &s.CreatedAt},
		}
	}),
	From: "subscriptions s WHERE s.workspace_id = $1 AND s.deleted_at IS NULL",
	At:   "s.created_at", ID: "s.id",
	Key: func(s *outreach.Subscription) outreach.Key { return outreach.Key{At: s.CreatedAt, ID: s.ID} },
}

// ListSubscriptions returns one page, newest first by creation.
func (db *DB) ListSubscriptions(ctx context.Context, workspace uuid.UUID,
	page outreach.Page) (outreach.Rows[outreach.Subscription], error) {
	return Subscriptions.Fetch(ctx, db.pool, InWorkspace(workspace), page)
}

// Subscription returns one subscription.
func (db *DB) Subscription(ctx context.Context, workspace, id uuid.UUID) (outreach.Subscription, error) {
	return Subscriptions.One(ctx, db.pool, workspace, id)
}

const insertSubscription = `
INSERT INTO subscriptions (id, workspace_id, url, events, enabled, secret, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)`

// CreateSubscription stores a subscription, with its signing secret sealed. The webhook policy must
// have accepted its URL.
func (db *DB) CreateSubscription(ctx context.Context, s outreach.Subscription, secret string) (outreach.SubscriptionSecret, error) {
	if err := s.Validate(); err != nil {
		return outreach.SubscriptionSecret{}, err
	}
	s.ID, s.CreatedAt = NewID(), db.Now()
	err := db.Tx(ctx, func(tx pgx.Tx) error {
		if err := quota(ctx, tx, "event subscriptions", db.quotas.Subscriptions, countSubscriptions, s.WorkspaceID); err != nil {
			return err
		}
		return Exec(ctx, tx, "insert subscription", insertSubscription, s.ID, s.WorkspaceID, s.URL, s.Events, s.Enabled,
			db.sealSecret(s.ID, secret), s.CreatedAt)
	})
	return outreach.SubscriptionSecret{Subscription: s, Secret: secret}, err
}

func (db *DB) sealSecret(id uuid.UUID, secret string) []byte {
	return db.keys.Seal(outreach.PurposeSigningSecret, id[:], []byte(secret))
}

const updateSubscription = `UPDATE subscriptions SET url = $3, events = $4, enabled = $5 WHERE workspace_id = $1 AND id = $2`

// UpdateSubscription calls change with the locked subscription and stores the result. accept checks
// a changed URL.
func (db *DB) UpdateSubscription(ctx context.Context, workspace, id uuid.UUID,
	change func(*outreach.Subscription)) (s outreach.Subscription, err error) {
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		if s, err = Subscriptions.OneLocked(ctx, tx, workspace, id, " FOR UPDATE"); err != nil {
			return err
		}
		change(&s)
		if err := s.Validate(); err != nil {
			return err
		}
		return Exec(ctx, tx, "update subscription", updateSubscription, workspace, id, s.URL, s.Events, s.Enabled)
	})
	return s, err
}

const hideSubscription = `
UPDATE subscriptions SET deleted_at = now(), enabled = false WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`

// DeleteSubscription marks a subscription as deleted: no new delivery is created, and queued ones
// are still sent, signed with the secret that is kept.
func (db *DB) DeleteSubscription(ctx context.Context, workspace, id uuid.UUID) error {
	return db.execOneTx(ctx, "delete subscription", hideSubscription, workspace, id)
}

const rotateSecret = `UPDATE subscriptions SET secret = $3 WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`

// RotateSecret replaces the signing secret. All later attempts use the new one, retries of older
// deliveries included.
func (db *DB) RotateSecret(ctx context.Context, workspace, id uuid.UUID, secret string) (out outreach.SubscriptionSecret, err error) {
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		if err := ExecOne(ctx, tx, "rotate secret", rotateSecret, workspace, id, db.sealSecret(id, secret)); err != nil {
			return err
		}
		out.Secret = secret
		out.Subscription, err = Subscriptions.One(ctx, tx, workspace, id)
		return err
	})
	return out, err
}

// SelectSecret reads the sealed signing secret of a subscription.
const SelectSecret = `SELECT secret FROM subscriptions WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`

// RevealSecret returns the signing secret. The caller's context carries the audit entry.
func (db *DB) RevealSecret(ctx context.Context, workspace, id uuid.UUID) (out outreach.SubscriptionSecret, err error) {
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		if out.Subscription, err = Subscriptions.One(ctx, tx, workspace, id); err != nil {
			return err
		}
		var sealed []byte
		if err := tx.QueryRow(ctx, SelectSecret, workspace, id).Scan(&sealed); err != nil {
			return fmt.Errorf("read sealed secret: %w", err)
		}
		plain, err := db.keys.Open(outreach.PurposeSigningSecret, id[:], sealed)
		if err != nil {
			return err
		}
		out.Secret = string(plain)
		return nil
	})
	return out, err
}

const selectSecretsByURL = `SELECT id, secret FROM subscriptions WHERE url = $1 AND deleted_at IS NULL`

// SecretsByURL returns the signing secrets of all subscriptions to one URL, in all workspaces. The
// receiver of `outreach dev` verifies with them.
func (db *DB) SecretsByURL(ctx context.Context, url string) ([]string, error) {
	return Collect(ctx, db.pool, "list secrets", func(row pgx.CollectableRow) (string, error) {
		var id uuid.UUID
		var sealed []byte
		if err := row.Scan(&id, &sealed); err != nil {
			return "", err
		}
		plain, err := db.keys.Open(outreach.PurposeSigningSecret, id[:], sealed)
		return string(plain), err
	}, selectSecretsByURL, url)
}
