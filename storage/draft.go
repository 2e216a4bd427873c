package storage

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

var draftColumns = NewColumns(func(d *outreach.AnswerDraft) []Column {
	return []Column{
		{"d.reply_id", &d.ReplyID},
		{"d.subject", &d.Subject},
		{"d.body_html", &d.BodyHTML},
		{"d.body_text", &d.BodyText},
		{"d.cc", &d.Cc},
		{"d.updated_at", &d.UpdatedAt},
	}
})

var selectDraft = `
SELECT ` + draftColumns.SQL + ` FROM answer_drafts d
WHERE d.workspace_id = $1 AND d.reply_id = $2 AND d.user_id = $3`

// AnswerDraft returns a user's draft of an answer to a reply, or nil.
func (db *DB) AnswerDraft(ctx context.Context, workspace, reply, user uuid.UUID) (*outreach.AnswerDraft, error) {
	draft, err := draftColumns.QueryOne(ctx, db.pool, selectDraft, workspace, reply, user)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read draft: %w", err)
	}
	return &draft, nil
}

// The statement checks that the reply and the user belong to the workspace.
const saveDraft = `
INSERT INTO answer_drafts (workspace_id, reply_id, user_id, subject, body_html, body_text, cc, written_at, updated_at)
SELECT r.workspace_id, r.id, $3, $4, $5, $6, $7, $8, $8 FROM replies r WHERE r.workspace_id = $1 AND r.id = $2
ON CONFLICT (workspace_id, reply_id, user_id) DO UPDATE SET subject = excluded.subject, body_html = excluded.body_html,
	body_text = excluded.body_text, cc = excluded.cc, written_at = excluded.written_at, updated_at = excluded.updated_at`

// SaveAnswerDraft stores a user's draft of an answer to a reply and records that the user is
// writing.
func (db *DB) SaveAnswerDraft(ctx context.Context, workspace, user uuid.UUID, d outreach.AnswerDraft) (outreach.AnswerDraft, error) {
	d.Normalize()
	if err := d.Validate(); err != nil {
		return d, err
	}
	d.UpdatedAt = db.Now()
	err := ExecOne(ctx, db.pool, "save draft", saveDraft, workspace, d.ReplyID, user, d.Subject, d.BodyHTML, d.BodyText, d.Cc, d.UpdatedAt)
	return d, err
}

// DeleteDraft deletes the draft of a workspace, a reply and a user.
const DeleteDraft = `DELETE FROM answer_drafts WHERE workspace_id = $1 AND reply_id = $2 AND user_id = $3`

// DeleteAnswerDraft deletes a user's draft of an answer to a reply, if there is one.
func (db *DB) DeleteAnswerDraft(ctx context.Context, workspace, reply, user uuid.UUID) error {
	return Exec(ctx, db.pool, "delete draft", DeleteDraft, workspace, reply, user)
}

// A reply without a prospect is alone in its conversation.
const selectWriters = `
SELECT DISTINCT u.email FROM answer_drafts d JOIN users u ON u.id = d.user_id
WHERE d.workspace_id = $1 AND d.user_id <> $3 AND d.written_at > $4 AND d.reply_id IN (
	SELECT r.id FROM replies r WHERE r.workspace_id = $1 AND (r.id = $2 OR (r.prospect_id, r.mailbox_id)
		= (SELECT o.prospect_id, o.mailbox_id FROM replies o WHERE o.workspace_id = $1 AND o.id = $2)))
ORDER BY u.email LIMIT 10`

// Writers returns the other users who have written a draft to a reply, or to another one of the
// same prospect and mailbox, within outreach.PresenceLength.
func (db *DB) Writers(ctx context.Context, workspace, reply, user uuid.UUID) ([]outreach.Writer, error) {
	return Collect(ctx, db.pool, "list writers", pgx.RowToStructByPos[outreach.Writer], selectWriters, workspace, reply, user,
		db.Now().Add(-outreach.PresenceLength))
}
