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

// The ledger of an answer has the same three commits as that of a step (docs/reference.md#ledger).
// The status of the row is `scheduled` until the third.
//
// Commit 1, ClaimAnswers, stores a holder, a lease and the bytes. If the process dies before it,
// nothing has happened. If it dies after it, another process sends the same bytes when the lease
// has ended.
//
// Commit 2, CommitAnswer, comes just before the final dot. If the process dies before it, the
// answer was not sent. If it dies after it, the answer may have been sent and becomes unknown.
//
// Commit 3, SettleAnswer, stores what the server answered.

// maxAnswersOfOne bounds how many answers of one workspace are in progress, so that a workspace
// whose servers hang does not block the others.
const maxAnswersOfOne = 4

// dueAnswer is an answer that is about to be claimed.
type dueAnswer struct {
	outreach.OutgoingAnswer
	bytes outreach.AnswerBytes
}

var dueAnswerColumns = storage.NewColumns(func(d *dueAnswer) []storage.Column {
	return []storage.Column{
		{SQL: "m.id", To: &d.ID},
		{SQL: "m.workspace_id", To: &d.WorkspaceID},
		{SQL: "m.mailbox_id", To: &d.MailboxID},
		{SQL: "m.message_id", To: &d.MessageID},
		{SQL: "m.recipient", To: &d.Recipient},
		{SQL: "m.cc", To: &d.Cc},
		{SQL: "m.subject", To: &d.bytes.Subject},
		{SQL: "m.body_html", To: &d.bytes.BodyHTML},
		{SQL: "m.body_text", To: &d.bytes.BodyText},
		{SQL: "m.thread", To: &d.bytes.Thread},
		{SQL: "m.raw", To: &d.Raw},
		{SQL: "m.tries", To: &d.Tries},
		{SQL: "concat_ws(' ', p.first_name, p.last_name)", To: &d.bytes.Name},
	}
})

// The first due answers of each workspace, after those in progress. An answer that its server
// deferred has a lease without a holder.
const selectDueAnswers = `
SELECT one.workspace_id, one.id FROM (
	SELECT m.workspace_id, m.id, m.send_at, m.committed_at IS NULL AND (m.lease_until IS NULL OR m.lease_until < $4) AS free,
		row_number() OVER (PARTITION BY m.workspace_id ORDER BY m.holder IS NULL, m.send_at, m.id) AS place
	FROM messages m WHERE m.status = 'scheduled' AND m.send_at <= $1
		AND (m.holder IS NOT NULL OR m.lease_until IS NULL OR m.lease_until < $4)
) one WHERE one.free AND one.place <= $2 ORDER BY one.send_at, one.id LIMIT $3`

var lockDueAnswers = `
SELECT ` + dueAnswerColumns.SQL + `
FROM messages m LEFT JOIN prospects p ON p.workspace_id = $1 AND p.id = m.prospect_id
WHERE m.workspace_id = $1 AND m.id = ANY($2) AND m.status = 'scheduled' AND m.committed_at IS NULL
	AND (m.lease_until IS NULL OR m.lease_until < $3)
ORDER BY m.id FOR UPDATE OF m SKIP LOCKED`

const holdAnswer = `
UPDATE messages SET holder = $3, lease_until = $4, tries = tries + 1, raw = $5 WHERE workspace_id = $1 AND id = $2`

// ClaimAnswers is commit 1 for up to most due answers, at most four of one workspace. compose
// returns the bytes of an answer that is claimed for the first time. An answer that cannot be
// composed, or whose mailbox is deleted, is given up with the reason.
func (l *Ledger) ClaimAnswers(ctx context.Context, holder string, most int,
	compose func(outreach.AnswerBytes) ([]byte, error)) (out []outreach.OutgoingAnswer, err error) {
	rows, err := l.db.Pool().Query(ctx, selectDueAnswers, l.db.Now(), maxAnswersOfOne, most, time.Now())
	if err != nil {
		return nil, fmt.Errorf("look for answers: %w", err)
	}
	due, err := pgx.CollectRows(rows, pgx.RowToStructByPos[outreach.Ref])
	if err != nil {
		return nil, fmt.Errorf("look for answers: %w", err)
	}
	err = storage.ByWorkspace(due, outreach.Ref.Workspace, func(workspace uuid.UUID, some []outreach.Ref) error {
		claimed, err := l.claimAnswersOf(ctx, workspace, outreach.IDsOf(some), holder, compose)
		out = append(out, claimed...)
		return err
	})
	return out, err
}

// claimAnswersOf is ClaimAnswers for answers of one workspace. Answers that another process holds
// are left out.
func (l *Ledger) claimAnswersOf(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID, holder string,
	compose func(outreach.AnswerBytes) ([]byte, error)) (out []outreach.OutgoingAnswer, err error) {
	err = l.db.Tx(ctx, func(tx pgx.Tx) error {
		out = nil
		if may, err := l.guard.mayClaim(ctx, tx); err != nil || !may {
			return err
		}
		due, err := dueAnswerColumns.Query(ctx, tx, lockDueAnswers, workspace, ids, time.Now())
		if err != nil {
			return fmt.Errorf("lock answers: %w", err)
		}
		for i := range due {
			due[i].bytes.Date = l.db.Now()
			one, err := l.claimAnswer(ctx, tx, holder, &due[i], compose)
			if err != nil {
				return err
			}
			if one != nil {
				out = append(out, *one)
			}
		}
		return nil
	})
	return out, err
}

func (l *Ledger) claimAnswer(ctx context.Context, tx pgx.Tx, holder string, d *dueAnswer,
	compose func(outreach.AnswerBytes) ([]byte, error)) (*outreach.OutgoingAnswer, error) {
	if len(d.Raw) == 0 {
		box, err := storage.Mailboxes.One(ctx, tx, d.WorkspaceID, d.MailboxID)
		if errors.Is(err, outreach.ErrNotFound) {
			return nil, l.giveUpAnswer(ctx, tx, d.WorkspaceID, d.ID, new("the mailbox was deleted"))
		}
		if err != nil {
			return nil, err
		}
		b := &d.bytes
		b.ID, b.Mailbox, b.MessageID, b.To, b.Cc = d.ID, box, d.MessageID, d.Recipient, d.Cc
		if d.Raw, err = compose(*b); err != nil {
			return nil, l.giveUpAnswer(ctx, tx, d.WorkspaceID, d.ID, new("the answer cannot be composed: "+err.Error()))
		}
	}
	if _, err := tx.Exec(ctx, holdAnswer, d.WorkspaceID, d.ID, holder, time.Now().Add(outreach.LeaseLength), d.Raw); err != nil {
		return nil, fmt.Errorf("claim answer: %w", err)
	}
	d.Tries++
	return &d.OutgoingAnswer, nil
}

// heldAnswer is an answer between commit 1 and commit 3.
type heldAnswer struct {
	workspace, id, prospect, replyID uuid.UUID
	recipient                        string
	cc                               []string
	tries                            int
	committed                        *time.Time
}

var heldColumns = storage.NewColumns(func(h *heldAnswer) []storage.Column {
	return []storage.Column{
		{SQL: "m.workspace_id", To: &h.workspace},
		{SQL: "m.id", To: &h.id},
		{SQL: "m.prospect_id", To: &h.prospect},
		{SQL: "m.reply_id", To: &h.replyID},
		{SQL: "m.recipient", To: &h.recipient},
		{SQL: "m.cc", To: &h.cc},
		{SQL: "m.tries", To: &h.tries},
		{SQL: "m.committed_at", To: &h.committed},
	}
})

var lockHeld = `
SELECT ` + heldColumns.SQL + ` FROM messages m
WHERE m.workspace_id = $1 AND m.id = $2 AND m.kind = 'answer' AND m.status = 'scheduled' AND m.holder = $3 FOR UPDATE`

// lockHeldAnswer locks an answer that the process holds. It returns nil if the process no longer
// holds it.
func lockHeldAnswer(ctx context.Context, tx pgx.Tx, answer outreach.Ref, holder string) (*heldAnswer, error) {
	h, err := heldColumns.QueryOne(ctx, tx, lockHeld, answer.WorkspaceID, answer.ID, holder)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lock answer: %w", err)
	}
	return &h, nil
}

const commitAnswer = `UPDATE messages SET committed_at = $3 WHERE workspace_id = $1 AND id = $2 AND lease_until > $4`

// CommitAnswer is commit 2. Under the lock of the answer it checks again whether the answer may be
// sent. It returns ErrWithdrawn if not, or if another process holds it: the caller then closes the
// connection before the final dot and has nothing to settle.
func (l *Ledger) CommitAnswer(ctx context.Context, answer outreach.Ref, holder string) error {
	withdrawn := false
	var count int64
	err := l.db.Tx(ctx, func(tx pgx.Tx) error {
		h, err := lockHeldAnswer(ctx, tx, answer, holder)
		if err != nil {
			return err
		}
		if withdrawn = h == nil || h.committed != nil; withdrawn {
			return nil
		}
		reason, err := l.againstAnswer(ctx, tx, h)
		if err != nil {
			return err
		}
		if reason != nil {
			withdrawn = true
			return l.giveUpAnswer(ctx, tx, h.workspace, h.id, reason)
		}
		tag, err := tx.Exec(ctx, commitAnswer, h.workspace, h.id, l.db.Now(), time.Now())
		if err != nil {
			return fmt.Errorf("commit answer: %w", err)
		}
		if withdrawn = tag.RowsAffected() == 0; withdrawn {
			return nil
		}
		count, err = l.countCommits(ctx, tx, h.workspace, 1)
		return err
	})
	switch {
	case err != nil:
		return err
	case withdrawn:
		return ErrWithdrawn
	}
	l.guard.saw(answer.WorkspaceID, count)
	return nil
}

// againstAnswer returns why an answer must no longer be sent, or nil.
func (l *Ledger) againstAnswer(ctx context.Context, tx pgx.Tx, h *heldAnswer) (*string, error) {
	reply, err := storage.Replies.One(ctx, tx, h.workspace, h.replyID)
	if errors.Is(err, outreach.ErrNotFound) {
		return new("the reply was deleted"), nil
	}
	if err != nil {
		return nil, err
	}
	obstacle, refused, err := answerObstacle(ctx, tx, &reply, h.recipient, h.cc)
	switch {
	case errors.Is(err, outreach.ErrNotFound):
		return new("the prospect was deleted"), nil
	case err != nil:
		return nil, err
	case obstacle == outreach.ObstacleSuppressed:
		return new("the address is suppressed"), nil
	case obstacle == outreach.ObstacleUnsubscribed:
		return new("the prospect asked for no more mail"), nil
	}
	for _, address := range h.cc {
		if refused[outreach.FoldEmail(address)] {
			return new(address + " is suppressed"), nil
		}
	}
	return nil, nil
}

const postponeAnswer = `
UPDATE messages SET holder = NULL, lease_until = $3, smtp_response = $4, committed_at = NULL WHERE workspace_id = $1 AND id = $2`

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
			if err != nil || f.Status == outreach.MessageSent || f.Status == outreach.MessageBounced {
				return err
			}
			return l.answerSent(ctx, tx, f, result.Response)
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
		if _, err := tx.Exec(ctx, markAnswerUnknown, h.workspace, h.id, result.Response, l.db.Now()); err != nil {
			return fmt.Errorf("mark answer unknown: %w", err)
		}
		return nil
	case result.Kind == outreach.SendRefused && result.Fault == outreach.FaultRecipient:
		if err := l.suppressOwn(ctx, tx, h.workspace, h.prospect, refused); err != nil {
			return err
		}
		return l.giveUpAnswer(ctx, tx, h.workspace, h.id, &result.Response)
	case result.Kind == outreach.SendRefused, result.Kind == outreach.SendBlocked, h.tries >= maxTries:
		return l.giveUpAnswer(ctx, tx, h.workspace, h.id, &result.Response)
	}
	until := time.Now().Add(untilNextTry(h.tries, result.Kind))
	if _, err := tx.Exec(ctx, postponeAnswer, h.workspace, h.id, until, result.Response); err != nil {
		return fmt.Errorf("postpone answer: %w", err)
	}
	return nil
}

const selectOwnAddress = `SELECT p.email FROM prospects p WHERE p.workspace_id = $1 AND p.id = $2 AND p.email_key = $3`

// suppressOwn suppresses an address that does not exist if it is the prospect's own. Other
// addresses (cc, Reply-To) are not suppressed.
func (l *Ledger) suppressOwn(ctx context.Context, tx pgx.Tx, workspace, prospect uuid.UUID, address string) error {
	var own string
	err := tx.QueryRow(ctx, selectOwnAddress, workspace, prospect, outreach.FoldEmail(address)).Scan(&own)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the address of a prospect: %w", err)
	}
	_, _, err = l.db.Suppress(ctx, tx, outreach.Suppression{WorkspaceID: workspace, Email: &own, Reason: outreach.SuppressedBounced})
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
// about a cc address changes the displayed response only.
func (l *Ledger) reportAnswer(ctx context.Context, tx pgx.Tx, f InFlight, report outreach.Bounce) error {
	if report.Address != "" && outreach.FoldEmail(report.Address) != outreach.FoldEmail(f.Recipient) {
		if _, err := tx.Exec(ctx, noteReport, f.Workspace, f.ID, report.Address+": "+report.Error); err != nil {
			return fmt.Errorf("note report: %w", err)
		}
		return nil
	}
	if _, err := tx.Exec(ctx, markAnswerBounced, f.Workspace, f.ID, report.Error, report.Fault); err != nil {
		return fmt.Errorf("mark answer bounced: %w", err)
	}
	if report.Fault != outreach.FaultRecipient {
		return nil
	}
	return l.suppressOwn(ctx, tx, f.Workspace, f.Prospect, f.Recipient)
}

const selectLostAnswers = `
SELECT workspace_id, id FROM messages WHERE status = 'scheduled' AND committed_at IS NOT NULL AND lease_until < $1
ORDER BY send_at LIMIT 500`

const sweepAnswers = `
UPDATE messages SET status = 'unknown', smtp_response = $4, sent_at = committed_at, holder = NULL, lease_until = NULL
WHERE workspace_id = $1 AND id = ANY($2) AND status = 'scheduled' AND committed_at IS NOT NULL AND lease_until < $3`

// SweepAnswers sets answers to unknown whose process died, or lost the database, between commits 2
// and 3. It returns their number.
func (l *Ledger) SweepAnswers(ctx context.Context) (int, error) {
	now := time.Now()
	rows, err := l.db.Pool().Query(ctx, selectLostAnswers, now)
	if err != nil {
		return 0, fmt.Errorf("look for lost answers: %w", err)
	}
	lost, err := pgx.CollectRows(rows, pgx.RowToStructByPos[outreach.Ref])
	if err != nil {
		return 0, fmt.Errorf("look for lost answers: %w", err)
	}
	swept := 0
	err = storage.ByWorkspace(lost, outreach.Ref.Workspace, func(workspace uuid.UUID, some []outreach.Ref) error {
		tag, err := l.db.Pool().Exec(ctx, sweepAnswers, workspace, outreach.IDsOf(some), now, lostAnswer)
		if err != nil {
			return fmt.Errorf("sweep lost answers: %w", err)
		}
		swept += int(tag.RowsAffected())
		return nil
	})
	return swept, err
}

const selectUnfiled = `
SELECT m.id, m.message_id, m.sent_at, m.raw FROM messages m
WHERE m.workspace_id = $1 AND m.mailbox_id = $2 AND m.kind = 'answer' AND m.status = 'sent' AND m.filed_at IS NULL
	AND m.sent_at > $3 ORDER BY m.sent_at LIMIT 10`

// Unfiled returns up to ten answers of a mailbox, sent in the last 14 days, that are not known to
// be in its Sent folder.
func (l *Ledger) Unfiled(ctx context.Context, mailbox outreach.MailboxRef) ([]outreach.UnfiledAnswer, error) {
	rows, err := l.db.Pool().Query(ctx, selectUnfiled, mailbox.WorkspaceID, mailbox.ID, l.db.Now().AddDate(0, 0, -14))
	if err != nil {
		return nil, fmt.Errorf("list unfiled answers: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (u outreach.UnfiledAnswer, err error) {
		err = row.Scan(&u.ID, &u.MessageID, &u.SentAt, &u.Raw)
		return u, err
	})
}

const markFiled = `UPDATE messages SET filed_at = $3, raw = NULL WHERE workspace_id = $1 AND id = ANY($2) AND filed_at IS NULL`

// Filed records that answers of a workspace are in the Sent folder.
func (l *Ledger) Filed(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) error {
	if _, err := l.db.Pool().Exec(ctx, markFiled, workspace, ids, l.db.Now()); err != nil {
		return fmt.Errorf("note filed answers: %w", err)
	}
	return nil
}
