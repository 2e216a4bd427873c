package sending

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// RecordBounce raises the bounced event for a final refusal or a final report of any class
// (docs/reference.md#events).
func (l *Ledger) RecordBounce(ctx context.Context, tx pgx.Tx, f InFlight, text string) error {
	event, err := l.outbox.EventOf(ctx, tx, f.Workspace, f.Prospect, &f.Campaign, outreach.EventBounced)
	if err != nil {
		return err
	}
	if now := event.ProspectEmail; now != nil && !outreach.SameEmail(*now, f.Recipient) {
		event.ProspectEmail = &f.Recipient // the address that bounced, which may differ from the prospect's present one
	}
	event.Metadata = outreach.BouncedMetadata{Error: text, Step: f.step}
	return l.outbox.Record(ctx, tx, event)
}

const noteFault = `UPDATE messages SET fault = $3 WHERE workspace_id = $1 AND id = $2`

// followRefusal applies the consequences of a refusal during SMTP, by who caused it.
func (l *Ledger) followRefusal(ctx context.Context, tx pgx.Tx, f InFlight, fault outreach.Fault, text string) error {
	if fault != outreach.FaultSender {
		return l.followFault(ctx, tx, f, fault)
	}
	if err := storage.Exec(ctx, tx, "note fault", noteFault, f.Workspace, f.ID, fault); err != nil {
		return err
	}
	return l.blameMailbox(ctx, tx, f, text, false)
}

const markReported = `
UPDATE messages m SET status = 'bounced', smtp_response = $3, raw = NULL, reported = NOT EXISTS (
	SELECT FROM messages o WHERE o.workspace_id = $1 AND o.enrollment_id = m.enrollment_id AND o.run = m.run
		AND o.step = m.step AND o.id <> m.id
		AND (o.status NOT IN ('not_sent', 'bounced') OR o.reported))
WHERE m.workspace_id = $1 AND m.id = $2`

// ReportBounce stores that a message which a server had accepted was reported as not delivered,
// raises the bounced event and applies the consequences, by who caused the fault. byID reports
// whether the report holds one of our Message-IDs. The step is never sent again; if a person had it
// sent again before, that message counts instead.
func (l *Ledger) ReportBounce(ctx context.Context, tx pgx.Tx, f InFlight, report outreach.Bounce, byID bool) error {
	if f.Answer {
		return l.reportAnswer(ctx, tx, f, report)
	}
	if err := storage.Exec(ctx, tx, "mark message bounced", markReported, f.Workspace, f.ID, report.Error); err != nil {
		return err
	}
	if err := l.RecordBounce(ctx, tx, f, report.Error); err != nil {
		return err
	}
	if report.Fault != outreach.FaultSender {
		return l.followFault(ctx, tx, f, report.Fault)
	}
	if err := storage.Exec(ctx, tx, "note fault", noteFault, f.Workspace, f.ID, report.Fault); err != nil {
		return err
	}
	return l.holdReported(ctx, tx, f, report.Error, byID)
}

// followFault applies the consequences of a bounce that the sender did not cause.
func (l *Ledger) followFault(ctx context.Context, tx pgx.Tx, f InFlight, fault outreach.Fault) error {
	if err := storage.Exec(ctx, tx, "note fault", noteFault, f.Workspace, f.ID, fault); err != nil {
		return err
	}
	if fault == outreach.FaultRecipient {
		if err := l.judge(ctx, tx, f); err != nil {
			return err
		}
		return l.deadAddress(ctx, tx, f)
	}
	return l.transientBounce(ctx, tx, f)
}

const markProspectBounced = `
UPDATE prospects SET bounced_at = coalesce(bounced_at, $3) WHERE workspace_id = $1 AND id = $2 AND email_key = $4`

// Endable matches the enrollments e that an answer to message one ends: those that run, and the
// finished one that the message belongs to, since the reply may answer its last step.
const Endable = `(e.status IN ('active', 'held', 'paused') OR e.status = 'finished' AND EXISTS (
	SELECT FROM messages m WHERE m.workspace_id = $1 AND m.id = one.message_id AND m.enrollment_id = e.id AND m.run = e.run))`

// EndAll ends the enrollments of a prospect that Endable matches. Its parameters are workspace,
// prospect, message, status and reason.
const EndAll = `
UPDATE enrollments e SET status = $4, stop_reason = $5, ` + storage.Ended + `
FROM (SELECT $3::uuid AS message_id) one
WHERE e.workspace_id = $1 AND e.prospect_id = $2 AND ` + Endable

// deadAddress suppresses the address. If it is still the prospect's address, the prospect is marked
// as bounced and all its running enrollments end. If the prospect has a new address, its
// enrollments continue.
func (l *Ledger) deadAddress(ctx context.Context, tx pgx.Tx, f InFlight) error {
	address := f.Recipient
	tag, err := tx.Exec(ctx, markProspectBounced, f.Workspace, f.Prospect, l.db.Now(), outreach.CanonicalEmail(address))
	if err != nil {
		return fmt.Errorf("mark prospect bounced: %w", err)
	}
	if tag.RowsAffected() > 0 {
		end := outreach.EndBounced.Ending()
		if err := storage.Exec(ctx, tx, "end enrollments", EndAll, f.Workspace, f.Prospect, f.ID, end.Status,
			end.Reason); err != nil {
			return err
		}
		if err := storage.WakeBound(ctx, tx, f.Workspace, []uuid.UUID{f.Prospect}); err != nil {
			return err
		}
	}
	if _, err := l.db.Suppress(ctx, tx,
		outreach.Suppression{WorkspaceID: f.Workspace, Email: &address, Reason: outreach.SuppressedBounced}); err != nil {
		return err
	}
	return l.goOn(ctx, tx, f)
}

// The lock on the row serialises concurrent faults of one mailbox.
const blameMailbox = `
UPDATE mailboxes SET sender_faults = sender_faults + 1, last_error = $3
WHERE workspace_id = $1 AND id = $2 RETURNING email, sender_faults, seen_to_at`

// selectLastSent reads the last messages of a mailbox up to message $3, as far as a user has not
// resumed the mailbox since ($4). For asynchronous bounces, "in a row" means message order.
const selectLastSent = `
SELECT m.recipient, m.fault IS NOT DISTINCT FROM 'sender'
FROM messages m
WHERE m.workspace_id = $1 AND m.mailbox_id = $2 AND m.status IN ('sent', 'bounced', 'unknown')
	AND m.sent_at <= coalesce((SELECT one.sent_at FROM messages one WHERE one.workspace_id = $1 AND one.id = $3), 'infinity')
	AND m.sent_at > coalesce($4, '-infinity'::timestamptz)
ORDER BY m.sent_at DESC, m.id DESC
LIMIT 200`

const pauseMailbox = `UPDATE mailboxes SET status = 'paused' WHERE workspace_id = $1 AND id = $2 AND status IN ('connected', 'error')`

// The enrollment goes back to the refused step, so that the step is sent again. It does not move if
// that step or a later one was sent meanwhile, or if it has ended for good.
const setBack = `
UPDATE enrollments e SET status = CASE WHEN e.status = 'finished' THEN 'active' ELSE e.status END, mailbox_id = $6,
	next_step = $4, next_send_at = $5
WHERE e.workspace_id = $1 AND e.id = $2 AND e.run = $3 AND e.status IN ('active', 'held', 'paused', 'finished')
	AND EXISTS (SELECT FROM campaigns c WHERE c.workspace_id = $1 AND c.id = e.campaign_id AND c.status <> 'archived')
	AND EXISTS (SELECT FROM prospects p WHERE p.workspace_id = $1 AND p.id = e.prospect_id)
	AND NOT EXISTS (SELECT FROM messages m WHERE m.workspace_id = $1 AND m.enrollment_id = $2 AND m.run = $3 AND m.step >= $4
		AND (m.status NOT IN ('not_sent', 'bounced') OR m.reported) AND (m.status <> 'claimed' OR m.committed_at IS NOT NULL))`

// blame counts a fault of the mailbox that sent a message, pauses the mailbox after too many, and
// returns its address, or "" if it is deleted. unnamed reports that the refusal came before RCPT.
func (l *Ledger) blame(ctx context.Context, tx pgx.Tx, f InFlight, text string, unnamed bool) (address string, err error) {
	var counted int
	var seenTo *time.Time
	err = tx.QueryRow(ctx, blameMailbox, f.Workspace, f.mailbox, "a message was refused: "+text).Scan(&address, &counted, &seenTo)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("blame mailbox: %w", err)
	}
	sent, err := storage.Collect(ctx, tx, "list last messages", func(row pgx.CollectableRow) (m outreach.SentMessage, err error) {
		err = row.Scan(&m.Recipient, &m.SenderFault)
		return m, err
	}, selectLastSent, f.Workspace, f.mailbox, f.ID, seenTo)
	if err != nil {
		return "", err
	}
	if outreach.PausesMailbox(counted, unnamed, sent) {
		if _, err := tx.Exec(ctx, pauseMailbox, f.Workspace, f.mailbox); err != nil {
			return "", fmt.Errorf("pause mailbox: %w", err)
		}
	}
	return address, nil
}

const selectMailboxAddress = `SELECT email FROM mailboxes WHERE workspace_id = $1 AND id = $2`

// holdReported holds the enrollment before its next step, after a report of the sender's fault.
// Accepted messages stay sent: the enrollment does not go back. The mailbox is blamed only for a
// report with one of our Message-IDs, because a stranger could forge any other.
func (l *Ledger) holdReported(ctx context.Context, tx pgx.Tx, f InFlight, text string, byID bool) (err error) {
	address := ""
	if byID {
		address, err = l.blame(ctx, tx, f, text, false)
	} else if err = tx.QueryRow(ctx, selectMailboxAddress, f.Workspace, f.mailbox).Scan(&address); errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("follow report: %w", err)
	}
	if err := holdForMailbox(ctx, tx, f, reportedReason(address, text)); err != nil {
		return err
	}
	_, err = storage.RefreshStatus(ctx, tx, f.Workspace, f.Prospect)
	return err
}

// blameMailbox handles a refusal during SMTP that the sender caused: the enrollment goes back to
// the refused step and is held until a person has resumed the mailbox or a check has passed.
func (l *Ledger) blameMailbox(ctx context.Context, tx pgx.Tx, f InFlight, text string, unnamed bool) error {
	address, err := l.blame(ctx, tx, f, text, unnamed)
	if err != nil {
		return err
	}
	if err := storage.Exec(ctx, tx, "set enrollment back", setBack, f.Workspace, f.Enrollment, f.run, f.step,
		l.db.Now(), f.mailbox); err != nil {
		return err
	}
	if err := holdForMailbox(ctx, tx, f, refusedReason(address, text)); err != nil {
		return err
	}
	_, err = storage.RefreshStatus(ctx, tx, f.Workspace, f.Prospect)
	return err
}

const selectTransient = `
SELECT m.sent_at FROM messages m WHERE m.workspace_id = $1 AND m.enrollment_id = $2 AND m.run = $3
	AND m.status = 'bounced' AND m.fault = 'transient' AND m.sent_at > $4`

// transientBounce continues the sequence, unless there were too many soft bounces.
func (l *Ledger) transientBounce(ctx context.Context, tx pgx.Tx, f InFlight) error {
	now := l.db.Now()
	bounced, err := storage.Values[time.Time](ctx, tx, "list soft bounces", selectTransient,
		f.Workspace, f.Enrollment, f.run, outreach.SoftBounceSince(now))
	if err != nil {
		return err
	}
	if outreach.SoftBouncesEnd(bounced, now) {
		return fail(ctx, tx, f, outreach.EndSoftBounces.Ending())
	}
	return l.goOn(ctx, tx, f)
}

// goOn moves a running enrollment past a message that was refused during SMTP. A message that
// bounced later has moved it before.
func (l *Ledger) goOn(ctx context.Context, tx pgx.Tx, f InFlight) error {
	if f.Status == outreach.MessageCommitting || f.Status == outreach.MessageClaimed {
		if err := moveOn(ctx, tx, f, l.db.Now()); err != nil {
			return err
		}
	}
	_, err := storage.RefreshStatus(ctx, tx, f.Workspace, f.Prospect)
	return err
}
