package storage

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// resealing is a column of permanent secrets, each sealed for the id of its row.
type resealing struct {
	purpose    outreach.Purpose
	from, into string
}

const (
	selectSMTPPasswords = `SELECT id, smtp_password FROM mailboxes WHERE id > $1 ORDER BY id LIMIT $2`
	resealSMTPPassword  = `UPDATE mailboxes SET smtp_password = $3 WHERE id = $1 AND smtp_password = $2`

	selectIMAPPasswords = `SELECT id, imap_password FROM mailboxes WHERE id > $1 ORDER BY id LIMIT $2`
	resealIMAPPassword  = `UPDATE mailboxes SET imap_password = $3 WHERE id = $1 AND imap_password = $2`

	selectSigningSecrets = `SELECT id, secret FROM subscriptions WHERE id > $1 ORDER BY id LIMIT $2`
	resealSigningSecret  = `UPDATE subscriptions SET secret = $3 WHERE id = $1 AND secret = $2`

	selectTOTPSecrets = `SELECT id, totp_secret FROM users WHERE id > $1 AND totp_secret IS NOT NULL ORDER BY id LIMIT $2`
	resealTOTPSecret  = `UPDATE users SET totp_secret = $3 WHERE id = $1 AND totp_secret = $2`

	selectAccessTokens = `SELECT mailbox_id, access_token FROM mailbox_grants WHERE mailbox_id > $1 ORDER BY mailbox_id LIMIT $2`
	resealAccessToken  = `UPDATE mailbox_grants SET access_token = $3 WHERE mailbox_id = $1 AND access_token = $2`

	selectRefreshTokens = `SELECT mailbox_id, refresh_token FROM mailbox_grants WHERE mailbox_id > $1 ORDER BY mailbox_id LIMIT $2`
	resealRefreshToken  = `UPDATE mailbox_grants SET refresh_token = $3 WHERE mailbox_id = $1 AND refresh_token = $2`

	selectGoogleSecrets = `
SELECT workspace_id, secret FROM oauth_clients WHERE workspace_id > $1 AND provider = 'google' ORDER BY workspace_id LIMIT $2`
	resealGoogleSecret = `UPDATE oauth_clients SET secret = $3 WHERE workspace_id = $1 AND provider = 'google' AND secret = $2`

	selectMicrosoftSecrets = `
SELECT workspace_id, secret FROM oauth_clients WHERE workspace_id > $1 AND provider = 'microsoft' ORDER BY workspace_id LIMIT $2`
	resealMicrosoftSecret = `UPDATE oauth_clients SET secret = $3 WHERE workspace_id = $1 AND provider = 'microsoft' AND secret = $2`
)

// resealLimit is how many rows are read at a time.
const resealLimit = 1000

// Reseal seals permanent secrets with the first key, so that another key can be retired: passwords
// and tokens of mailboxes, secrets of OAuth clients, and signing secrets, those of deleted
// subscriptions included. Secrets that no key opens are not changed; the error returns their number
// after all others are done. It can be repeated or interrupted. A secret that is edited meanwhile
// is not overwritten.
func (db *DB) Reseal(ctx context.Context) error {
	if !db.keys.Rotating() {
		return nil
	}
	unopened := 0
	for _, column := range []resealing{
		{outreach.PurposeMailbox, selectSMTPPasswords, resealSMTPPassword},
		{outreach.PurposeMailbox, selectIMAPPasswords, resealIMAPPassword},
		{outreach.PurposeSigningSecret, selectSigningSecrets, resealSigningSecret},
		{outreach.PurposeTOTP, selectTOTPSecrets, resealTOTPSecret},
		{outreach.PurposeOAuth, selectAccessTokens, resealAccessToken},
		{outreach.PurposeOAuth, selectRefreshTokens, resealRefreshToken},
		{outreach.PurposeOAuth, selectGoogleSecrets, resealGoogleSecret},
		{outreach.PurposeOAuth, selectMicrosoftSecrets, resealMicrosoftSecret},
	} {
		n, err := db.reseal(ctx, column)
		if err != nil {
			return err
		}
		unopened += n
	}
	if unopened > 0 {
		return fmt.Errorf("no key of the list opens %d stored secrets", unopened)
	}
	return nil
}

// reseal seals one column again and counts the secrets that no key opens.
func (db *DB) reseal(ctx context.Context, column resealing) (unopened int, err error) {
	for last := uuid.Nil; ; {
		rows, err := db.sealed(ctx, column, last)
		if err != nil {
			return unopened, err
		}
		for _, row := range rows {
			fresh, err := db.keys.Reseal(column.purpose, row.id[:], row.sealed)
			if err != nil {
				unopened++
				continue
			}
			if fresh == nil {
				continue
			}
			if _, err := db.pool.Exec(ctx, column.into, row.id, row.sealed, fresh); err != nil {
				return unopened, fmt.Errorf("reseal secret: %w", err)
			}
		}
		if len(rows) < resealLimit {
			return unopened, nil
		}
		last = rows[len(rows)-1].id
	}
}

type sealedRow struct {
	id     uuid.UUID
	sealed []byte
}

func (db *DB) sealed(ctx context.Context, column resealing, last uuid.UUID) ([]sealedRow, error) {
	rows, err := db.pool.Query(ctx, column.from, last, resealLimit)
	if err != nil {
		return nil, fmt.Errorf("list secrets: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (s sealedRow, err error) {
		err = row.Scan(&s.id, &s.sealed)
		return s, err
	})
}
