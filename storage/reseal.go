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

// secretColumns are all columns of permanent secrets.
var secretColumns = []resealing{
	{outreach.PurposeMailbox, selectSMTPPasswords, resealSMTPPassword},
	{outreach.PurposeMailbox, selectIMAPPasswords, resealIMAPPassword},
	{outreach.PurposeSigningSecret, selectSigningSecrets, resealSigningSecret},
	{outreach.PurposeTOTP, selectTOTPSecrets, resealTOTPSecret},
	{outreach.PurposeOAuth, selectAccessTokens, resealAccessToken},
	{outreach.PurposeOAuth, selectRefreshTokens, resealRefreshToken},
	{outreach.PurposeOAuth, selectGoogleSecrets, resealGoogleSecret},
	{outreach.PurposeOAuth, selectMicrosoftSecrets, resealMicrosoftSecret},
}

// Reseal seals permanent secrets with the first key, so that another key can be retired: passwords
// and tokens of mailboxes, secrets of OAuth clients, and signing secrets, those of deleted
// subscriptions included. It returns how many it sealed again. Secrets that no key opens are not
// changed; the error returns their number after all others are done. It can be repeated or
// interrupted. A secret that is edited meanwhile is not overwritten.
func (db *DB) Reseal(ctx context.Context) (resealed int, err error) {
	if !db.keys.Rotating() {
		return 0, nil
	}
	unopened := 0
	err = db.eachSecret(ctx, func(column resealing, row sealedRow) error {
		switch db.keys.KeyOf(column.purpose, row.ID[:], row.Sealed) {
		case 0:
			return nil
		case -1:
			unopened++
			return nil
		}
		fresh, err := db.keys.Reseal(column.purpose, row.ID[:], row.Sealed)
		if err != nil {
			return err
		}
		tag, err := db.pool.Exec(ctx, column.into, row.ID, row.Sealed, fresh)
		if err != nil {
			return fmt.Errorf("reseal secret: %w", err)
		}
		resealed += int(tag.RowsAffected())
		return nil
	})
	if err == nil && unopened > 0 {
		err = fmt.Errorf("no key of the list opens %d stored secrets", unopened)
	}
	return resealed, err
}

// SealCounts are the numbers of permanent secrets by the key that opens them.
type SealCounts struct{ First, Former, None int }

// CountSeals counts the permanent secrets that the first key of the list opens, those that only
// another one opens, and those that none opens. It reads all of them.
func (db *DB) CountSeals(ctx context.Context) (c SealCounts, err error) {
	err = db.eachSecret(ctx, func(column resealing, row sealedRow) error {
		switch db.keys.KeyOf(column.purpose, row.ID[:], row.Sealed) {
		case 0:
			c.First++
		case -1:
			c.None++
		default:
			c.Former++
		}
		return nil
	})
	return c, err
}

// eachSecret calls act with each permanent secret.
func (db *DB) eachSecret(ctx context.Context, act func(resealing, sealedRow) error) error {
	for _, column := range secretColumns {
		for last, more := uuid.Nil, true; more; {
			rows, err := db.sealed(ctx, column, last)
			if err != nil {
				return err
			}
			for _, row := range rows {
				last = row.ID
				if err := act(column, row); err != nil {
					return err
				}
			}
			more = len(rows) == resealLimit
		}
	}
	return nil
}

type sealedRow struct {
	ID     uuid.UUID
	Sealed []byte
}

func (db *DB) sealed(ctx context.Context, column resealing, last uuid.UUID) ([]sealedRow, error) {
	return Collect(ctx, db.pool, "list secrets", pgx.RowToStructByPos[sealedRow], column.from, last, resealLimit)
}
