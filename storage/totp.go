package storage

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

const startTOTP = `UPDATE users SET totp_secret = $2 WHERE id = $1 AND NOT totp_confirmed`

// StartTOTP stores a secret that becomes active with ConfirmTOTP. It returns CodeInvalidState if
// the user has a second factor.
func (db *DB) StartTOTP(ctx context.Context, user uuid.UUID, secret []byte) error {
	sealed := db.keys.Seal(outreach.PurposeTOTP, user[:], secret)
	return db.Tx(ctx, func(tx pgx.Tx) error {
		return alreadyOn(ExecOne(ctx, tx, "store TOTP secret", startTOTP, user, sealed))
	})
}

func alreadyOn(err error) error {
	if errors.Is(err, outreach.ErrNotFound) {
		return outreach.Errorf(outreach.CodeInvalidState, "Two-factor sign-in is already on. Turn it off first.")
	}
	return err
}

const selectPendingTOTP = `SELECT totp_secret FROM users WHERE id = $1 AND NOT totp_confirmed AND totp_secret IS NOT NULL`

// PendingTOTP returns the secret that waits for its first code, or ErrNotFound.
func (db *DB) PendingTOTP(ctx context.Context, user uuid.UUID) ([]byte, error) {
	var sealed []byte
	if err := db.pool.QueryRow(ctx, selectPendingTOTP, user).Scan(&sealed); err != nil {
		return nil, DomainError(err)
	}
	return db.keys.Open(outreach.PurposeTOTP, user[:], sealed)
}

const confirmTOTP = `
UPDATE users SET totp_confirmed = true, totp_step = $2 WHERE id = $1 AND NOT totp_confirmed AND totp_secret IS NOT NULL`

const deleteRecoveryCodes = `DELETE FROM recovery_codes WHERE user_id = $1`

const insertRecoveryCodes = `INSERT INTO recovery_codes (user_id, hash) SELECT $1, unnest($2::bytea[])`

// ConfirmTOTP turns the second factor on. It stores the time step of the entered code and the
// hashes of new recovery codes.
func (db *DB) ConfirmTOTP(ctx context.Context, user uuid.UUID, step int64, recovery [][]byte) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		if err := alreadyOn(ExecOne(ctx, tx, "confirm TOTP", confirmTOTP, user, step)); err != nil {
			return err
		}
		if err := Exec(ctx, tx, "delete recovery codes", deleteRecoveryCodes, user); err != nil {
			return err
		}
		return Exec(ctx, tx, "insert recovery codes", insertRecoveryCodes, user, recovery)
	})
}

const disableTOTP = `
UPDATE users SET totp_confirmed = false, totp_secret = NULL, totp_step = 0 WHERE id = $1 AND totp_confirmed`

// DisableTOTP turns the second factor off and deletes the recovery codes. It returns ErrNotFound if
// it is off.
func (db *DB) DisableTOTP(ctx context.Context, user uuid.UUID) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		if err := ExecOne(ctx, tx, "disable TOTP", disableTOTP, user); err != nil {
			return err
		}
		return Exec(ctx, tx, "delete recovery codes", deleteRecoveryCodes, user)
	})
}

const useTOTPStep = `UPDATE users SET totp_step = $2 WHERE id = $1 AND totp_confirmed AND totp_step < $2`

// UseTOTPStep marks the time step of a code as used. It returns ErrNotFound if it, or a later one,
// was used before (RFC 6238, section 5.2).
func (db *DB) UseTOTPStep(ctx context.Context, user uuid.UUID, step int64) error {
	return db.execOneTx(ctx, "use TOTP step", useTOTPStep, user, step)
}

const useRecoveryCode = `DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2`

// UseRecoveryCode deletes the recovery code with a hash. It returns ErrNotFound if the user has no
// such code.
func (db *DB) UseRecoveryCode(ctx context.Context, user uuid.UUID, hash [32]byte) error {
	return db.execOneTx(ctx, "use recovery code", useRecoveryCode, user, hash[:])
}

const setTOTPRequired = `UPDATE workspaces SET totp_required = $2 WHERE id = $1`

// SetTOTPRequired sets whether the members of a workspace must sign in with a second factor.
func (db *DB) SetTOTPRequired(ctx context.Context, workspace uuid.UUID, required bool) error {
	return db.execOneTx(ctx, "set TOTP requirement", setTOTPRequired, workspace, required)
}
