package sending

import (
	"context"
	"errors"
	"fmt"
	"outreach"
	"outreach/storage"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// ErrWithdrawn says that a claimed message must not be sent any more: its
// prospect replied, its campaign stopped, or another process has it.
var ErrWithdrawn = errors.New("the message was withdrawn")

// InFlight is a message between commit 1 and commit 3.
type InFlight struct {
	ID, Workspace, Campaign, Prospect, mailbox, Enrollment uuid.UUID
	run, step                                              int
	Status                                                 outreach.MessageStatus
	Recipient, header                                      string
	holder                                                 *string
	tries                                                  int
	committed                                              *time.Time
}

const lockMessage = `
SELECT m.id, m.workspace_id, m.campaign_id, m.prospect_id, m.mailbox_id, m.enrollment_id, m.run, m.step,
	CASE WHEN m.status = 'claimed' AND m.committed_at IS NOT NULL THEN 'committing' ELSE m.status END, m.recipient, m.message_id,
	m.holder, m.tries, m.committed_at
FROM messages m WHERE m.id = $1 FOR UPDATE`

// LockInFlight locks a message and reads what decides about it; ErrNotFound when it is gone.
func LockInFlight(ctx context.Context, tx pgx.Tx, id uuid.UUID) (f InFlight, err error) {
	err = tx.QueryRow(ctx, lockMessage, id).Scan(&f.ID, &f.Workspace, &f.Campaign, &f.Prospect, &f.mailbox, &f.Enrollment, &f.run, &f.step,
		&f.Status, &f.Recipient, &f.header, &f.holder, &f.tries, &f.committed)
	return f, storage.DomainError(err)
}

// open reports whether the fate of a message is still to be settled.
func (f InFlight) open() bool {
	return f.Status == outreach.MessageClaimed || f.Status == outreach.MessageCommitting || f.Status == outreach.MessageUnknown
}

// Provable reports whether something that refers to the message tells anything new.
func (f InFlight) Provable() bool { return f.open() || f.Status == outreach.MessageNotSent }

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
func (l *Ledger) CommitMessage(ctx context.Context, id uuid.UUID, holder string) error {
	return l.commits.do(ctx, committing{id, holder})
}

func (l *Ledger) commitAlone(ctx context.Context, call committing) error {
	withdrawn := false
	err := l.db.Tx(ctx, func(tx pgx.Tx) error {
		f, err := LockInFlight(ctx, tx, call.id)
		if errors.Is(err, outreach.ErrNotFound) {
			return ErrWithdrawn
		}
		if err != nil {
			return err
		}
		if withdrawn, err = l.withdraw(ctx, tx, f); withdrawn || err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, commitMessage, call.id, call.holder, l.db.Now())
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
func (l *Ledger) withdraw(ctx context.Context, tx pgx.Tx, f InFlight) (bool, error) {
	var mayGo bool
	err := tx.QueryRow(ctx, selectMayGo, f.Workspace, f.Enrollment, f.run, f.step, f.mailbox, f.Recipient).Scan(&mayGo)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return false, fmt.Errorf("look at enrollment: %w", err)
	}
	status, reason, err := obstacle(ctx, tx, f.Workspace, f.Enrollment, f.Prospect)
	if err != nil || mayGo && status == "" {
		return false, err
	}
	if err := storage.Release(ctx, tx, storage.ReleaseMessage, f.Workspace, f.ID, l.db.Now()); err != nil {
		return false, err
	}
	if mayGo {
		return true, storage.EndOne(ctx, tx, f.Workspace, f.Enrollment, f.Prospect, status, &reason)
	}
	return true, nil
}

const renewMessages = `UPDATE messages SET lease_until = clock_timestamp() + $3 WHERE id = ANY($1) AND holder = $2 AND status = 'claimed'`

// RenewMessages keeps the leases of messages that this process is sending.
func (l *Ledger) RenewMessages(ctx context.Context, ids []uuid.UUID, holder string) error {
	if _, err := l.db.Pool().Exec(ctx, renewMessages, ids, holder, outreach.LeaseLength); err != nil {
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
func (l *Ledger) SettleMessage(ctx context.Context, id uuid.UUID, holder string, result outreach.SendResult) error {
	if result.Kind == outreach.SendSent {
		return l.settles.do(ctx, settling{id, holder, result.Response})
	}
	return l.settleOne(ctx, id, holder, result)
}

func (l *Ledger) settleAlone(ctx context.Context, call settling) error {
	return l.settleOne(ctx, call.id, call.holder, outreach.SendResult{Kind: outreach.SendSent, Response: call.response})
}

// settleOne is commit 3 for one message, whatever came of it.
func (l *Ledger) settleOne(ctx context.Context, id uuid.UUID, holder string, result outreach.SendResult) error {
	return l.db.Tx(ctx, func(tx pgx.Tx) error {
		f, err := LockInFlight(ctx, tx, id)
		if err != nil {
			return err
		}
		if f.Status == outreach.MessageNotSent && result.Kind == outreach.SendSent {
			return l.Prove(ctx, tx, &f)
		}
		held := f.holder != nil && *f.holder == holder
		// Once swept, another try may have begun since: only that it left is certain.
		if proven := f.Status == outreach.MessageUnknown && result.Kind == outreach.SendSent; !proven && (!held || !f.open()) {
			return nil
		}
		switch result.Kind {
		case outreach.SendSent:
			return l.settleSent(ctx, tx, f, result.Response)
		case outreach.SendUnknown:
			return l.settleUnknown(ctx, tx, f, result.Response)
		case outreach.SendRefused:
			return l.settleRefused(ctx, tx, f, result)
		case outreach.SendBlocked:
			return l.settleBlocked(ctx, tx, f, result.Response)
		}
		return l.settleLater(ctx, tx, f, result)
	})
}

const markMessage = `
UPDATE messages SET status = $2, smtp_response = $3, sent_at = coalesce(sent_at, committed_at, $4), raw = CASE WHEN $2 = 'unknown' THEN raw END, holder = NULL, lease_until = NULL
WHERE id = $1`

// The prospect was written to, and keeps the mailbox.
const keepMailbox = `UPDATE enrollments SET mailbox_id = $3 WHERE workspace_id = $1 AND id = $2 AND run = $4 AND mailbox_id IS DISTINCT FROM $3`

func (l *Ledger) mark(ctx context.Context, tx pgx.Tx, f InFlight, status outreach.MessageStatus, response string) error {
	if _, err := tx.Exec(ctx, markMessage, f.ID, status, response, l.db.Now()); err != nil {
		return fmt.Errorf("mark message %s: %w", status, err)
	}
	if _, err := tx.Exec(ctx, keepMailbox, f.Workspace, f.Enrollment, f.mailbox, f.run); err != nil {
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

func (l *Ledger) settleSent(ctx context.Context, tx pgx.Tx, f InFlight, response string) error {
	if err := l.mark(ctx, tx, f, outreach.MessageSent, response); err != nil {
		return err
	}
	event, err := l.outbox.EventOf(ctx, tx, f.Workspace, f.Prospect, &f.Campaign, outreach.EventSent)
	if err != nil {
		return err
	}
	if f.committed != nil {
		event.OccurredAt = *f.committed
	}
	event.Metadata = outreach.SentMetadata{Step: f.step, MessageID: f.header}
	if err := l.outbox.Record(ctx, tx, event); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, advance, f.Workspace, f.Enrollment, f.Campaign, f.step, event.OccurredAt, f.run); err != nil {
		return fmt.Errorf("advance enrollment: %w", err)
	}
	if _, err := tx.Exec(ctx, noteSent, f.Workspace, f.Prospect, f.Campaign, event.OccurredAt, f.mailbox); err != nil {
		return fmt.Errorf("note contact: %w", err)
	}
	_, err = storage.RefreshStatus(ctx, tx, f.Workspace, f.Prospect)
	return err
}

func (l *Ledger) settleUnknown(ctx context.Context, tx pgx.Tx, f InFlight, response string) error {
	if err := l.mark(ctx, tx, f, outreach.MessageUnknown, response); err != nil {
		return err
	}
	reason := fmt.Sprintf("nobody knows whether step %d left; look for it and resolve the message", f.step)
	return holdRun(ctx, tx, f, storage.Hold{Kind: storage.HoldUnknown, Reason: reason})
}

// settleRefused follows a final refusal: the message is bounced and raises the
// event; what becomes of the rest depends on whose fault it is.
func (l *Ledger) settleRefused(ctx context.Context, tx pgx.Tx, f InFlight, result outreach.SendResult) error {
	if err := l.mark(ctx, tx, f, outreach.MessageBounced, result.Response); err != nil {
		return err
	}
	if err := l.RecordBounce(ctx, tx, f, result.Response); err != nil {
		return err
	}
	return l.followRefusal(ctx, tx, f, result.Fault, result.Response)
}

// settleBlocked follows a refusal of the sender before any recipient was named:
// nothing bounced, the mailbox is to blame and the step waits as if it had never
// been claimed.
func (l *Ledger) settleBlocked(ctx context.Context, tx pgx.Tx, f InFlight, response string) error {
	if err := storage.Release(ctx, tx, storage.ReleaseMessage, f.Workspace, f.ID, l.db.Now()); err != nil {
		return err
	}
	return l.blameMailbox(ctx, tx, f, response, true)
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
func (l *Ledger) settleLater(ctx context.Context, tx pgx.Tx, f InFlight, result outreach.SendResult) error {
	if f.tries < maxTries {
		if _, err := tx.Exec(ctx, postponeMessage, f.ID, untilNextTry(f.tries, result.Kind), result.Response); err != nil {
			return fmt.Errorf("postpone message: %w", err)
		}
		return nil
	}
	if err := l.mark(ctx, tx, f, outreach.MessageBounced, result.Response); err != nil {
		return err
	}
	if err := l.RecordBounce(ctx, tx, f, result.Response); err != nil {
		return err
	}
	return fail(ctx, tx, f, "the server kept putting the message off: "+result.Response)
}

// Whatever else ended it meanwhile stands.
const failEnrollment = `
UPDATE enrollments SET status = 'failed', stop_reason = $4, ` + storage.NotHeld + `, next_step = NULL, next_send_at = NULL
WHERE workspace_id = $1 AND id = $2 AND run = $3 AND status IN ('active', 'held', 'paused', 'finished')`

// fail ends the run that a message belongs to since its prospect cannot be reached.
func fail(ctx context.Context, tx pgx.Tx, f InFlight, reason string) error {
	if _, err := tx.Exec(ctx, failEnrollment, f.Workspace, f.Enrollment, f.run, reason); err != nil {
		return fmt.Errorf("end enrollment as failed: %w", err)
	}
	_, err := storage.RefreshStatus(ctx, tx, f.Workspace, f.Prospect)
	return err
}

const sweepCommitting = `SELECT id FROM messages WHERE status = 'claimed' AND committed_at IS NOT NULL AND lease_until < clock_timestamp() LIMIT 500`

// SweepCommitting finds messages whose process died, or lost the database,
// between commit 2 and commit 3: nobody knows whether they left, and that is what
// they become. It gives how many there were.
func (l *Ledger) SweepCommitting(ctx context.Context) (int, error) {
	rows, err := l.db.Groups().Query(ctx, sweepCommitting)
	if err != nil {
		return 0, fmt.Errorf("look for lost messages: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return 0, fmt.Errorf("look for lost messages: %w", err)
	}
	swept := 0
	for _, id := range ids {
		err := l.db.Tx(ctx, func(tx pgx.Tx) error {
			f, err := LockInFlight(ctx, tx, id)
			if err != nil || f.Status != outreach.MessageCommitting {
				return err
			}
			var over bool
			if err := tx.QueryRow(ctx, "SELECT lease_until < clock_timestamp() FROM messages WHERE id = $1", id).Scan(&over); err != nil || !over {
				return err
			}
			swept++
			return l.settleUnknown(ctx, tx, f, "the sending process ended before the server's answer was recorded")
		})
		if err != nil {
			return swept, err
		}
	}
	return swept, nil
}
