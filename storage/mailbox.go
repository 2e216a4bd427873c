package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// MailboxColumns are the columns that Mailboxes reads of a mailbox m.
var MailboxColumns = NewColumns(func(m *outreach.Mailbox) []Column {
	return []Column{
		{"m.id", &m.ID},
		{"m.workspace_id", &m.WorkspaceID},
		{"m.email", &m.Email},
		{"m.display_name", &m.DisplayName},
		{"m.provider", &m.Provider},
		{"m.auth", &m.Auth},
		{"m.smtp_host", &m.SMTP.Host},
		{"m.smtp_port", &m.SMTP.Port},
		{"m.smtp_username", &m.SMTP.Username},
		{"m.smtp_security", &m.SMTP.Security},
		{"m.imap_host", &m.IMAP.Host},
		{"m.imap_port", &m.IMAP.Port},
		{"m.imap_username", &m.IMAP.Username},
		{"m.imap_security", &m.IMAP.Security},
		{"m.daily_limit", &m.DailyLimit},
		{"m.min_gap_seconds", &m.MinGapSeconds},
		{"m.signature_html", &m.SignatureHTML},
		{"m.folders", &m.Folders},
		{"m.ramp_up", &m.RampUp},
		{"m.sending_days", &m.SendingDays},
		{"m.sent_on", &m.SentOn},
		{"m.status", &m.Status},
		{"m.last_error", &m.LastError},
		{"m.smtp_deferred_since", &m.SMTPDeferredSince},
		{"m.imap_deferred_since", &m.IMAPDeferredSince},
		{"m.recipient_deferral", &m.RecipientDeferral},
		{"m.auth_error", &m.AuthError},
		{"m.last_checked_at", &m.LastCheckedAt},
		{"m.created_at", &m.CreatedAt},
	}
})

// Mailboxes holds the columns of mailboxes, without passwords and SentToday.
var Mailboxes = List[outreach.Mailbox]{
	Reads: MailboxColumns,
	From:  "mailboxes m WHERE m.workspace_id = $1",
	At:    "m.created_at", ID: "m.id",
	Key: func(m *outreach.Mailbox) outreach.Key { return outreach.Key{At: m.CreatedAt, ID: m.ID} },
}

// maxMailboxRows bounds the only list without pages. A workspace has tens of mailboxes.
const maxMailboxRows = 10_000

// ListMailboxes returns all mailboxes, newest first by creation.
func (db *DB) ListMailboxes(ctx context.Context, workspace uuid.UUID) ([]outreach.Mailbox, error) {
	rows, err := Mailboxes.Fetch(ctx, db.pool, InWorkspace(workspace), outreach.Page{Limit: maxMailboxRows})
	if err != nil {
		return nil, err
	}
	return rows.Rows, db.countSent(ctx, db.pool, workspace, rows.Rows)
}

const selectSentToday = `
SELECT m.mailbox_id, count(*) FROM messages m
WHERE m.workspace_id = $1 AND m.mailbox_id = ANY($2) AND m.status IN ('sent', 'bounced', 'unknown') AND m.sent_at > $3
	AND NOT m.external
GROUP BY m.mailbox_id`

// countSent sets SentToday of mailboxes, the messages of the last 24 hours, and LimitToday.
func (db *DB) countSent(ctx context.Context, q Querier, workspace uuid.UUID, boxes []outreach.Mailbox) error {
	ids, at := make([]uuid.UUID, len(boxes)), make(map[uuid.UUID]int, len(boxes))
	for i := range boxes {
		ids[i], at[boxes[i].ID] = boxes[i].ID, i
		boxes[i].LimitToday = boxes[i].LimitOn(db.Now())
	}
	var id uuid.UUID
	var n int
	return ForEach(ctx, q, "count sent messages", selectSentToday, []any{workspace, ids, db.Now().Add(-24 * time.Hour)},
		[]any{&id, &n}, func() { boxes[at[id]].SentToday = n })
}

// mailbox reads one mailbox with SentToday.
func (db *DB) mailbox(ctx context.Context, q Querier, workspace, id uuid.UUID) (outreach.Mailbox, error) {
	m, err := Mailboxes.One(ctx, q, workspace, id)
	if err != nil {
		return m, err
	}
	one := []outreach.Mailbox{m}
	err = db.countSent(ctx, q, workspace, one)
	return one[0], err
}

// Mailbox returns one mailbox without its passwords.
func (db *DB) Mailbox(ctx context.Context, workspace, id uuid.UUID) (outreach.Mailbox, error) {
	return db.mailbox(ctx, db.pool, workspace, id)
}

const selectPasswords = `SELECT smtp_password, imap_password FROM mailboxes WHERE workspace_id = $1 AND id = $2`

// MailboxWithPasswords returns one mailbox with its passwords, without SentToday.
func (db *DB) MailboxWithPasswords(ctx context.Context, workspace, id uuid.UUID) (outreach.Mailbox, error) {
	m, err := Mailboxes.One(ctx, db.pool, workspace, id)
	if err != nil {
		return m, err
	}
	return m, db.openPasswords(ctx, db.pool, &m)
}

func (db *DB) openPasswords(ctx context.Context, q Querier, m *outreach.Mailbox) error {
	var smtp, imap []byte
	if err := q.QueryRow(ctx, selectPasswords, m.WorkspaceID, m.ID).Scan(&smtp, &imap); err != nil {
		return fmt.Errorf("read passwords: %w", err)
	}
	for _, sealed := range []struct {
		bytes []byte
		into  *string
	}{{smtp, &m.SMTP.Password}, {imap, &m.IMAP.Password}} {
		plain, err := db.keys.Open(outreach.PurposeMailbox, m.ID[:], sealed.bytes)
		if err != nil {
			return fmt.Errorf("open mailbox password: %w", err)
		}
		*sealed.into = string(plain)
	}
	return nil
}

const insertMailbox = `
INSERT INTO mailboxes (id, workspace_id, email, email_key, display_name, smtp_host, smtp_port, smtp_username, smtp_password, smtp_security,
	imap_host, imap_port, imap_username, imap_password, imap_security, daily_limit, min_gap_seconds, signature_html,
		last_checked_at, created_at,
	provider, auth, ramp_up, folders)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $19, $20, $21, $22, $23)`

// CreateMailbox stores a mailbox whose logins were tried. Passwords are sealed.
func (db *DB) CreateMailbox(ctx context.Context, m outreach.Mailbox) (outreach.Mailbox, error) {
	err := db.Tx(ctx, func(tx pgx.Tx) (err error) {
		m, err = db.addMailbox(ctx, tx, m, nil)
		return err
	})
	return m, err
}

// addMailbox inserts a mailbox, and its grant if it uses OAuth 2.0.
func (db *DB) addMailbox(ctx context.Context, tx pgx.Tx, m outreach.Mailbox, g *outreach.Grant) (outreach.Mailbox, error) {
	m.ID, m.CreatedAt = NewID(), db.Now()
	if err := quota(ctx, tx, "mailboxes", db.quotas.Mailboxes, countMailboxes, m.WorkspaceID); err != nil {
		return m, err
	}
	err := Exec(ctx, tx, "insert mailbox", insertMailbox, m.ID, m.WorkspaceID, m.Email, outreach.CanonicalEmail(m.Email), m.DisplayName,
		m.SMTP.Host, m.SMTP.Port, m.SMTP.Username, db.sealPassword(m.ID, m.SMTP.Password), m.SMTP.Security,
		m.IMAP.Host, m.IMAP.Port, m.IMAP.Username, db.sealPassword(m.ID, m.IMAP.Password), m.IMAP.Security,
		m.DailyLimit, m.MinGapSeconds, m.SignatureHTML, m.CreatedAt, m.Provider, m.Auth, m.RampUp, m.Folders)
	if err != nil {
		return m, err
	}
	if err := db.keepSendingDomain(ctx, tx, m.WorkspaceID, m.Email); err != nil {
		return m, err
	}
	if g != nil {
		g.Mailbox = outreach.MailboxRef{WorkspaceID: m.WorkspaceID, ID: m.ID}
		if err := db.putGrant(ctx, tx, *g); err != nil {
			return m, err
		}
	}
	return db.mailbox(ctx, tx, m.WorkspaceID, m.ID)
}

func (db *DB) sealPassword(id uuid.UUID, password string) []byte {
	return db.keys.Seal(outreach.PurposeMailbox, id[:], []byte(password))
}

const updateMailbox = `
UPDATE mailboxes SET email = $3, email_key = $4, display_name = $5, smtp_host = $6, smtp_port = $7, smtp_username = $8, smtp_password = $9,
	smtp_security = $10, imap_host = $11, imap_port = $12, imap_username = $13, imap_password = $14, imap_security = $15,
	daily_limit = $16, min_gap_seconds = $17, signature_html = $18, look_at = '-infinity',
	recipient_deferral = CASE WHEN smtp_host = $6 AND smtp_username = $8 THEN recipient_deferral END,
	ramp_up = $21, folders = $22, provider = $19, auth = $20, auth_error = CASE WHEN $20 = 'password' THEN NULL ELSE auth_error END
WHERE workspace_id = $1 AND id = $2`

// UpdateMailbox stores the edited mailbox m with its passwords. Read it with MailboxWithPasswords,
// and try changed logins first.
func (db *DB) UpdateMailbox(ctx context.Context, m outreach.Mailbox) (outreach.Mailbox, error) {
	err := db.Tx(ctx, func(tx pgx.Tx) error {
		before, err := Mailboxes.OneLocked(ctx, tx, m.WorkspaceID, m.ID, " FOR UPDATE")
		if err != nil {
			return err
		}
		err = ExecOne(ctx, tx, "update mailbox", updateMailbox, m.WorkspaceID, m.ID, m.Email, outreach.CanonicalEmail(m.Email), m.DisplayName,
			m.SMTP.Host, m.SMTP.Port, m.SMTP.Username, db.sealPassword(m.ID, m.SMTP.Password), m.SMTP.Security,
			m.IMAP.Host, m.IMAP.Port, m.IMAP.Username, db.sealPassword(m.ID, m.IMAP.Password), m.IMAP.Security,
			m.DailyLimit, m.MinGapSeconds, m.SignatureHTML, m.Provider, m.Auth, m.RampUp, m.Folders)
		if err != nil {
			return err
		}
		if err := keepAuth(ctx, tx, m); err != nil {
			return err
		}
		if err := db.moveSendingDomain(ctx, tx, before, m); err != nil {
			return err
		}
		m, err = db.mailbox(ctx, tx, m.WorkspaceID, m.ID)
		return err
	})
	return m, err
}

const mailboxInUse = `SELECT EXISTS (SELECT FROM campaigns c WHERE c.workspace_id = $1 AND c.status = 'active' AND $2 = ANY(c.mailbox_ids))`

const unbindMailbox = `UPDATE enrollments SET mailbox_id = NULL WHERE workspace_id = $1 AND mailbox_id = $2`

const forgetMailbox = `UPDATE campaigns SET mailbox_ids = array_remove(mailbox_ids, $2) WHERE workspace_id = $1 AND $2 = ANY(mailbox_ids)`

const deleteMailbox = `DELETE FROM mailboxes WHERE workspace_id = $1 AND id = $2`

// DeleteMailbox deletes a mailbox. It returns CodeInUse if an active campaign uses it. Other
// campaigns lose it and resume the enrollments that were held because of it.
func (db *DB) DeleteMailbox(ctx context.Context, workspace, id uuid.UUID) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		box, err := Mailboxes.OneLocked(ctx, tx, workspace, id, " FOR UPDATE")
		if err != nil {
			return err
		}
		var used bool
		if err := tx.QueryRow(ctx, mailboxInUse, workspace, id).Scan(&used); err != nil {
			return fmt.Errorf("look for campaigns of mailbox: %w", err)
		}
		if used {
			return outreach.Errorf(outreach.CodeInUse, "An active campaign sends from this mailbox.")
		}
		if err := Exec(ctx, tx, "take mailbox out of campaigns", forgetMailbox, workspace, id); err != nil {
			return err
		}
		if err := Release(ctx, tx, releaseMailbox, workspace, id, db.Now()); err != nil {
			return err
		}
		if err := wakeFor(ctx, tx, workspace, id); err != nil {
			return err
		}
		if err := Exec(ctx, tx, "unbind enrollments", unbindMailbox, workspace, id); err != nil {
			return err
		}
		if err := Wake(ctx, tx, workspace); err != nil {
			return err
		}
		if err := ExecOne(ctx, tx, "delete mailbox", deleteMailbox, workspace, id); err != nil {
			return err
		}
		return dropSendingDomain(ctx, tx, workspace, box.Email)
	})
}

// KnownMailbox leaves out mailboxes in a state, or with a login, that a newer program has added. Only
// that program reads them and sends from them.
const KnownMailbox = `status IN ('connected', 'error', 'paused') AND auth IN ('password', 'oauth2', 'oauth2_app')
	AND provider IN ('custom', 'google', 'microsoft')`

// A person who pauses or resumes a mailbox resets its faults: it takes three more faults in a row
// to pause it again.
const setMailboxStatus = `
UPDATE mailboxes SET status = $3, sender_faults = 0, seen_to_at = $4, look_at = $4,
	resumed_at = CASE WHEN $3 = 'connected' THEN $4 ELSE resumed_at END,
	last_error = CASE WHEN auto_paused THEN NULL ELSE last_error END, auto_paused = false
WHERE workspace_id = $1 AND id = $2`

// PauseMailbox stops a mailbox from sending. It is still read.
func (db *DB) PauseMailbox(ctx context.Context, workspace, id uuid.UUID) (outreach.Mailbox, error) {
	return db.moveMailbox(ctx, workspace, id, outreach.MailboxPaused)
}

// ResumeMailbox resumes a paused mailbox and the enrollments that were held because of it.
func (db *DB) ResumeMailbox(ctx context.Context, workspace, id uuid.UUID) (outreach.Mailbox, error) {
	return db.moveMailbox(ctx, workspace, id, outreach.MailboxConnected)
}

func (db *DB) moveMailbox(ctx context.Context, workspace, id uuid.UUID,
	to outreach.MailboxStatus) (m outreach.Mailbox, err error) {
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		if m, err = Mailboxes.OneLocked(ctx, tx, workspace, id, " FOR UPDATE"); err != nil {
			return err
		}
		switch paused := m.Status == outreach.MailboxPaused; {
		case !m.Status.Known():
			return outreach.Errorf(outreach.CodeInvalidState, "Cannot pause or resume: the mailbox is %s.", m.Status)
		case paused && to == outreach.MailboxPaused:
			return outreach.Errorf(outreach.CodeInvalidState, "Cannot pause: the mailbox is already paused.")
		case !paused && to == outreach.MailboxConnected:
			return outreach.Errorf(outreach.CodeInvalidState, "Cannot resume: the mailbox is %s.", m.Status)
		}
		if err := ExecOne(ctx, tx, "set mailbox status", setMailboxStatus, workspace, id, to, db.Now()); err != nil {
			return err
		}
		if to == outreach.MailboxConnected {
			if err := wakeFor(ctx, tx, workspace, id); err != nil {
				return err
			}
		}
		m, err = db.mailbox(ctx, tx, workspace, id)
		return err
	})
	return m, err
}

// A mailbox that was paused for its faults, bounces or complaints keeps the reason until it is
// resumed.
const noteCheck = `
UPDATE mailboxes SET last_checked_at = $3, look_at = $3,
	last_error = CASE WHEN $4::text IS NULL AND status = 'paused' AND (sender_faults > 0 OR auto_paused) THEN last_error ELSE $4 END,
	status = CASE WHEN status NOT IN ('connected', 'error') THEN status WHEN $4::text IS NULL THEN 'connected' ELSE 'error' END,
	sender_faults = CASE WHEN $4::text IS NULL AND status IN ('connected', 'error') THEN 0 ELSE sender_faults END,
	seen_to_at = CASE WHEN $4::text IS NULL AND status IN ('connected', 'error') THEN $3 ELSE seen_to_at END
WHERE workspace_id = $1 AND id = $2`

// NoteCheck records the result of a check of both logins. failure is a text for the owner, nil if
// both worked: then enrollments that were held because of the mailbox continue, unless it is
// paused.
func (db *DB) NoteCheck(ctx context.Context, workspace, id uuid.UUID, failure *string) (m outreach.Mailbox, err error) {
	err = db.Tx(ctx, func(tx pgx.Tx) (err error) {
		m, err = db.checked(ctx, tx, workspace, id, failure)
		return err
	})
	return m, err
}

func (db *DB) checked(ctx context.Context, tx pgx.Tx, workspace, id uuid.UUID, failure *string) (outreach.Mailbox, error) {
	if err := ExecOne(ctx, tx, "note mailbox check", noteCheck, workspace, id, db.Now(), failure); err != nil {
		return outreach.Mailbox{}, err
	}
	m, err := db.mailbox(ctx, tx, workspace, id)
	if err != nil || m.Status != outreach.MailboxConnected {
		return m, err
	}
	return m, wakeFor(ctx, tx, workspace, id)
}

const noteFailure = `
UPDATE mailboxes SET status = 'error', last_error = $3, last_checked_at = $4
WHERE workspace_id = $1 AND id = $2 AND status IN ('connected', 'error')`

// NoteFailure sets a mailbox to error with a text for its owner.
func (db *DB) NoteFailure(ctx context.Context, workspace, id uuid.UUID, reason string) error {
	return Exec(ctx, db.pool, "note mailbox failure", noteFailure, workspace, id, reason, db.Now())
}

const (
	noteSMTPDeferred = `UPDATE mailboxes SET smtp_deferred_since = $3 WHERE workspace_id = $1 AND id = $2`
	noteIMAPDeferred = `UPDATE mailboxes SET imap_deferred_since = $3 WHERE workspace_id = $1 AND id = $2`
	noteRecipients   = `UPDATE mailboxes SET recipient_deferral = $3 WHERE workspace_id = $1 AND id = $2`
)

// NoteSMTPDeferred records since when the SMTP server of a mailbox asks to come back later, nil if it
// does not.
func (db *DB) NoteSMTPDeferred(ctx context.Context, box outreach.MailboxRef, since *time.Time) error {
	return db.noteDeferred(ctx, noteSMTPDeferred, box, since)
}

// NoteIMAPDeferred is NoteSMTPDeferred for the IMAP server.
func (db *DB) NoteIMAPDeferred(ctx context.Context, box outreach.MailboxRef, since *time.Time) error {
	return db.noteDeferred(ctx, noteIMAPDeferred, box, since)
}

// NoteRecipientsDeferred records how the SMTP server of a mailbox defers recipients, nil if it does not.
func (db *DB) NoteRecipientsDeferred(ctx context.Context, box outreach.MailboxRef, d *outreach.RecipientDeferral) error {
	return db.noteDeferred(ctx, noteRecipients, box, d)
}

func (db *DB) noteDeferred(ctx context.Context, sql string, box outreach.MailboxRef, to any) error {
	return Exec(ctx, db.pool, "note that a mail server defers", sql, box.WorkspaceID, box.ID, to)
}

// MailboxRefs returns the mailboxes of a statement that returns workspace and id.
func (db *DB) MailboxRefs(ctx context.Context, doing, sql string, args ...any) ([]outreach.MailboxRef, error) {
	return Collect(ctx, db.pool, doing, pgx.RowToStructByPos[outreach.MailboxRef], sql, args...)
}
