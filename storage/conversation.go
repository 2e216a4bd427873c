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

const setRepliesDone = `UPDATE replies SET done = $3, snoozed_until = NULL WHERE workspace_id = $1 AND id = ANY($2)`

// MarkRepliesDone marks up to outreach.MaxRepliesAtOnce replies as done or as open, and returns how
// many of them the workspace has.
func (db *DB) MarkRepliesDone(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID, done bool) (int, error) {
	return db.changeReplies(ctx, workspace, ids, setRepliesDone, done, nil)
}

// Conversations are replies and the open ones of the same prospects and mailboxes.
const ofConversations = `
	AND (r.id = ANY($2) OR NOT r.done AND (r.prospect_id, r.mailbox_id) IN (
		SELECT o.prospect_id, o.mailbox_id FROM replies o WHERE o.workspace_id = $1 AND o.id = ANY($2)))`

const assignConversations = `UPDATE replies r SET assigned_to = $3 WHERE r.workspace_id = $1` + ofConversations

const snoozeConversations = `UPDATE replies r SET snoozed_until = $3 WHERE r.workspace_id = $1` + ofConversations

// The lock makes RemoveMember wait; it then removes the assignment.
const lockMember = `SELECT true FROM members WHERE workspace_id = $1 AND user_id = $2 FOR KEY SHARE`

// AssignConversations assigns the conversations of up to outreach.MaxRepliesAtOnce replies to a
// member of the workspace, or removes the assignment if nil. Later replies of the prospects get the
// same assignment. It returns how many replies it changed.
func (db *DB) AssignConversations(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID, member *uuid.UUID) (int, error) {
	return db.changeReplies(ctx, workspace, ids, assignConversations, member, func(tx pgx.Tx) error {
		if member == nil {
			return nil
		}
		var there bool
		err := tx.QueryRow(ctx, lockMember, workspace, member).Scan(&there)
		if errors.Is(err, pgx.ErrNoRows) {
			return UnknownReference(outreach.At("member_id"))
		}
		return err
	})
}

// SnoozeConversations removes the conversations of up to outreach.MaxRepliesAtOnce replies from the
// inbox until a time, or, if nil, until the prospect writes again. It returns how many replies it
// changed.
func (db *DB) SnoozeConversations(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID, until *time.Time) (int, error) {
	end, err := outreach.SnoozeEnd(until, db.Now())
	if err != nil {
		return 0, err
	}
	return db.changeReplies(ctx, workspace, ids, snoozeConversations, &end, nil)
}

// WakeConversations returns snoozed conversations to the inbox, and how many replies it changed.
func (db *DB) WakeConversations(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) (int, error) {
	return db.changeReplies(ctx, workspace, ids, snoozeConversations, nil, nil)
}

// changeReplies runs one of the statements above after check, which may be nil.
func (db *DB) changeReplies(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID, sql string, value any,
	check func(pgx.Tx) error) (changed int, err error) {
	if len(ids) > outreach.MaxRepliesAtOnce {
		var faults outreach.Faults
		faults.Add(outreach.At("ids"), outreach.FieldInvalid, "ids must have at most %d entries.", outreach.MaxRepliesAtOnce)
		return 0, faults.Err()
	}
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		if check != nil {
			if err := check(tx); err != nil {
				return err
			}
		}
		tag, err := tx.Exec(ctx, sql, workspace, ids, value)
		if err != nil {
			return fmt.Errorf("change replies: %w", err)
		}
		changed = int(tag.RowsAffected())
		return nil
	})
	return changed, err
}
