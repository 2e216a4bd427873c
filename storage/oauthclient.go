package storage

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

const selectOAuthClients = `
SELECT c.provider, c.client_id, c.tenant, true, f.detail
FROM oauth_clients c
LEFT JOIN oauth_faults f ON f.workspace_id = c.workspace_id AND f.provider = c.provider AND f.own_client
WHERE c.workspace_id = $1 ORDER BY c.provider`

// OAuthClients returns the workspace's own clients, without their secrets.
func (db *DB) OAuthClients(ctx context.Context, workspace uuid.UUID) ([]outreach.OAuthClient, error) {
	return Collect(ctx, db.pool, "list OAuth clients", func(row pgx.CollectableRow) (c outreach.OAuthClient, err error) {
		err = row.Scan(&c.Provider, &c.ClientID, &c.Tenant, &c.Own, &c.Fault)
		return c, err
	}, selectOAuthClients, workspace)
}

const selectOAuthClient = `SELECT client_id, tenant, secret FROM oauth_clients WHERE workspace_id = $1 AND provider = $2`

// OAuthClient returns the workspace's own client at a provider with its secret, or ErrNotFound.
func (db *DB) OAuthClient(ctx context.Context, workspace uuid.UUID, provider outreach.MailProvider) (outreach.OAuthClient, error) {
	c := outreach.OAuthClient{Provider: provider, Own: true}
	var sealed []byte
	if err := db.pool.QueryRow(ctx, selectOAuthClient, workspace, provider).Scan(&c.ClientID, &c.Tenant, &sealed); err != nil {
		return c, DomainError(err)
	}
	plain, err := db.keys.Open(outreach.PurposeOAuth, workspace[:], sealed)
	if err != nil {
		return c, fmt.Errorf("open secret of client: %w", err)
	}
	c.Secret = string(plain)
	return c, nil
}

const setOAuthClient = `
INSERT INTO oauth_clients (workspace_id, provider, client_id, secret, tenant) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (workspace_id, provider) DO UPDATE SET client_id = excluded.client_id, secret = excluded.secret, tenant = excluded.tenant`

// SetOAuthClient stores the workspace's own client at a provider, and its fault if it has one. The secret is sealed.
func (db *DB) SetOAuthClient(ctx context.Context, workspace uuid.UUID, c outreach.OAuthClient) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		sealed := db.keys.Seal(outreach.PurposeOAuth, workspace[:], []byte(c.Secret))
		if err := Exec(ctx, tx, "set OAuth client", setOAuthClient, workspace, c.Provider, c.ClientID, sealed,
			c.Tenant); err != nil {
			return err
		}
		if err := forgetFault(ctx, tx, workspace, c.Provider, true); err != nil || c.Fault == nil {
			return err
		}
		c.Own = true
		return db.noteFault(ctx, tx, workspace, c, *c.Fault)
	})
}

const deleteOAuthClient = `DELETE FROM oauth_clients WHERE workspace_id = $1 AND provider = $2`

// DeleteOAuthClient deletes the workspace's own client. Mailboxes that were connected with it work
// until their access tokens expire.
func (db *DB) DeleteOAuthClient(ctx context.Context, workspace uuid.UUID, provider outreach.MailProvider) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		if err := ExecOne(ctx, tx, "delete OAuth client", deleteOAuthClient, workspace, provider); err != nil {
			return err
		}
		return forgetFault(ctx, tx, workspace, provider, true)
	})
}

const forgetOAuthFault = `DELETE FROM oauth_faults WHERE workspace_id = $1 AND provider = $2 AND own_client = $3`

// forgetFault ends the problem of a client. own reports that it is the workspace's own.
func forgetFault(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, provider outreach.MailProvider, own bool) error {
	return Exec(ctx, tx, "forget fault of client", forgetOAuthFault, workspace, provider, own)
}

const noteOAuthFault = `
INSERT INTO oauth_faults (workspace_id, provider, own_client, id, detail, since) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (workspace_id, provider, own_client) DO UPDATE SET detail = excluded.detail`

// NoteClientFault records that a provider refuses a client. It is one problem of the workspace for
// all its mailboxes and lasts until a renewal or a new grant succeeds.
func (db *DB) NoteClientFault(ctx context.Context, workspace uuid.UUID, c outreach.OAuthClient, detail string) error {
	return db.noteFault(ctx, db.pool, workspace, c, detail)
}

func (db *DB) noteFault(ctx context.Context, q Querier, workspace uuid.UUID, c outreach.OAuthClient, detail string) error {
	return Exec(ctx, q, "note fault of client", noteOAuthFault, workspace, c.Provider, c.Own, NewID(), detail, db.Now())
}
