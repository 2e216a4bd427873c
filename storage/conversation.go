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

// MarkRepliesDone marks up to outreach.MaxDoneAtOnce replies as done or as open, and returns how
// many of them the workspace has.
func (db *DB) MarkRepliesDone(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID, done bool) (int, error) {
	if len(ids) > outreach.MaxDoneAtOnce {
		var faults outreach.Faults
		faults.Add(outreach.At("ids"), outreach.FieldInvalid, "ids must have at most %d entries.", outreach.MaxDoneAtOnce)
		return 0, faults.Err()
	}
	tag, err := db.pool.Exec(ctx, setRepliesDone, workspace, ids, done)
	if err != nil {
		return 0, fmt.Errorf("mark replies done: %w", err)
	}
	return int(tag.RowsAffected()), nil
}

// A conversation is a reply and the open ones of the same prospect and mailbox.
const ofConversation = `
	AND (r.id = $2 OR NOT r.done
		AND (r.prospect_id, r.mailbox_id) = (SELECT o.prospect_id, o.mailbox_id FROM replies o WHERE o.workspace_id = $1 AND o.id = $2))`

const assignConversation = `UPDATE replies r SET assigned_to = $3 WHERE r.workspace_id = $1` + ofConversation

const snoozeConversation = `UPDATE replies r SET snoozed_until = $3 WHERE r.workspace_id = $1` + ofConversation

// The lock makes RemoveMember wait; it then removes the assignment.
const lockMember = `SELECT true FROM members WHERE workspace_id = $1 AND user_id = $2 FOR KEY SHARE`

// AssignConversation assigns a conversation to a member of the workspace, or removes the assignment if nil.
// Later replies of the prospect get the same assignment.
func (db *DB) AssignConversation(ctx context.Context, workspace, reply uuid.UUID, member *uuid.UUID) (outreach.Reply, error) {
	return db.changeConversation(ctx, workspace, reply, assignConversation, member, func(tx pgx.Tx) error {
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

// SnoozeConversation removes a conversation from the inbox until a time, or, if nil, until the
// prospect writes again.
func (db *DB) SnoozeConversation(ctx context.Context, workspace, reply uuid.UUID, until *time.Time) (r outreach.Reply, err error) {
	end, err := outreach.SnoozeEnd(until, db.Now())
	if err != nil {
		return r, err
	}
	return db.changeConversation(ctx, workspace, reply, snoozeConversation, &end, nil)
}

// WakeConversation returns a snoozed conversation to the inbox.
func (db *DB) WakeConversation(ctx context.Context, workspace, reply uuid.UUID) (outreach.Reply, error) {
	return db.changeConversation(ctx, workspace, reply, snoozeConversation, nil, nil)
}

// changeConversation runs one of the statements above after check.
func (db *DB) changeConversation(ctx context.Context, workspace, reply uuid.UUID, sql string, value any,
	check func(pgx.Tx) error) (r outreach.Reply, err error) {
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		if _, err := Replies.One(ctx, tx, workspace, reply); err != nil {
			return err
		}
		if check != nil {
			if err := check(tx); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, sql, workspace, reply, value); err != nil {
			return fmt.Errorf("change conversation: %w", err)
		}
		r, err = Replies.One(ctx, tx, workspace, reply)
		return err
	})
	return r, err
}
