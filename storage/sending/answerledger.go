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
	SELECT m.workspace_id, m.id, m.send_at,
		m.committed_at IS NULL AND (m.lease_until IS NULL OR m.lease_until < statement_timestamp()) AS free,
		row_number() OVER (PARTITION BY m.workspace_id ORDER BY m.holder IS NULL, m.send_at, m.id) AS place
	FROM messages m WHERE m.kind = 'answer' AND m.status = 'scheduled' AND m.send_at <= $1
		AND (m.holder IS NOT NULL OR m.lease_until IS NULL OR m.lease_until < statement_timestamp())
) one WHERE one.free AND one.place <= $2 ORDER BY one.send_at, one.id LIMIT $3`

var lockDueAnswers = `
SELECT ` + dueAnswerColumns.SQL + `
FROM messages m LEFT JOIN prospects p ON p.workspace_id = $1 AND p.id = m.prospect_id
WHERE m.workspace_id = $1 AND m.id = ANY($2) AND m.kind = 'answer' AND m.status = 'scheduled' AND m.committed_at IS NULL
	AND (m.lease_until IS NULL OR m.lease_until < statement_timestamp())
ORDER BY m.id FOR UPDATE OF m SKIP LOCKED`

const holdAnswer = `
UPDATE messages SET holder = $3, lease_until = statement_timestamp() + $4::interval, tries = tries + 1, raw = $5
WHERE workspace_id = $1 AND id = $2`

// ClaimAnswers is commit 1 for up to most due answers, at most four of one workspace. compose
// returns the bytes of an answer that is claimed for the first time. An answer that cannot be
// composed, or whose mailbox is deleted, is given up with the reason.
func (l *Ledger) ClaimAnswers(ctx context.Context, holder string, most int,
	compose func(outreach.AnswerBytes) ([]byte, error)) (out []outreach.OutgoingAnswer, err error) {
	due, err := storage.Refs(ctx, l.db.Pool(), "look for answers", selectDueAnswers, l.db.Now(), maxAnswersOfOne, most)
	if err != nil {
		return nil, err
	}
	for workspace, some := range storage.ByWorkspace(due, outreach.Ref.Workspace) {
		claimed, err := l.claimAnswersOf(ctx, workspace, outreach.IDsOf(some), holder, compose)
		out = append(out, claimed...)
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// claimAnswersOf is ClaimAnswers for answers of one workspace. Answers that another process holds
// are left out.
func (l *Ledger) claimAnswersOf(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID, holder string,
	compose func(outreach.AnswerBytes) ([]byte, error)) (out []outreach.OutgoingAnswer, err error) {
	err = l.db.Tx(ctx, func(tx pgx.Tx) error {
		out = nil
		if may, err := l.guard.mayClaim(tx.QueryRow(ctx, selectGate)); err != nil || !may {
			return err
		}
		due, err := dueAnswerColumns.Query(ctx, tx, lockDueAnswers, workspace, ids)
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
	if err := storage.Exec(ctx, tx, "claim answer", holdAnswer, d.WorkspaceID, d.ID, holder, outreach.LeaseLength,
		d.Raw); err != nil {
		return nil, err
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

// The mailbox may have been idle. It is read again from now on.
const commitAnswer = `
WITH committed AS (
	UPDATE messages SET committed_at = $3 WHERE workspace_id = $1 AND id = $2 AND (lease_until > statement_timestamp()) IS TRUE
	RETURNING mailbox_id
), box AS (
	UPDATE mailboxes b SET receive_at = '-infinity', sent_bound = b.sent_bound + 1 FROM committed c
	WHERE b.workspace_id = $1 AND b.id = c.mailbox_id
)
SELECT count(*) FROM committed`

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
		var committed int
		if err := tx.QueryRow(ctx, commitAnswer, h.workspace, h.id, l.db.Now()).Scan(&committed); err != nil {
			return fmt.Errorf("commit answer: %w", err)
		}
		if withdrawn = committed == 0; withdrawn {
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
		if refused[outreach.CanonicalEmail(address)] {
			return new(address + " is suppressed"), nil
		}
	}
	return nil, nil
}
