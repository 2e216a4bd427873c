package sending

import (
	"context"
	"errors"
	"fmt"
	"outreach"
	"outreach/storage"
	"time"

	"github.com/jackc/pgx/v5"
)

// RecordBounce raises the bounced event (docs/reference.md#events: a final refusal or
// a final report, whatever its class).
func (l *Ledger) RecordBounce(ctx context.Context, tx pgx.Tx, f InFlight, text string) error {
	event, err := l.outbox.EventOf(ctx, tx, f.Workspace, f.Prospect, &f.Campaign, outreach.EventBounced)
	if err != nil {
		return err
	}
	if now := event.ProspectEmail; now != nil && outreach.FoldEmail(*now) != outreach.FoldEmail(f.Recipient) {
		event.ProspectEmail = &f.Recipient // it is not the new address that bounced
	}
	event.Metadata = outreach.BouncedMetadata{Error: text, Step: f.step}
	return l.outbox.Record(ctx, tx, event)
}

const noteFault = `UPDATE messages SET fault = $3 WHERE workspace_id = $1 AND id = $2`

// followRefusal does what a refusal during SMTP calls for, by whose fault it is.
func (l *Ledger) followRefusal(ctx context.Context, tx pgx.Tx, f InFlight, fault outreach.Fault, text string) error {
	if fault != outreach.FaultSender {
		return l.followFault(ctx, tx, f, fault)
	}
	if _, err := tx.Exec(ctx, noteFault, f.Workspace, f.ID, fault); err != nil {
		return fmt.Errorf("note fault: %w", err)
	}
	return l.blameMailbox(ctx, tx, f, text, false)
}

const markReported = `
UPDATE messages m SET status = 'bounced', smtp_response = $3, raw = NULL, reported = NOT EXISTS (
	SELECT FROM messages o WHERE o.workspace_id = $1 AND o.enrollment_id = m.enrollment_id AND o.run = m.run
		AND o.step = m.step AND o.id <> m.id
		AND (o.status NOT IN ('not_sent', 'bounced') OR o.reported))
WHERE m.workspace_id = $1 AND m.id = $2`

// ReportBounce stores that a message which a server had accepted was reported as
// not delivered: the bounced event and what follows by whose fault it is. byID
// says that the report holds one of our ids. The step never goes out again; where a
// person had it sent again before, that message stands for it.
func (l *Ledger) ReportBounce(ctx context.Context, tx pgx.Tx, f InFlight, report outreach.Bounce, byID bool) error {
	if f.Answer {
		return l.reportAnswer(ctx, tx, f, report)
	}
	if _, err := tx.Exec(ctx, markReported, f.Workspace, f.ID, report.Error); err != nil {
		return fmt.Errorf("mark message bounced: %w", err)
	}
	if err := l.RecordBounce(ctx, tx, f, report.Error); err != nil {
		return err
	}
	if report.Fault != outreach.FaultSender {
		return l.followFault(ctx, tx, f, report.Fault)
	}
	if _, err := tx.Exec(ctx, noteFault, f.Workspace, f.ID, report.Fault); err != nil {
		return fmt.Errorf("note fault: %w", err)
	}
	return l.holdReported(ctx, tx, f, report.Error, byID)
}

// followFault does what a bounce calls for that is not the sender's fault.
func (l *Ledger) followFault(ctx context.Context, tx pgx.Tx, f InFlight, fault outreach.Fault) error {
	if _, err := tx.Exec(ctx, noteFault, f.Workspace, f.ID, fault); err != nil {
		return fmt.Errorf("note fault: %w", err)
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

// Endable are the enrollments e that an answer to message one ends: those that run
// and, since its last step may be what is answered, the finished one that the
// message belongs to.
const Endable = `(e.status IN ('active', 'held', 'paused') OR e.status = 'finished' AND EXISTS (
	SELECT FROM messages m WHERE m.workspace_id = $1 AND m.id = one.message_id AND m.enrollment_id = e.id AND m.run = e.run))`

// EndAll ends the enrollments of a prospect that Endable names: workspace, prospect, message, status, reason.
const EndAll = `
UPDATE enrollments e SET status = $4, stop_reason = $5, ` + storage.Ended + `
FROM (SELECT $3::uuid AS message_id) one
WHERE e.workspace_id = $1 AND e.prospect_id = $2 AND ` + Endable

// deadAddress suppresses the address. The prospect bounced if that is still its
// own: everything that runs for it ends. Whoever was given another one since is
// written to there.
func (l *Ledger) deadAddress(ctx context.Context, tx pgx.Tx, f InFlight) error {
	address := f.Recipient
	tag, err := tx.Exec(ctx, markProspectBounced, f.Workspace, f.Prospect, l.db.Now(), outreach.FoldEmail(address))
	if err != nil {
		return fmt.Errorf("mark prospect bounced: %w", err)
	}
	if tag.RowsAffected() > 0 {
		end := outreach.EndBounced.Ending()
		if _, err := tx.Exec(ctx, EndAll, f.Workspace, f.Prospect, f.ID, end.Status, end.Reason); err != nil {
			return fmt.Errorf("end enrollments: %w", err)
		}
	}
	if _, _, err := l.db.Suppress(ctx, tx,
		outreach.Suppression{WorkspaceID: f.Workspace, Email: &address, Reason: outreach.SuppressedBounced}); err != nil {
		return err
	}
	return l.goOn(ctx, tx, f)
}

// The lock on the row makes two faults at a time count one after the other.
const blameMailbox = `
UPDATE mailboxes SET sender_faults = sender_faults + 1, last_error = $3
WHERE workspace_id = $1 AND id = $2 RETURNING email, sender_faults, seen_to_at`

// selectLastSent reads the last messages of a mailbox up to message $3, as far as a
// user has not seen to them ($4). A server may accept a message first and report on it
// later: the order is that of the messages.
const selectLastSent = `
SELECT m.recipient, m.fault IS NOT DISTINCT FROM 'sender'
FROM messages m
WHERE m.workspace_id = $1 AND m.mailbox_id = $2 AND m.status IN ('sent', 'bounced', 'unknown')
	AND m.sent_at <= coalesce((SELECT one.sent_at FROM messages one WHERE one.workspace_id = $1 AND one.id = $3), 'infinity')
	AND m.sent_at > coalesce($4, '-infinity'::timestamptz)
ORDER BY m.sent_at DESC, m.id DESC
LIMIT 200`

const pauseMailbox = `UPDATE mailboxes SET status = 'paused' WHERE workspace_id = $1 AND id = $2`

// An enrollment stands at the step that was refused, to send it again; where that
// or a later one has gone since, it stays where it is, as it does when it is over
// for good.
const setBack = `
UPDATE enrollments e SET status = CASE WHEN e.status = 'finished' THEN 'active' ELSE e.status END, mailbox_id = $6,
	next_step = $4, next_send_at = $5
WHERE e.workspace_id = $1 AND e.id = $2 AND e.run = $3 AND e.status IN ('active', 'held', 'paused', 'finished')
	AND EXISTS (SELECT FROM campaigns c WHERE c.workspace_id = $1 AND c.id = e.campaign_id AND c.status <> 'archived')
	AND EXISTS (SELECT FROM prospects p WHERE p.workspace_id = $1 AND p.id = e.prospect_id)
	AND NOT EXISTS (SELECT FROM messages m WHERE m.workspace_id = $1 AND m.enrollment_id = $2 AND m.run = $3 AND m.step >= $4
		AND (m.status NOT IN ('not_sent', 'bounced') OR m.reported) AND (m.status <> 'claimed' OR m.committed_at IS NOT NULL))`

// blame counts a fault of the mailbox that sent a message and returns its address,
// empty when it is gone. unnamed says that the refusal came before a recipient was
// named.
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
	rows, err := tx.Query(ctx, selectLastSent, f.Workspace, f.mailbox, f.ID, seenTo)
	if err != nil {
		return "", fmt.Errorf("list last messages: %w", err)
	}
	sent, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (m outreach.SentMessage, err error) {
		err = row.Scan(&m.Recipient, &m.SenderFault)
		return m, err
	})
	if err != nil {
		return "", fmt.Errorf("list last messages: %w", err)
	}
	if outreach.PausesMailbox(counted, unnamed, sent) {
		if _, err := tx.Exec(ctx, pauseMailbox, f.Workspace, f.mailbox); err != nil {
			return "", fmt.Errorf("pause mailbox: %w", err)
		}
	}
	return address, nil
}

const selectMailboxAddress = `SELECT email FROM mailboxes WHERE workspace_id = $1 AND id = $2`

// holdReported holds the enrollment before its next step, for a report of the
// sender's fault. What was accepted stays sent: the enrollment does not go back. The
// mailbox is blamed only by a report with one of our ids, which a stranger cannot
// write.
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

// blameMailbox follows a refusal during SMTP: the enrollment stands at the refused
// step again, held until a person has seen to the mailbox.
func (l *Ledger) blameMailbox(ctx context.Context, tx pgx.Tx, f InFlight, text string, unnamed bool) error {
	address, err := l.blame(ctx, tx, f, text, unnamed)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, setBack, f.Workspace, f.Enrollment, f.run, f.step, l.db.Now(), f.mailbox); err != nil {
		return fmt.Errorf("set enrollment back: %w", err)
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

// transientBounce lets the sequence go on, unless there were too many soft bounces.
func (l *Ledger) transientBounce(ctx context.Context, tx pgx.Tx, f InFlight) error {
	now := l.db.Now()
	rows, err := tx.Query(ctx, selectTransient, f.Workspace, f.Enrollment, f.run, outreach.SoftBounceSince(now))
	if err != nil {
		return fmt.Errorf("list soft bounces: %w", err)
	}
	bounced, err := pgx.CollectRows(rows, pgx.RowTo[time.Time])
	if err != nil {
		return fmt.Errorf("list soft bounces: %w", err)
	}
	if outreach.SoftBouncesEnd(bounced, now) {
		return fail(ctx, tx, f, outreach.EndSoftBounces.Ending())
	}
	return l.goOn(ctx, tx, f)
}

// goOn moves an enrollment that still runs past a message that was refused on the
// way out; one that bounced later has moved it already.
func (l *Ledger) goOn(ctx context.Context, tx pgx.Tx, f InFlight) error {
	if f.Status == outreach.MessageCommitting || f.Status == outreach.MessageClaimed {
		if err := moveOn(ctx, tx, f, l.db.Now()); err != nil {
			return err
		}
	}
	_, err := storage.RefreshStatus(ctx, tx, f.Workspace, f.Prospect)
	return err
}
