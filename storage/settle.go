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

// ErrWithdrawn says that a claimed message must not be sent any more: its
// prospect replied, its campaign stopped, or another process has it.
var ErrWithdrawn = errors.New("the message was withdrawn")

// inFlight is a message between commit 1 and commit 3.
type inFlight struct {
	id, workspace, campaign, prospect, mailbox, enrollment uuid.UUID
	run, step                                              int
	status                                                 outreach.MessageStatus
	recipient, header                                      string
	holder                                                 *string
	tries                                                  int
	committed                                              *time.Time
}

const lockMessage = `
SELECT m.id, m.workspace_id, m.campaign_id, m.prospect_id, m.mailbox_id, m.enrollment_id, m.run, m.step,
	CASE WHEN m.status = 'claimed' AND m.committed_at IS NOT NULL THEN 'committing' ELSE m.status END, m.recipient, m.message_id,
	m.holder, m.tries, m.committed_at
FROM messages m WHERE m.id = $1 FOR UPDATE`

func lockInFlight(ctx context.Context, tx pgx.Tx, id uuid.UUID) (f inFlight, err error) {
	err = tx.QueryRow(ctx, lockMessage, id).Scan(&f.id, &f.workspace, &f.campaign, &f.prospect, &f.mailbox, &f.enrollment, &f.run, &f.step,
		&f.status, &f.recipient, &f.header, &f.holder, &f.tries, &f.committed)
	return f, domainError(err)
}

// open reports whether the fate of a message is still to be settled.
func (f inFlight) open() bool {
	return f.status == outreach.MessageClaimed || f.status == outreach.MessageCommitting || f.status == outreach.MessageUnknown
}

// provable reports whether something that refers to the message tells anything new.
func (f inFlight) provable() bool { return f.open() || f.status == outreach.MessageNotSent }

// Its enrollment stands where it stood when the message was claimed, its campaign
// still has the mailbox, and the prospect the address.
const selectMayGo = `
SELECT e.status = 'active' AND e.run = $3 AND e.next_step = $4 AND c.status = 'active' AND $5 = ANY(c.mailbox_ids) AND coalesce(p.email = $6, true)
FROM enrollments e JOIN campaigns c ON c.id = e.campaign_id LEFT JOIN prospects p ON p.id = e.prospect_id AND p.workspace_id = $1
WHERE e.workspace_id = $1 AND e.id = $2 FOR UPDATE OF e`

// What is claimed and has committed_at is committing.
const commitMessage = `
UPDATE messages SET committed_at = $3 WHERE id = $1 AND holder = $2 AND status = 'claimed' AND committed_at IS NULL AND lease_until > clock_timestamp()`

// CommitMessage is commit 2, written just before the final dot. Under the lock of
// the enrollment it looks once more whether the message may go. ErrWithdrawn when
// it may not: the row is then gone as if it had never been claimed, and the
// caller drops the connection before the dot.
//
// Calls that come at the same time share a transaction.
func (db *DB) CommitMessage(ctx context.Context, id uuid.UUID, holder string) error {
	return db.commits.do(ctx, committing{id, holder})
}

func (db *DB) commitAlone(ctx context.Context, call committing) error {
	withdrawn := false
	err := db.tx(ctx, func(tx pgx.Tx) error {
		f, err := lockInFlight(ctx, tx, call.id)
		if errors.Is(err, outreach.ErrNotFound) {
			return ErrWithdrawn
		}
		if err != nil {
			return err
		}
		if withdrawn, err = db.withdraw(ctx, tx, f); withdrawn || err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, commitMessage, call.id, call.holder, db.now())
		if err != nil {
			return fmt.Errorf("commit message: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return ErrWithdrawn
		}
		return nil
	})
	if err == nil && withdrawn {
		return ErrWithdrawn
	}
	return err
}

// withdraw takes a claimed message back when its enrollment does not send any
// more, or not this. One that is paused or held keeps its step for later.
func (db *DB) withdraw(ctx context.Context, tx pgx.Tx, f inFlight) (bool, error) {
	var mayGo bool
	err := tx.QueryRow(ctx, selectMayGo, f.workspace, f.enrollment, f.run, f.step, f.mailbox, f.recipient).Scan(&mayGo)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return false, fmt.Errorf("look at enrollment: %w", err)
	}
	status, reason, err := obstacle(ctx, tx, f.workspace, f.enrollment, f.prospect)
	if err != nil || mayGo && status == "" {
		return false, err
	}
	if err := release(ctx, tx, releaseMessage, f.workspace, f.id, db.now()); err != nil {
		return false, err
	}
	if mayGo {
		return true, endOne(ctx, tx, f.workspace, f.enrollment, f.prospect, status, &reason)
	}
	return true, nil
}

const renewMessages = `UPDATE messages SET lease_until = clock_timestamp() + $3 WHERE id = ANY($1) AND holder = $2 AND status = 'claimed'`

// RenewMessages keeps the leases of messages that this process is sending.
func (db *DB) RenewMessages(ctx context.Context, ids []uuid.UUID, holder string) error {
	if _, err := db.pool.Exec(ctx, renewMessages, ids, holder, outreach.LeaseLength); err != nil {
		return fmt.Errorf("renew leases of messages: %w", err)
	}
	return nil
}

// maxTries bounds how often a message is tried; with the waits between (see
// untilNextTry) that is about three days.
const maxTries = 30

// soonTries is how often a connection that failed is tried again in a minute: the
// server may be back soon.
const soonTries = 5

// untilNextTry is the wait after a try: a quarter of an hour at first, three hours
// at most.
func untilNextTry(tries int, kind outreach.SendKind) time.Duration {
	if kind == outreach.SendFailed && tries <= soonTries {
		return time.Minute
	}
	return min(time.Duration(tries)*15*time.Minute, 3*time.Hour)
}

// SettleMessage is commit 3: what the server answered, with everything that
// follows from it, events and their deliveries included. It does nothing when the
// message has been settled by proof meanwhile, or when another process took it
// over: only the one that holds it knows how it ended.
func (db *DB) SettleMessage(ctx context.Context, id uuid.UUID, holder string, result outreach.SendResult) error {
	if result.Kind == outreach.SendSent {
		return db.settles.do(ctx, settling{id, holder, result.Response})
	}
	return db.settleOne(ctx, id, holder, result)
}

func (db *DB) settleAlone(ctx context.Context, call settling) error {
	return db.settleOne(ctx, call.id, call.holder, outreach.SendResult{Kind: outreach.SendSent, Response: call.response})
}

// settleOne is commit 3 for one message, whatever came of it.
func (db *DB) settleOne(ctx context.Context, id uuid.UUID, holder string, result outreach.SendResult) error {
	return db.tx(ctx, func(tx pgx.Tx) error {
		f, err := lockInFlight(ctx, tx, id)
		if err != nil {
			return err
		}
		if f.status == outreach.MessageNotSent && result.Kind == outreach.SendSent {
			return db.prove(ctx, tx, &f)
		}
		held := f.holder != nil && *f.holder == holder
		// Once swept, another try may have begun since: only that it left is certain.
		if proven := f.status == outreach.MessageUnknown && result.Kind == outreach.SendSent; !proven && (!held || !f.open()) {
			return nil
		}
		switch result.Kind {
		case outreach.SendSent:
			return db.settleSent(ctx, tx, f, result.Response)
		case outreach.SendUnknown:
			return db.settleUnknown(ctx, tx, f, result.Response)
		case outreach.SendRefused:
			return db.settleRefused(ctx, tx, f, result)
		case outreach.SendBlocked:
			return db.settleBlocked(ctx, tx, f, result.Response)
		}
		return db.settleLater(ctx, tx, f, result)
	})
}

const markMessage = `
UPDATE messages SET status = $2, smtp_response = $3, sent_at = coalesce(sent_at, committed_at, $4), raw = CASE WHEN $2 = 'unknown' THEN raw END, holder = NULL, lease_until = NULL
WHERE id = $1`

// The prospect was written to, and keeps the mailbox.
const keepMailbox = `UPDATE enrollments SET mailbox_id = $3 WHERE workspace_id = $1 AND id = $2 AND run = $4 AND mailbox_id IS DISTINCT FROM $3`

func (db *DB) mark(ctx context.Context, tx pgx.Tx, f inFlight, status outreach.MessageStatus, response string) error {
	if _, err := tx.Exec(ctx, markMessage, f.id, status, response, db.now()); err != nil {
		return fmt.Errorf("mark message %s: %w", status, err)
	}
	if _, err := tx.Exec(ctx, keepMailbox, f.workspace, f.enrollment, f.mailbox, f.run); err != nil {
		return fmt.Errorf("keep mailbox: %w", err)
	}
	return nil
}

// goesOn is where an enrollment e stands when a step of it has gone, n being the
// next: whoever turned out to be away meanwhile still is.
const goesOn = `
	status = CASE WHEN n.id IS NULL AND e.status IN ('active', 'held') THEN 'finished' WHEN e.status = 'held' AND e.hold_kind IS DISTINCT FROM 'absence' THEN 'active' ELSE e.status END,
	hold_kind = CASE WHEN ` + staysAway + ` THEN e.hold_kind END, hold_reason = CASE WHEN ` + staysAway + ` THEN e.hold_reason END,
	hold_until = CASE WHEN ` + staysAway + ` THEN e.hold_until END`

const staysAway = `n.id IS NOT NULL AND e.hold_kind = 'absence'`

// The step after the sent one is due its delay after it; without one the
// enrollment is finished. A reply that came meanwhile has ended it already.
const advance = `
UPDATE enrollments e SET` + goesOn + `,
	next_step = CASE WHEN n.id IS NOT NULL THEN $4 + 1 END,
	next_send_at = CASE WHEN n.id IS NOT NULL THEN $5::timestamptz + make_interval(mins => n.delay_minutes) END
FROM (SELECT 1) one LEFT JOIN steps n ON n.campaign_id = $3 AND n.position = $4 + 1
WHERE e.workspace_id = $1 AND e.id = $2 AND e.run = $6 AND e.status IN ('active', 'held', 'paused')`

const noteSent = `
WITH c AS (UPDATE campaigns SET has_sent = true WHERE workspace_id = $1 AND id = $3 AND NOT has_sent),
	m AS (UPDATE mailboxes SET sender_faults = 0 WHERE workspace_id = $1 AND id = $5 AND sender_faults > 0)
UPDATE prospects SET last_contacted_at = greatest(last_contacted_at, $4) WHERE workspace_id = $1 AND id = $2`

func (db *DB) settleSent(ctx context.Context, tx pgx.Tx, f inFlight, response string) error {
	if err := db.mark(ctx, tx, f, outreach.MessageSent, response); err != nil {
		return err
	}
	event, err := db.eventOf(ctx, tx, f.workspace, f.prospect, &f.campaign, outreach.EventSent)
	if err != nil {
		return err
	}
	if f.committed != nil {
		event.OccurredAt = *f.committed
	}
	event.Metadata = outreach.SentMetadata{Step: f.step, MessageID: f.header}
	if err := db.record(ctx, tx, event); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, advance, f.workspace, f.enrollment, f.campaign, f.step, event.OccurredAt, f.run); err != nil {
		return fmt.Errorf("advance enrollment: %w", err)
	}
	if _, err := tx.Exec(ctx, noteSent, f.workspace, f.prospect, f.campaign, event.OccurredAt, f.mailbox); err != nil {
		return fmt.Errorf("note contact: %w", err)
	}
	_, err = refreshStatus(ctx, tx, f.workspace, f.prospect)
	return err
}

func (db *DB) settleUnknown(ctx context.Context, tx pgx.Tx, f inFlight, response string) error {
	if err := db.mark(ctx, tx, f, outreach.MessageUnknown, response); err != nil {
		return err
	}
	reason := fmt.Sprintf("nobody knows whether step %d left; look for it and resolve the message", f.step)
	return holdRun(ctx, tx, f, hold{kind: holdUnknown, reason: reason})
}

// settleRefused follows a final refusal: the message is bounced and raises the
// event; what becomes of the rest depends on whose fault it is.
func (db *DB) settleRefused(ctx context.Context, tx pgx.Tx, f inFlight, result outreach.SendResult) error {
	if err := db.mark(ctx, tx, f, outreach.MessageBounced, result.Response); err != nil {
		return err
	}
	if err := db.recordBounce(ctx, tx, f, result.Response); err != nil {
		return err
	}
	return db.followBounce(ctx, tx, f, result.Fault, result.Response)
}

// settleBlocked follows a refusal of the sender before any recipient was named:
// nothing bounced, the mailbox is to blame and the step waits as if it had never
// been claimed.
func (db *DB) settleBlocked(ctx context.Context, tx pgx.Tx, f inFlight, response string) error {
	if err := release(ctx, tx, releaseMessage, f.workspace, f.id, db.now()); err != nil {
		return err
	}
	return db.blameMailbox(ctx, tx, f, response)
}

// What waits for its next try stands in nobody's way in the queue.
const postponeMessage = `
WITH m AS (
	UPDATE messages SET holder = NULL, lease_until = clock_timestamp() + $2, smtp_response = $3, status = 'claimed', sent_at = NULL, committed_at = NULL WHERE id = $1
	RETURNING workspace_id, enrollment_id, run, step, mailbox_id
)
UPDATE enrollments e SET mailbox_id = m.mailbox_id, next_send_at = NULL
FROM m WHERE e.workspace_id = m.workspace_id AND e.id = m.enrollment_id AND e.run = m.run AND e.next_step = m.step`

// settleLater leaves a message that was surely not sent claimed until its next
// try; after the last the enrollment has failed.
func (db *DB) settleLater(ctx context.Context, tx pgx.Tx, f inFlight, result outreach.SendResult) error {
	if f.tries < maxTries {
		if _, err := tx.Exec(ctx, postponeMessage, f.id, untilNextTry(f.tries, result.Kind), result.Response); err != nil {
			return fmt.Errorf("postpone message: %w", err)
		}
		return nil
	}
	if err := db.mark(ctx, tx, f, outreach.MessageBounced, result.Response); err != nil {
		return err
	}
	if err := db.recordBounce(ctx, tx, f, result.Response); err != nil {
		return err
	}
	return fail(ctx, tx, f, "the server kept putting the message off: "+result.Response)
}

// Whatever else ended it meanwhile stands.
const failEnrollment = `
UPDATE enrollments SET status = 'failed', stop_reason = $4, ` + notHeld + `, next_step = NULL, next_send_at = NULL
WHERE workspace_id = $1 AND id = $2 AND run = $3 AND status IN ('active', 'held', 'paused', 'finished')`

// fail ends the run that a message belongs to since its prospect cannot be reached.
func fail(ctx context.Context, tx pgx.Tx, f inFlight, reason string) error {
	if _, err := tx.Exec(ctx, failEnrollment, f.workspace, f.enrollment, f.run, reason); err != nil {
		return fmt.Errorf("end enrollment as failed: %w", err)
	}
	_, err := refreshStatus(ctx, tx, f.workspace, f.prospect)
	return err
}

const sweepCommitting = `SELECT id FROM messages WHERE status = 'claimed' AND committed_at IS NOT NULL AND lease_until < clock_timestamp() LIMIT 500`

// SweepCommitting finds messages whose process died, or lost the database,
// between commit 2 and commit 3: nobody knows whether they left, and that is what
// they become. It gives how many there were.
func (db *DB) SweepCommitting(ctx context.Context) (int, error) {
	rows, err := db.groups.Query(ctx, sweepCommitting)
	if err != nil {
		return 0, fmt.Errorf("look for lost messages: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return 0, fmt.Errorf("look for lost messages: %w", err)
	}
	swept := 0
	for _, id := range ids {
		err := db.tx(ctx, func(tx pgx.Tx) error {
			f, err := lockInFlight(ctx, tx, id)
			if err != nil || f.status != outreach.MessageCommitting {
				return err
			}
			var over bool
			if err := tx.QueryRow(ctx, "SELECT lease_until < clock_timestamp() FROM messages WHERE id = $1", id).Scan(&over); err != nil || !over {
				return err
			}
			swept++
			return db.settleUnknown(ctx, tx, f, "the sending process ended before the server's answer was recorded")
		})
		if err != nil {
			return swept, err
		}
	}
	return swept, nil
}

const markNotSent = `UPDATE messages SET status = 'not_sent', raw = NULL WHERE id = $1`

const sendAgain = `
UPDATE enrollments SET next_send_at = $3
WHERE workspace_id = $1 AND id = $2 AND run = $4 AND next_step = $5 AND status IN ('held', 'active', 'paused')`

const notHeldAgain = `
UPDATE enrollments SET ` + endHold + `
WHERE workspace_id = $1 AND id = $2 AND run = $3 AND next_step = $4 AND status IN ('held', 'paused') AND hold_kind <> 'absence'`

// ResolveMessage settles an unknown by a person's word: as sent it raises what
// sending raises; as not sent its step is due again, to go out as a new message,
// and it leaves the list. CodeInvalidState for any other message.
func (db *DB) ResolveMessage(ctx context.Context, workspace, id uuid.UUID, as outreach.Resolution) (m outreach.Message, err error) {
	err = db.tx(ctx, func(tx pgx.Tx) error {
		if m, err = messages.one(ctx, tx, workspace, id); err != nil {
			return err
		}
		f, err := lockInFlight(ctx, tx, id)
		if err != nil {
			return err
		}
		if f.status != outreach.MessageUnknown {
			return outreach.Errorf(outreach.CodeInvalidState, "Only a message whose fate is unknown can be resolved.")
		}
		if as == outreach.ResolvedNotSent {
			return db.settleNotSent(ctx, tx, f)
		}
		if err := db.settleSent(ctx, tx, f, "resolved by hand as sent"); err != nil {
			return err
		}
		m, err = messages.one(ctx, tx, workspace, id)
		return err
	})
	return m, err
}

// settleNotSent makes room for another message of the same step.
func (db *DB) settleNotSent(ctx context.Context, tx pgx.Tx, f inFlight) error {
	if _, err := tx.Exec(ctx, markNotSent, f.id); err != nil {
		return fmt.Errorf("mark message not sent: %w", err)
	}
	if _, err := tx.Exec(ctx, sendAgain, f.workspace, f.enrollment, db.now(), f.run, f.step); err != nil {
		return fmt.Errorf("plan the step again: %w", err)
	}
	if _, err := tx.Exec(ctx, notHeldAgain, f.workspace, f.enrollment, f.run, f.step); err != nil {
		return fmt.Errorf("end hold: %w", err)
	}
	return nil
}
