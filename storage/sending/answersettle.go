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

const postponeAnswer = `
UPDATE messages SET holder = NULL, lease_until = statement_timestamp() + $3::interval, smtp_response = coalesce($4, smtp_response),
	tries = tries - $5::int, committed_at = NULL
WHERE workspace_id = $1 AND id = $2`

const markAnswerUnknown = `
UPDATE messages SET status = 'unknown', smtp_response = $3, sent_at = coalesce(sent_at, committed_at, $4), holder = NULL, lease_until = NULL
WHERE workspace_id = $1 AND id = $2`

// SettleAnswer is commit 3. refused is the recipient that the server refused, or "". SettleAnswer
// does nothing if the answer was settled by proof meanwhile, or if another process holds it, unless
// the server accepted it: then it was certainly sent.
func (l *Ledger) SettleAnswer(ctx context.Context, answer outreach.Ref, holder string, result outreach.SendResult, refused string) error {
	return l.db.Tx(ctx, func(tx pgx.Tx) error {
		if result.Kind == outreach.SendSent {
			f, err := LockInFlight(ctx, tx, answer.WorkspaceID, answer.ID)
			if err != nil {
				return err
			}
			if f.Status != outreach.MessageSent && f.Status != outreach.MessageBounced {
				if err := l.answerSent(ctx, tx, f, result.Response); err != nil {
					return err
				}
			}
			batch := &pgx.Batch{}
			queueNamed(batch, answer.WorkspaceID, []settling{{answer, holder, result}})
			return send(ctx, tx, batch)
		}
		h, err := lockHeldAnswer(ctx, tx, answer, holder)
		if err != nil || h == nil {
			return err
		}
		return l.settleUnsentAnswer(ctx, tx, h, result, refused)
	})
}

func (l *Ledger) settleUnsentAnswer(ctx context.Context, tx pgx.Tx, h *heldAnswer, result outreach.SendResult, refused string) error {
	switch {
	case result.Kind == outreach.SendUnknown:
		return storage.Exec(ctx, tx, "mark answer unknown", markAnswerUnknown, h.workspace, h.id, result.Response,
			l.db.Now())
	case result.Kind == outreach.SendRefused && result.Fault == outreach.FaultRecipient:
		if err := l.suppressOwn(ctx, tx, h.workspace, h.prospect, refused); err != nil {
			return err
		}
		return l.giveUpAnswer(ctx, tx, h.workspace, h.id, &result.Response)
	case result.Kind == outreach.SendRefused, result.Kind == outreach.SendBlocked:
		return l.giveUpAnswer(ctx, tx, h.workspace, h.id, &result.Response)
	}
	next, ok := nextTryOf(h.tries, result)
	if !ok {
		return l.giveUpAnswer(ctx, tx, h.workspace, h.id, &result.Response)
	}
	return storage.Exec(ctx, tx, "postpone answer", postponeAnswer, h.workspace, h.id, next.wait, next.response,
		next.uncounted)
}

const selectOwnAddress = `SELECT p.email FROM prospects p WHERE p.workspace_id = $1 AND p.id = $2 AND p.email_key = $3`

// suppressOwn suppresses an address that does not exist if it is the prospect's own. Other
// addresses (cc, Reply-To) are not suppressed.
func (l *Ledger) suppressOwn(ctx context.Context, tx pgx.Tx, workspace, prospect uuid.UUID, address string) error {
	var own string
	err := tx.QueryRow(ctx, selectOwnAddress, workspace, prospect, outreach.CanonicalEmail(address)).Scan(&own)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the address of a prospect: %w", err)
	}
	_, err = l.db.Suppress(ctx, tx, outreach.Suppression{WorkspaceID: workspace, Email: &own, Reason: outreach.SuppressedBounced})
	return err
}

// answerSent settles an answer that a server accepted. Unlike a step it raises no event. An answer
// that was given up before is marked as sent, and its reply as done.
func (l *Ledger) answerSent(ctx context.Context, tx pgx.Tx, f InFlight, response string) error {
	at := l.db.Now()
	if f.committed != nil {
		at = *f.committed
	}
	batch := &pgx.Batch{}
	batch.Queue(markSent, f.Workspace, []uuid.UUID{f.ID}, []string{response}, at)
	if f.uncounted() {
		batch.Queue(countOne, f.Workspace, f.mailbox)
	}
	batch.Queue(noteContacts, f.Workspace, []uuid.UUID{f.Prospect}, []time.Time{at})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("settle answer: %w", err)
	}
	return nil
}

const markAnswerBounced = `
UPDATE messages SET status = 'bounced', smtp_response = $3, fault = $4, reported = true, raw = NULL WHERE workspace_id = $1 AND id = $2`

const noteReport = `UPDATE messages SET smtp_response = $3 WHERE workspace_id = $1 AND id = $2`

// reportAnswer stores that an answer was reported as not delivered. It raises no event. A report
// about a cc address changes the displayed response only. A report about an external answer changes
// nothing.
func (l *Ledger) reportAnswer(ctx context.Context, tx pgx.Tx, f InFlight, report outreach.Bounce) error {
	if f.external {
		return nil
	}
	if report.Address != "" && !outreach.SameEmail(report.Address, f.Recipient) {
		return storage.Exec(ctx, tx, "note report", noteReport, f.Workspace, f.ID, report.Address+": "+report.Error)
	}
	if err := storage.Exec(ctx, tx, "mark answer bounced", markAnswerBounced, f.Workspace, f.ID, report.Error,
		report.Fault); err != nil {
		return err
	}
	if report.Fault != outreach.FaultRecipient {
		return nil
	}
	return l.suppressOwn(ctx, tx, f.Workspace, f.Prospect, f.Recipient)
}

const selectLostAnswers = `
SELECT workspace_id, id FROM messages WHERE kind = 'answer' AND status = 'scheduled' AND committed_at IS NOT NULL
	AND lease_until < statement_timestamp()
ORDER BY send_at LIMIT 500`

const sweepAnswers = `
UPDATE messages SET status = 'unknown', smtp_response = $3, sent_at = committed_at, holder = NULL, lease_until = NULL
WHERE workspace_id = $1 AND id = ANY($2) AND kind = 'answer' AND status = 'scheduled' AND committed_at IS NOT NULL
	AND (lease_until < statement_timestamp()) IS TRUE`

// SweepAnswers sets answers to unknown whose process died, or lost the database, between commits 2
// and 3. It returns their number.
func (l *Ledger) SweepAnswers(ctx context.Context) (int, error) {
	lost, err := storage.Refs(ctx, l.db.Pool(), "look for lost answers", selectLostAnswers)
	if err != nil {
		return 0, err
	}
	swept := 0
	for workspace, some := range storage.ByWorkspace(lost, outreach.Ref.Workspace) {
		tag, err := l.db.Pool().Exec(ctx, sweepAnswers, workspace, outreach.IDsOf(some), lostAnswer)
		if err != nil {
			return swept, fmt.Errorf("sweep lost answers: %w", err)
		}
		swept += int(tag.RowsAffected())
	}
	return swept, nil
}

const selectUnfiled = `
SELECT m.id, m.message_id, m.sent_at, m.raw FROM messages m
WHERE m.workspace_id = $1 AND m.mailbox_id = $2 AND m.kind = 'answer' AND m.status = 'sent' AND m.filed_at IS NULL
	AND m.sent_at > $3 ORDER BY m.sent_at LIMIT 10`

// Unfiled returns up to ten answers of a mailbox, sent in the last 14 days, that are not known to
// be in its Sent folder.
func (l *Ledger) Unfiled(ctx context.Context, mailbox outreach.MailboxRef) ([]outreach.UnfiledAnswer, error) {
	return storage.Collect(ctx, l.db.Pool(), "list unfiled answers", func(row pgx.CollectableRow) (u outreach.UnfiledAnswer, err error) {
		err = row.Scan(&u.ID, &u.MessageID, &u.SentAt, &u.Raw)
		return u, err
	}, selectUnfiled, mailbox.WorkspaceID, mailbox.ID, l.db.Now().AddDate(0, 0, -14))
}

const markFiled = `UPDATE messages SET filed_at = $3, raw = NULL WHERE workspace_id = $1 AND id = ANY($2) AND filed_at IS NULL`

// Filed records that answers of a workspace are in the Sent folder.
func (l *Ledger) Filed(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) error {
	return storage.Exec(ctx, l.db.Pool(), "note filed answers", markFiled, workspace, ids, l.db.Now())
}
