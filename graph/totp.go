package graph

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"outreach"
	"outreach/session"
)

// TOTPStore turns the second factor of a user on and off.
type TOTPStore interface {
	StartTOTP(ctx context.Context, user uuid.UUID, secret []byte) error
	ConfirmTOTP(ctx context.Context, user uuid.UUID, step int64, recovery [][]byte) error
	DisableTOTP(ctx context.Context, user uuid.UUID) error
}

// TOTPCodes reads a pending secret and uses up codes. It returns ErrNotFound for a code that was
// used before or is unknown.
type TOTPCodes interface {
	PendingTOTP(ctx context.Context, user uuid.UUID) ([]byte, error)
	UseTOTPStep(ctx context.Context, user uuid.UUID, step int64) error
	UseRecoveryCode(ctx context.Context, user uuid.UUID, hash [32]byte) error
}

// TOTPPolicy stores whether a workspace requires a second factor.
type TOTPPolicy interface {
	SetTOTPRequired(ctx context.Context, workspace uuid.UUID, required bool) error
}

var errWrongCode = outreach.Errorf(outreach.CodeUnauthorized, "The code is wrong, or it was used before.")

// checkCode accepts a code of the authenticator app or a recovery code, each once.
func (m mutations) checkCode(ctx context.Context, login outreach.Login, code *string) error {
	if code == nil || strings.TrimSpace(*code) == "" {
		return outreach.Errorf(outreach.CodeTOTPRequired, "Enter the code of your authenticator app, or a recovery code.")
	}
	user := login.Viewer.ID
	if !m.Attempts.AllowCode(ctx, user) {
		return errTooManyAttempts
	}
	given := strings.ReplaceAll(strings.TrimSpace(*code), " ", "")
	var err error
	if step, ok := session.CheckTOTP(login.TOTPSecret, given, m.Now()); ok {
		err = m.Stores.TOTPCodes.UseTOTPStep(ctx, user, step)
	} else {
		err = m.Stores.TOTPCodes.UseRecoveryCode(ctx, user, session.HashRecoveryCode(given))
	}
	if errors.Is(err, outreach.ErrNotFound) {
		m.record(ctx, entryOf(ctx, login.Viewer, outreach.AuditSignInFailed, "wrong code"))
		return errWrongCode
	}
	return err
}

func (m mutations) StartTotp(ctx context.Context) (outreach.TOTPSetup, error) {
	v, err := signedIn(ctx)
	if err != nil {
		return outreach.TOTPSetup{}, err
	}
	if err := m.confirmed(ctx); err != nil {
		return outreach.TOTPSetup{}, err
	}
	secret := session.NewTOTPSecret()
	if err := m.Stores.TOTPStore.StartTOTP(ctx, v.ID, secret); err != nil {
		return outreach.TOTPSetup{}, err
	}
	return outreach.TOTPSetup{Secret: session.TOTPText(secret), URI: session.TOTPURI(secret, "Outreach", v.Email)}, nil
}

func (m mutations) ConfirmTotp(ctx context.Context, code string) ([]string, error) {
	v, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	if !m.Attempts.AllowCode(ctx, v.ID) {
		return nil, errTooManyAttempts
	}
	secret, err := m.Stores.TOTPCodes.PendingTOTP(ctx, v.ID)
	if errors.Is(err, outreach.ErrNotFound) {
		return nil, outreach.Errorf(outreach.CodeInvalidState, "Start two-factor sign-in first.")
	}
	if err != nil {
		return nil, err
	}
	step, ok := session.CheckTOTP(secret, strings.ReplaceAll(strings.TrimSpace(code), " ", ""), m.Now())
	if !ok {
		var faults outreach.Faults
		faults.Add(outreach.At("code"), outreach.FieldInvalid, "The code is wrong. Check the clock of your device.")
		return nil, faults.Err()
	}
	codes := make([]string, session.RecoveryCodes)
	hashes := make([][]byte, len(codes))
	for i := range codes {
		codes[i] = session.NewRecoveryCode()
		hash := session.HashRecoveryCode(codes[i])
		hashes[i] = hash[:]
	}
	return codes, m.Stores.TOTPStore.ConfirmTOTP(audited(ctx, outreach.AuditTOTPEnabled, ""), v.ID, step, hashes)
}

func (m mutations) DisableTotp(ctx context.Context) (bool, error) {
	v, err := user(ctx)
	if err != nil {
		return false, err
	}
	if err := m.confirmed(ctx); err != nil {
		return false, err
	}
	if v.TOTPRequired {
		return false, outreach.Errorf(outreach.CodeInvalidState, "This workspace requires two-factor sign-in.")
	}
	return true, m.Stores.TOTPStore.DisableTOTP(audited(ctx, outreach.AuditTOTPDisabled, ""), v.ID)
}

func (m mutations) SetTotpRequired(ctx context.Context, required bool) (bool, error) {
	v, err := m.confirmedOwner(ctx)
	if err != nil {
		return false, err
	}
	subject := "not required"
	if required {
		subject = "required"
	}
	return true, m.Stores.TOTPPolicy.SetTOTPRequired(audited(ctx, outreach.AuditTOTPRequirement, subject), v.WorkspaceID, required)
}
