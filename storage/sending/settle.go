package sending

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// settling is one call of SettleMessage.
type settling struct {
	outreach.Ref
	holder string
	result outreach.SendResult
}

// SettleMessage is commit 3: it stores the server's answer and all consequences, events and their
// deliveries included. It does nothing if the message was settled by proof meanwhile, or if another
// process took it over: only the process that holds a message knows its outcome.
func (l *Ledger) SettleMessage(ctx context.Context, message outreach.Ref, holder string, result outreach.SendResult) error {
	_, err := l.settles.Do(ctx, settling{message, holder, result})
	return err
}

// settleBatch is commit 3 for several messages with any outcome. Sent ones are settled in a few
// statements, the others one by one. It returns ErrNotFound for each message that is deleted.
func (l *Ledger) settleBatch(ctx context.Context, calls []settling) (results []error, err error) {
	results = make([]error, len(calls))
	err = l.db.GroupTx(ctx, func(tx pgx.Tx) error {
		there, writes := map[uuid.UUID]bool{}, &pgx.Batch{}
		for workspace, some := range storage.ByWorkspace(calls, settling.Workspace) {
			if err := send(ctx, tx, writes); err != nil { // of the workspace before
				return err
			}
			writes = &pgx.Batch{}
			if err := l.settleOf(ctx, tx, workspace, some, there, writes); err != nil {
				return err
			}
		}
		for i, call := range calls {
			if results[i] = nil; !there[call.ID] {
				results[i] = outreach.ErrNotFound
			}
		}
		if err := storage.CommitWith(ctx, tx, writes); err != nil {
			return fmt.Errorf("settle messages: %w", err)
		}
		return nil
	})
	return results, err
}

// settleOf is settleBatch for messages of one workspace. It adds the messages that exist to there, and the
// statements that settle the sent ones to writes.
func (l *Ledger) settleOf(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, calls []settling, there map[uuid.UUID]bool,
	writes *pgx.Batch) error {
	of := make(map[uuid.UUID]settling, len(calls))
	ids := make([]uuid.UUID, len(calls))
	for i, call := range calls {
		ids[i], of[call.ID] = call.ID, call
	}
	var locked []InFlight
	contexts := sentContexts{}
	batch := &pgx.Batch{}
	batch.Queue(lockMessages, workspace, storage.InOrder(ids)).Query(func(rows pgx.Rows) (err error) {
		locked, err = inFlightColumns.Collect(rows, nil)
		return err
	})
	contexts.queue(batch, workspace, ids)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("lock and read messages: %w", err)
	}
	var sent []accepted
	for _, f := range locked {
		there[f.ID] = true
		call := of[f.ID]
		var err error
		switch {
		case !call.settles(&f):
		case f.Status == outreach.MessageNotSent:
			err = l.Prove(ctx, tx, &f)
		case call.result.Kind == outreach.SendSent:
			sent = append(sent, accepted{InFlight: f, response: call.result.Response})
		default:
			err = l.settleUnsent(ctx, tx, f, call.result)
		}
		if err != nil {
			return err
		}
	}
	if err := l.queueSent(writes, workspace, sent, contexts); err != nil {
		return err
	}
	queueNamed(writes, workspace, calls)
	return nil
}

// settles reports whether the result may be stored: the caller holds the message, or the message is
// unknown or was taken over and the server accepted it.
func (s *settling) settles(f *InFlight) bool {
	if s.result.Kind == outreach.SendSent && (f.Status == outreach.MessageUnknown || f.Status == outreach.MessageNotSent) {
		return true
	}
	return f.holder != nil && *f.holder == s.holder && f.open()
}

// settleUnsent settles a message that was not accepted.
func (l *Ledger) settleUnsent(ctx context.Context, tx pgx.Tx, f InFlight, result outreach.SendResult) error {
	switch result.Kind {
	case outreach.SendUnknown:
		return l.settleUnknown(ctx, tx, f, result.Response)
	case outreach.SendRefused:
		return l.settleRefused(ctx, tx, f, result)
	case outreach.SendBlocked:
		return l.settleBlocked(ctx, tx, f, result.Response)
	}
	return l.settleLater(ctx, tx, f, result)
}

// maxTries bounds how often a message is tried. With the waits of nextTryOf that takes about
// three days.
const maxTries = 30

// soonTries is how often a failed connection is tried again after a minute.
const soonTries = 5

// uncommittedWait is the wait before a message that could not reach commit 2 is tried again.
const uncommittedWait = 5 * time.Second

// nextTry is when a message that was not sent is tried again.
type nextTry struct {
	wait      time.Duration
	response  *string // nil keeps what the server answered before
	uncounted int     // 1 if the last try does not count
}

// nextTryOf returns the try after a result, or false after the last one. The wait is 15 minutes at
// first and at most three hours. A try that this service itself ended does not count.
func nextTryOf(tries int, result outreach.SendResult) (next nextTry, ok bool) {
	switch {
	case result.Kind == outreach.SendUncommitted:
		return nextTry{wait: uncommittedWait, uncounted: 1}, true
	case tries >= maxTries:
		return nextTry{}, false
	case result.Kind == outreach.SendFailed && tries <= soonTries:
		return nextTry{wait: time.Minute, response: &result.Response}, true
	}
	return nextTry{wait: min(time.Duration(tries)*15*time.Minute, 3*time.Hour), response: &result.Response}, true
}

const markMessage = `
UPDATE messages SET status = $3, smtp_response = $4, sent_at = coalesce(sent_at, committed_at, $5), raw = CASE
	WHEN $3 = 'unknown' THEN raw END, holder = NULL, lease_until = NULL
WHERE workspace_id = $1 AND id = $2`

// The prospect was written to from this mailbox and keeps it.
const keepMailbox = `
UPDATE enrollments SET mailbox_id = $3 WHERE workspace_id = $1 AND id = $2 AND run = $4 AND mailbox_id IS DISTINCT FROM $3`

func (l *Ledger) mark(ctx context.Context, tx pgx.Tx, f InFlight, status outreach.MessageStatus, response string) error {
	if _, err := tx.Exec(ctx, markMessage, f.Workspace, f.ID, status, response, l.db.Now()); err != nil {
		return fmt.Errorf("mark message %s: %w", status, err)
	}
	if f.uncounted() {
		if err := storage.Exec(ctx, tx, "count message", countOne, f.Workspace, f.mailbox); err != nil {
			return err
		}
	}
	return storage.Exec(ctx, tx, "keep mailbox", keepMailbox, f.Workspace, f.Enrollment, f.mailbox, f.run)
}

func (l *Ledger) settleUnknown(ctx context.Context, tx pgx.Tx, f InFlight, response string) error {
	if err := l.mark(ctx, tx, f, outreach.MessageUnknown, response); err != nil {
		return err
	}
	reason := fmt.Sprintf("it is not known whether step %d was sent; look in the Sent folder and resolve the message", f.step)
	return holdRun(ctx, tx, f, storage.Hold{Kind: outreach.HoldUnknown, Reason: reason})
}

// settleRefused settles a final refusal: the message is bounced and raises the event. The other
// consequences depend on who caused the fault.
func (l *Ledger) settleRefused(ctx context.Context, tx pgx.Tx, f InFlight, result outreach.SendResult) error {
	if err := l.mark(ctx, tx, f, outreach.MessageBounced, result.Response); err != nil {
		return err
	}
	if err := l.RecordBounce(ctx, tx, f, result.Response); err != nil {
		return err
	}
	return l.followRefusal(ctx, tx, f, result.Fault, result.Response)
}

// settleBlocked settles a refusal of the sender before RCPT: the message did not bounce, the
// mailbox is blamed, and the step waits as if it had never been claimed.
func (l *Ledger) settleBlocked(ctx context.Context, tx pgx.Tx, f InFlight, response string) error {
	if err := storage.Release(ctx, tx, storage.ReleaseMessage, f.Workspace, f.ID, l.db.Now()); err != nil {
		return err
	}
	return l.blameMailbox(ctx, tx, f, response, true)
}

// A message that waits for its next try does not block the queue.
const postponeMessage = `
WITH m AS (
	UPDATE messages SET holder = NULL, lease_until = statement_timestamp() + $3, smtp_response = coalesce($4, smtp_response),
		tries = tries - $5::int, status = 'claimed', sent_at = NULL, committed_at = NULL
	WHERE workspace_id = $1 AND id = $2
	RETURNING enrollment_id, run, step, mailbox_id
)
UPDATE enrollments e SET mailbox_id = m.mailbox_id, next_send_at = NULL
FROM m WHERE e.workspace_id = $1 AND e.id = m.enrollment_id AND e.run = m.run AND e.next_step = m.step`

// settleLater keeps a message that was not sent claimed until its next try. After the last try the
// enrollment fails.
func (l *Ledger) settleLater(ctx context.Context, tx pgx.Tx, f InFlight, result outreach.SendResult) error {
	if next, ok := nextTryOf(f.tries, result); ok {
		return storage.Exec(ctx, tx, "postpone message", postponeMessage, f.Workspace, f.ID, next.wait,
			next.response, next.uncounted)
	}
	if err := l.mark(ctx, tx, f, outreach.MessageBounced, result.Response); err != nil {
		return err
	}
	if err := l.RecordBounce(ctx, tx, f, result.Response); err != nil {
		return err
	}
	return fail(ctx, tx, f, outreach.EndPutOff.Ending().With(result.Response))
}

// An enrollment that has ended otherwise meanwhile is not changed.
const failEnrollment = `
UPDATE enrollments SET status = $4, stop_reason = $5, ` + storage.Ended + `
WHERE workspace_id = $1 AND id = $2 AND run = $3 AND status IN ('active', 'held', 'paused', 'finished')`

// fail ends the run of a message as failed, because its prospect cannot be reached.
func fail(ctx context.Context, tx pgx.Tx, f InFlight, end outreach.Ending) error {
	if err := storage.Exec(ctx, tx, "end enrollment as failed", failEnrollment, f.Workspace, f.Enrollment, f.run,
		end.Status, end.Reason); err != nil {
		return err
	}
	if err := storage.WakeIfEnded(ctx, tx, f.Workspace, f.Enrollment); err != nil {
		return err
	}
	_, err := storage.RefreshStatus(ctx, tx, f.Workspace, f.Prospect)
	return err
}

const sweepCommitting = `
SELECT workspace_id, id FROM messages WHERE kind = 'step' AND status = 'claimed' AND committed_at IS NOT NULL
	AND lease_until < statement_timestamp() LIMIT 500`

const selectLeaseOver = `SELECT lease_until < statement_timestamp() FROM messages WHERE workspace_id = $1 AND id = $2`

// lostAnswer is the smtp_response of a message that became unknown because its process died.
const lostAnswer = "the sending process ended before the server's answer was recorded"

// SweepSteps sets steps to unknown whose process died, or lost the database, between commits 2
// and 3. It returns their number.
func (l *Ledger) SweepSteps(ctx context.Context) (int, error) {
	lost, err := storage.Refs(ctx, l.db.Groups(), "look for lost messages", sweepCommitting)
	if err != nil {
		return 0, err
	}
	swept := 0
	for _, m := range lost {
		err := l.db.Tx(ctx, func(tx pgx.Tx) error {
			f, err := LockInFlight(ctx, tx, m.WorkspaceID, m.ID)
			if err != nil || f.Status != outreach.MessageCommitting {
				return err
			}
			var over bool
			if err := tx.QueryRow(ctx, selectLeaseOver, m.WorkspaceID, m.ID).Scan(&over); err != nil || !over {
				return err
			}
			swept++
			return l.settleUnknown(ctx, tx, f, lostAnswer)
		})
		if err != nil {
			return swept, err
		}
	}
	return swept, nil
}
