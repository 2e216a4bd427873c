package sending

import (
	"context"

	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// A claim for the enrollment holds the same lock.
const lockEnrollmentRow = `SELECT FROM enrollments WHERE workspace_id = $1 AND id = $2 FOR UPDATE`

const selectWentAgain = `
SELECT EXISTS (SELECT FROM messages WHERE workspace_id = $1 AND enrollment_id = $2 AND run = $3 AND step = $4
	AND (status NOT IN ('not_sent', 'bounced') OR reported))`

// Prove settles a message as sent that is not settled yet: a reference to a message (a reply, a
// click, a report) proves that it was sent. If its sender is still working, it finds the message
// settled. Proof also overrides a person's resolution "not sent", as long as the step was not sent
// again.
func (l *Ledger) Prove(ctx context.Context, tx pgx.Tx, f *InFlight) error {
	if f.Answer {
		return l.proveAnswer(ctx, tx, f)
	}
	if f.Status == outreach.MessageNotSent {
		if err := storage.Exec(ctx, tx, "lock enrollment", lockEnrollmentRow, f.Workspace, f.Enrollment); err != nil {
			return err
		}
		var again bool
		if err := tx.QueryRow(ctx, selectWentAgain, f.Workspace, f.Enrollment, f.run, f.step).Scan(&again); err != nil || again {
			return err
		}
	}
	if !f.Provable() {
		return nil
	}
	err := l.settleSent(ctx, tx, f.Workspace, []accepted{{InFlight: *f, response: provenResponse}})
	f.Status = outreach.MessageSent
	return err
}

// proveAnswer is Prove for an answer.
func (l *Ledger) proveAnswer(ctx context.Context, tx pgx.Tx, f *InFlight) error {
	if !f.Provable() {
		return nil
	}
	f.Status = outreach.MessageSent
	return l.answerSent(ctx, tx, *f, provenResponse)
}

// provenResponse is the smtp_response of a message that was proven, because the server's answer was
// lost.
const provenResponse = "proven by a reply, a report or a click"

const selectUnknowns = `
SELECT workspace_id, id, message_id, recipient, coalesce(filed_id, '') FROM messages WHERE workspace_id = $1 AND mailbox_id = $2
	AND kind IN ('step', 'answer') AND status = 'unknown' AND sent_at > $3 ORDER BY sent_at DESC LIMIT 50`

// Unknowns returns the unknown messages of a mailbox, to be searched in its Sent folder.
func (l *Ledger) Unknowns(ctx context.Context, mailbox outreach.MailboxRef) ([]outreach.Outgoing, error) {
	return storage.Collect(ctx, l.db.Pool(), "list unknown messages", func(row pgx.CollectableRow) (o outreach.Outgoing, err error) {
		err = row.Scan(&o.WorkspaceID, &o.ID, &o.MessageID, &o.Recipient, &o.CopyID)
		return o, err
	}, selectUnknowns, mailbox.WorkspaceID, mailbox.ID, l.db.Now().AddDate(0, 0, -14))
}
