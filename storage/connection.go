package storage

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// maxConnections bounds the open attempts of a workspace.
const maxConnections = 100

const countConnections = `SELECT count(*) FROM mailbox_connections WHERE workspace_id = $1 AND status = 'pending' AND expires_at > $2`

const dropOldConnections = `DELETE FROM mailbox_connections WHERE workspace_id = $1 AND expires_at < $2`

const insertConnection = `
INSERT INTO mailbox_connections (id, workspace_id, provider, email, mailbox_id, session_id, secret_hash, expires_at, created_at)
VALUES (@id, @workspace, @provider, @email, @mailbox, @session, @secret, @expires, @now)`

// CreateConnection stores an attempt to connect a mailbox by the hash of the secret in its link.
// session is the session that began it, nil for an API token.
func (db *DB) CreateConnection(ctx context.Context, c outreach.ConnectionAttempt, secret [32]byte,
	session *uuid.UUID) (outreach.ConnectionAttempt, error) {
	c.ID, c.CreatedAt, c.Status = NewID(), db.Now(), outreach.ConnectionPending
	c.ExpiresAt = c.CreatedAt.Add(outreach.ConnectionLength)
	err := db.Tx(ctx, func(tx pgx.Tx) error {
		if err := Exec(ctx, tx, "drop old connections", dropOldConnections, c.WorkspaceID,
			c.CreatedAt.Add(-outreach.ConnectionKept)); err != nil {
			return err
		}
		if err := quota(ctx, tx, "open connections", maxConnections, countConnections, c.WorkspaceID, c.CreatedAt); err != nil {
			return err
		}
		if c.MailboxID != nil {
			_, err := Mailboxes.One(ctx, tx, c.WorkspaceID, *c.MailboxID)
			if outreach.CodeOf(err) == outreach.CodeNotFound {
				return UnknownReference(outreach.At("mailbox_id"))
			}
			if err != nil {
				return err
			}
		}
		return Exec(ctx, tx, "insert connection", insertConnection, pgx.NamedArgs{
			"id": c.ID, "workspace": c.WorkspaceID, "provider": c.Provider, "email": c.Email, "mailbox": c.MailboxID,
			"session": session, "secret": secret[:], "expires": c.ExpiresAt, "now": c.CreatedAt,
		})
	})
	return c, err
}

var connectionColumns = NewColumns(func(c *outreach.ConnectionAttempt) []Column {
	return []Column{
		{"c.id", &c.ID},
		{"c.workspace_id", &c.WorkspaceID},
		{"c.provider", &c.Provider},
		{"c.email", &c.Email},
		{"c.mailbox_id", &c.MailboxID},
		{"CASE WHEN c.status = 'pending' AND c.expires_at <= $3 THEN 'expired' ELSE c.status END", &c.Status},
		{"c.error", &c.Error},
		{"c.expires_at", &c.ExpiresAt},
		{"c.created_at", &c.CreatedAt},
	}
})

var selectConnection = `
SELECT ` + connectionColumns.SQL + `
FROM mailbox_connections c WHERE c.workspace_id = $1 AND c.id = $2`

// Connection returns an attempt, up to a day after it has ended.
func (db *DB) Connection(ctx context.Context, workspace, id uuid.UUID) (outreach.ConnectionAttempt, error) {
	c, err := connectionColumns.QueryOne(ctx, db.pool, selectConnection, workspace, id, db.Now())
	return c, DomainError(err)
}

// authorizationRow is an Authorization whose verifier is sealed.
type authorizationRow struct {
	outreach.Authorization
	sealed []byte
}

var authorizationColumns = NewColumns(func(a *authorizationRow) []Column {
	return []Column{
		{"c.id", &a.ID},
		{"c.workspace_id", &a.WorkspaceID},
		{"c.provider", &a.Provider},
		{"c.email", &a.Email},
		{"c.mailbox_id", &a.MailboxID},
		{"c.status", &a.Status},
		{"c.expires_at", &a.ExpiresAt},
		{"w.name", &a.WorkspaceName},
		{"coalesce(m.email, '')", &a.Mailbox},
		{"c.session_id", &a.SessionID},
		{"coalesce(c.client_id, '')", &a.ClientID},
		{"coalesce(c.own_client, false)", &a.OwnClient},
		{"c.verifier", &a.sealed},
		{"coalesce(c.nonce, '')", &a.Nonce},
		{"c.browser_hash", &a.Browser},
	}
})

var selectAuthorization = `
SELECT ` + authorizationColumns.SQL + `
FROM mailbox_connections c
JOIN workspaces w ON w.id = c.workspace_id
LEFT JOIN mailboxes m ON m.workspace_id = c.workspace_id AND m.id = c.mailbox_id`

var (
	connectionBySecret = selectAuthorization + ` WHERE c.secret_hash = $1 AND c.status = 'pending' AND c.expires_at > $2`
	connectionByState  = selectAuthorization + ` WHERE c.state_hash = $1 AND c.status = 'pending' AND c.expires_at > $2`
)

// ConnectionBySecret returns the open, unused attempt whose link has a secret with this hash, or
// ErrNotFound.
func (db *DB) ConnectionBySecret(ctx context.Context, hash [32]byte) (outreach.Authorization, error) {
	return db.authorization(ctx, connectionBySecret, hash)
}

// ConnectionByState returns the open attempt that waits for a provider's answer with a state of
// this hash, or ErrNotFound.
func (db *DB) ConnectionByState(ctx context.Context, hash [32]byte) (outreach.Authorization, error) {
	return db.authorization(ctx, connectionByState, hash)
}

func (db *DB) authorization(ctx context.Context, sql string, hash [32]byte) (outreach.Authorization, error) {
	a, err := authorizationColumns.QueryOne(ctx, db.pool, sql, hash[:], db.Now())
	if err == nil && a.sealed != nil {
		a.Verifier, err = db.openToken(a.ID, a.sealed)
	}
	return a.Authorization, DomainError(err)
}

const startConnection = `
UPDATE mailbox_connections SET secret_hash = NULL, state_hash = @state, browser_hash = @browser, verifier = @verifier, nonce = @nonce,
	client_id = @client, own_client = @own
WHERE workspace_id = @workspace AND id = @id AND secret_hash IS NOT NULL AND status = 'pending' AND expires_at > @now`

// StartConnection marks the link of an attempt as used. It returns ErrNotFound if it was used
// before.
func (db *DB) StartConnection(ctx context.Context, workspace, id uuid.UUID, s outreach.AuthorizationStart) error {
	return ExecOne(ctx, db.pool, "start connection", startConnection, pgx.NamedArgs{
		"workspace": workspace, "id": id, "state": s.State[:], "browser": s.Browser[:], "verifier": db.sealToken(id, s.Verifier),
		"nonce": s.Nonce, "client": s.ClientID, "own": s.OwnClient, "now": db.Now(),
	})
}

const takeConnection = `
UPDATE mailbox_connections SET state_hash = NULL
WHERE workspace_id = $1 AND id = $2 AND state_hash IS NOT NULL AND status = 'pending' AND expires_at > $3`

// TakeConnection marks the state of an attempt as used. It returns ErrNotFound if it was used
// before. If the process dies after it, the attempt expires and the person must begin again.
func (db *DB) TakeConnection(ctx context.Context, workspace, id uuid.UUID) error {
	return ExecOne(ctx, db.pool, "take connection", takeConnection, workspace, id, db.Now())
}

const failConnection = `
UPDATE mailbox_connections SET status = 'failed', error = $3, secret_hash = NULL, state_hash = NULL, verifier = NULL
WHERE workspace_id = $1 AND id = $2 AND status = 'pending'`

// FailConnection ends an attempt with a text for the person who made it.
func (db *DB) FailConnection(ctx context.Context, workspace, id uuid.UUID, reason string) error {
	return ExecOne(ctx, db.pool, "fail connection", failConnection, workspace, id, reason)
}

const finishConnection = `
UPDATE mailbox_connections SET status = 'connected', mailbox_id = $3, verifier = NULL
WHERE workspace_id = $1 AND id = $2 AND status = 'pending'`

const regrantMailbox = `
UPDATE mailboxes SET provider = @provider, auth = 'oauth2', auth_error = NULL,
	smtp_host = @smtp_host, smtp_port = @smtp_port, smtp_username = @smtp_username, smtp_password = @empty, smtp_security = @smtp_security,
	imap_host = @imap_host, imap_port = @imap_port, imap_username = @imap_username, imap_password = @empty, imap_security = @imap_security
WHERE workspace_id = @workspace AND id = @id`

// FinishConnection ends an attempt with its mailbox, in one transaction: an existing mailbox gets
// the new grant, otherwise m is created.
func (db *DB) FinishConnection(ctx context.Context, a outreach.Authorization, m outreach.Mailbox,
	g outreach.Grant) (outreach.Mailbox, error) {
	err := db.Tx(ctx, func(tx pgx.Tx) (err error) {
		if a.MailboxID == nil {
			m, err = db.addMailbox(ctx, tx, m, &g)
		} else {
			m.ID = *a.MailboxID
			m, err = db.regrant(ctx, tx, m, g)
		}
		if err != nil {
			return err
		}
		return ExecOne(ctx, tx, "finish connection", finishConnection, a.WorkspaceID, a.ID, m.ID)
	})
	return m, err
}

// regrant stores a new grant for an existing mailbox. Enrollments that were held because of the mailbox
// continue.
func (db *DB) regrant(ctx context.Context, tx pgx.Tx, m outreach.Mailbox, g outreach.Grant) (outreach.Mailbox, error) {
	g.Mailbox = outreach.MailboxRef{WorkspaceID: m.WorkspaceID, ID: m.ID}
	err := ExecOne(ctx, tx, "give mailbox a new grant", regrantMailbox, pgx.NamedArgs{
		"workspace": m.WorkspaceID, "id": m.ID, "provider": m.Provider, "empty": db.sealPassword(m.ID, ""),
		"smtp_host": m.SMTP.Host, "smtp_port": m.SMTP.Port, "smtp_username": m.SMTP.Username, "smtp_security": m.SMTP.Security,
		"imap_host": m.IMAP.Host, "imap_port": m.IMAP.Port, "imap_username": m.IMAP.Username, "imap_security": m.IMAP.Security,
	})
	if err != nil {
		return m, err
	}
	if err := db.putGrant(ctx, tx, g); err != nil {
		return m, err
	}
	return db.checked(ctx, tx, m.WorkspaceID, m.ID, nil)
}
