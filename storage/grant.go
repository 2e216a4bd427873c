package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// grantRow is a grant with sealed tokens.
type grantRow struct {
	grant           outreach.Grant
	access, refresh []byte
	interrupted     bool // the answer to an earlier renewal is not known
}

// grantFields are the columns of a grant g of a mailbox m.
func grantFields(r *grantRow) []Column {
	return []Column{
		{"m.workspace_id", &r.grant.Mailbox.WorkspaceID},
		{"m.id", &r.grant.Mailbox.ID},
		{"m.provider", &r.grant.Provider},
		{"m.auth", &r.grant.Auth},
		{"g.client_id", &r.grant.ClientID},
		{"g.own_client", &r.grant.OwnClient},
		{"g.access_token", &r.access},
		{"g.refresh_token", &r.refresh},
		{"g.expires_at", &r.grant.ExpiresAt},
		{"g.renew_at", &r.grant.RenewAt},
		{"g.version", &r.grant.Version},
		{"g.renew_holder IS NULL AND g.renew_lease > statement_timestamp()", &r.grant.Postponed},
		{"g.revoked", &r.grant.Revoked},
	}
}

var grantColumns = NewColumns(func(r *grantRow) []Column { return grantFields(r) })

var renewalColumns = NewColumns(func(r *grantRow) []Column {
	return append([]Column{{"g.interrupted", &r.interrupted}}, grantFields(r)...)
})

var selectGrant = `
SELECT ` + grantColumns.SQL + `
FROM mailbox_grants g
JOIN mailboxes m ON m.workspace_id = g.workspace_id AND m.id = g.mailbox_id
WHERE g.workspace_id = $1 AND g.mailbox_id = $2`

// Grant returns the grant of a mailbox with its tokens, or ErrNotFound if it has none.
func (db *DB) Grant(ctx context.Context, workspace, mailbox uuid.UUID) (outreach.Grant, error) {
	row, err := grantColumns.QueryOne(ctx, db.pool, selectGrant, workspace, mailbox)
	if err != nil {
		return outreach.Grant{}, DomainError(fmt.Errorf("read grant: %w", err))
	}
	return db.openGrant(row)
}

// openGrant returns the grant of a row with its tokens.
func (db *DB) openGrant(row grantRow) (g outreach.Grant, err error) {
	g = row.grant
	if g.Access, err = db.openToken(g.Mailbox.ID, row.access); err != nil {
		return g, err
	}
	g.Refresh, err = db.openToken(g.Mailbox.ID, row.refresh)
	return g, err
}

func (db *DB) openToken(mailbox uuid.UUID, sealed []byte) (string, error) {
	plain, err := db.keys.Open(outreach.PurposeOAuth, mailbox[:], sealed)
	if err != nil {
		return "", fmt.Errorf("open token: %w", err)
	}
	return string(plain), nil
}

func (db *DB) sealToken(mailbox uuid.UUID, token string) []byte {
	return db.keys.Seal(outreach.PurposeOAuth, mailbox[:], []byte(token))
}

const insertGrant = `
INSERT INTO mailbox_grants (mailbox_id, workspace_id, client_id, own_client, access_token, refresh_token, expires_at, renew_at)
VALUES (@mailbox, @workspace, @client, @own, @access, @refresh, @expires, @renew)
ON CONFLICT (workspace_id, mailbox_id) DO UPDATE SET client_id = excluded.client_id, own_client = excluded.own_client,
	access_token = excluded.access_token, refresh_token = excluded.refresh_token, expires_at = excluded.expires_at,
	renew_at = excluded.renew_at, version = mailbox_grants.version + 1, revoked = NULL, renew_holder = NULL, renew_lease = '-infinity',
	token_sent = false, token_kept = false`

// putGrant stores the grant of a mailbox and replaces the former one. A process that renews the
// former one loses its lease. The provider accepts the client again.
func (db *DB) putGrant(ctx context.Context, tx pgx.Tx, g outreach.Grant) error {
	err := Exec(ctx, tx, "store grant", insertGrant, pgx.NamedArgs{
		"mailbox": g.Mailbox.ID, "workspace": g.Mailbox.WorkspaceID, "client": g.ClientID, "own": g.OwnClient,
		"access": db.sealToken(g.Mailbox.ID, g.Access), "refresh": db.sealToken(g.Mailbox.ID, g.Refresh),
		"expires": g.ExpiresAt, "renew": g.RenewAt,
	})
	if err != nil {
		return err
	}
	return forgetFault(ctx, tx, g.Mailbox.WorkspaceID, g.Provider, g.OwnClient)
}

var beginRenewal = `
WITH begun AS (
	UPDATE mailbox_grants g SET renew_holder = @holder, renew_lease = statement_timestamp() + @ttl::interval
	FROM (SELECT mailbox_id FROM mailbox_grants
		WHERE workspace_id = @workspace AND mailbox_id = @mailbox FOR UPDATE) before
	WHERE g.workspace_id = @workspace AND g.mailbox_id = before.mailbox_id
		AND g.version = @version AND g.revoked IS NULL AND g.renew_lease <= statement_timestamp()
	RETURNING g.*, g.token_sent AND NOT g.token_kept AS interrupted)
SELECT ` + renewalColumns.SQL + `
FROM begun g
JOIN mailboxes m ON m.workspace_id = @workspace AND m.id = g.mailbox_id`

// BeginRenewal leases the renewal of the tokens of a grant to holder for ttl. It returns nil if
// another process has the lease, or if the grant has another version.
//
// If the process dies before it asks the provider, nothing is lost: the lease ends and another
// process renews. If it dies between the provider's answer and StoreRenewal, the next process
// renews with the former refresh token, which some providers no longer accept.
func (db *DB) BeginRenewal(ctx context.Context, workspace, mailbox uuid.UUID, version int, holder string,
	ttl time.Duration) (*outreach.Renewal, error) {
	row, err := renewalColumns.QueryOne(ctx, db.pool, beginRenewal, pgx.NamedArgs{
		"workspace": workspace, "mailbox": mailbox, "version": version, "holder": holder, "ttl": ttl})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("begin renewal: %w", err)
	}
	g, err := db.openGrant(row)
	if err != nil {
		return nil, err
	}
	return &outreach.Renewal{Grant: g, Holder: holder, Interrupted: row.interrupted}, nil
}

const noteTokenSent = `
UPDATE mailbox_grants SET token_sent = true
WHERE workspace_id = $1 AND mailbox_id = $2 AND renew_holder = $3`

// NoteTokenSent records that the refresh token is about to be sent to the provider. If the process
// dies before it stores the answer, the next renewal knows that tokens may be lost. It returns
// ErrNotFound if the lease was lost.
func (db *DB) NoteTokenSent(ctx context.Context, r outreach.Renewal) error {
	ref := r.Grant.Mailbox
	return ExecOne(ctx, db.pool, "note sent token", noteTokenSent, ref.WorkspaceID, ref.ID, r.Holder)
}

const storeRenewal = `
UPDATE mailbox_grants SET access_token = @access, refresh_token = @refresh, expires_at = @expires, renew_at = @renew,
	version = version + 1, renew_holder = NULL, renew_lease = '-infinity', token_sent = false, token_kept = @kept
WHERE workspace_id = @workspace AND mailbox_id = @mailbox AND renew_holder = @holder`

// StoreRenewal stores the renewed tokens, before they are used. It returns ErrNotFound if the lease
// was lost because another process has renewed since.
func (db *DB) StoreRenewal(ctx context.Context, r outreach.Renewal, tokens outreach.TokenSet) error {
	g := r.Grant
	return db.Tx(ctx, func(tx pgx.Tx) error {
		err := ExecOne(ctx, tx, "store renewal", storeRenewal, pgx.NamedArgs{
			"workspace": g.Mailbox.WorkspaceID, "mailbox": g.Mailbox.ID, "holder": r.Holder,
			"access": db.sealToken(g.Mailbox.ID, tokens.Access), "refresh": db.sealToken(g.Mailbox.ID, tokens.Refresh),
			"expires": tokens.ExpiresAt, "renew": tokens.RenewAt, "kept": tokens.Refresh == g.Refresh,
		})
		if err != nil {
			return err
		}
		return forgetFault(ctx, tx, g.Mailbox.WorkspaceID, g.Provider, g.OwnClient)
	})
}

const postponeRenewal = `
UPDATE mailbox_grants SET renew_holder = NULL, renew_lease = statement_timestamp() + $4::interval, token_sent = $5
WHERE workspace_id = $1 AND mailbox_id = $2 AND renew_holder = $3`

// PostponeRenewal releases the lease and blocks renewals for some time: the provider does not
// answer, or refuses the client. r.Interrupted is kept for the next renewal.
func (db *DB) PostponeRenewal(ctx context.Context, r outreach.Renewal, wait time.Duration) error {
	ref := r.Grant.Mailbox
	return Exec(ctx, db.pool, "postpone renewal", postponeRenewal, ref.WorkspaceID, ref.ID, r.Holder, wait, r.Interrupted)
}

const revokeGrant = `
UPDATE mailbox_grants SET revoked = $4, renew_holder = NULL, renew_lease = '-infinity'
WHERE workspace_id = $1 AND mailbox_id = $2 AND renew_holder = $3`

const noteRevoked = `
UPDATE mailboxes SET auth_error = $3, last_error = $3, last_checked_at = $4,
	status = CASE WHEN status NOT IN ('connected', 'error') THEN status ELSE 'error' END
WHERE workspace_id = $1 AND id = $2`

// RevokeGrant records that the provider no longer accepts a grant, with a text for the owner of the
// mailbox. The grant is not renewed until the mailbox is reconnected.
func (db *DB) RevokeGrant(ctx context.Context, r outreach.Renewal, reason string) error {
	ref := r.Grant.Mailbox
	return db.Tx(ctx, func(tx pgx.Tx) error {
		if err := ExecOne(ctx, tx, "revoke grant", revokeGrant, ref.WorkspaceID, ref.ID, r.Holder, reason); err != nil {
			return err
		}
		return ExecOne(ctx, tx, "note revoked grant", noteRevoked, ref.WorkspaceID, ref.ID, reason, db.Now())
	})
}

const dropGrant = `DELETE FROM mailbox_grants WHERE workspace_id = $1 AND mailbox_id = $2`

// keepAuth deletes the grant of a mailbox that logs in with a password.
func keepAuth(ctx context.Context, tx pgx.Tx, m outreach.Mailbox) error {
	if m.Auth.UsesTokens() {
		return nil
	}
	return Exec(ctx, tx, "drop grant", dropGrant, m.WorkspaceID, m.ID)
}

// CreateAppMailbox stores a mailbox that is used through the workspace's own OAuth client.
func (db *DB) CreateAppMailbox(ctx context.Context, m outreach.Mailbox, g outreach.Grant) (outreach.Mailbox, error) {
	err := db.Tx(ctx, func(tx pgx.Tx) (err error) {
		m, err = db.addMailbox(ctx, tx, m, &g)
		return err
	})
	return m, err
}
