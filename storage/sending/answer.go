package sending

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// answered is the reply that an answer belongs to, with its sender and recipients.
type answered struct {
	reply        outreach.Reply
	recipient    string
	status       outreach.MailboxStatus
	mailboxError *string
	own          string // address of the mailbox
}

const selectAnsweringMailbox = `SELECT m.status, m.last_error, m.email FROM mailboxes m WHERE m.workspace_id = $1 AND m.id = $2`

// lockAnswered locks the reply that is to be answered and reads what its answer depends on.
func lockAnswered(ctx context.Context, tx pgx.Tx, workspace, reply uuid.UUID) (a answered, err error) {
	if a.reply, err = storage.Replies.OneLocked(ctx, tx, workspace, reply, " FOR UPDATE"); err != nil {
		return a, err
	}
	if a.reply.ProspectID == nil {
		return a, outreach.Errorf(outreach.CodeInvalidState, "Assign the reply to a prospect first.")
	}
	a.recipient = a.reply.AnswerTo()
	err = tx.QueryRow(ctx, selectAnsweringMailbox, workspace, a.reply.MailboxID).Scan(&a.status, &a.mailboxError, &a.own)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, outreach.Errorf(outreach.CodeInvalidState, "The mailbox of this conversation was deleted.")
	}
	if err != nil {
		return a, fmt.Errorf("read the mailbox of a reply: %w", err)
	}
	return a, nil
}

// may returns why an answer must not be written, or nil.
func (a *answered) may(ctx context.Context, tx pgx.Tx, cc []string) error {
	if a.status == outreach.MailboxError {
		why := ""
		if a.mailboxError != nil {
			why = " Its last error: " + *a.mailboxError
		}
		return outreach.Errorf(outreach.CodeMailboxUnreachable, "The mailbox %s cannot be used now.%s", a.own, why)
	}
	obstacle, refused, err := answerObstacle(ctx, tx, &a.reply, a.recipient, cc)
	if err != nil {
		return err
	}
	if err := refusalOfAnswer(obstacle); err != nil {
		return err
	}
	var faults outreach.Faults
	for i, address := range cc {
		if refused[outreach.CanonicalEmail(address)] {
			faults.Add(outreach.At("cc").Index(i), outreach.FieldInvalid, "%s is suppressed.", address)
		}
	}
	return faults.Err()
}

func refusalOfAnswer(o outreach.Obstacle) error {
	switch o {
	case outreach.ObstacleSuppressed:
		return outreach.Errorf(outreach.CodeProspectSuppressed, "The address is suppressed.")
	case outreach.ObstacleUnsubscribed:
		return outreach.Errorf(outreach.CodeProspectUnsubscribed, "The prospect asked for no more mail.")
	}
	return nil
}

// answerStanding is a suppression that may concern an answer, with the state of the prospect.
type answerStanding struct {
	email        string
	unsubscribed *time.Time
	key, domain  string // of the suppression; empty if there is none
	reason       outreach.SuppressionReason
	since        *time.Time
}

var answerStandingColumns = storage.NewColumns(func(s *answerStanding) []storage.Column {
	return []storage.Column{
		{SQL: "p.email", To: &s.email},
		{SQL: "p.unsubscribed_at", To: &s.unsubscribed},
		{SQL: "coalesce(s.email_key, '')", To: &s.key},
		{SQL: "coalesce(s.domain, '')", To: &s.domain},
		{SQL: "coalesce(s.reason, '')", To: &s.reason},
		{SQL: "s.created_at", To: &s.since},
	}
})

// Suppressions of addresses and of domains, each found by a unique key, and when the prospect
// unsubscribed. A deleted prospect has no row.
var selectAnswerStanding = `
SELECT ` + answerStandingColumns.SQL + `
FROM prospects p LEFT JOIN suppressions s ON s.workspace_id = p.workspace_id
	AND (s.email_key = p.email_key OR s.email_key = ANY($3) OR s.domain = ANY(domains_above(p.email_key)) OR s.domain = ANY($4))
WHERE p.workspace_id = $1 AND p.id = $2`

// answerObstacle returns the obstacle to an answer, and which of the other addresses are
// suppressed. It returns ErrNotFound if the prospect is deleted.
func answerObstacle(ctx context.Context, tx pgx.Tx, reply *outreach.Reply, recipient string,
	cc []string) (o outreach.Obstacle, refused map[string]bool, err error) {
	keys, domains := make([]string, 0, len(cc)+1), make([]string, 0, len(cc)+1)
	for _, address := range append([]string{recipient}, cc...) {
		keys = append(keys, outreach.CanonicalEmail(address))
		domains = append(domains, outreach.DomainAndParents(outreach.EmailDomain(address))...)
	}
	found, err := answerStandingColumns.Query(ctx, tx, selectAnswerStanding, reply.WorkspaceID, reply.ProspectID, keys, domains)
	switch {
	case err != nil:
		return o, nil, fmt.Errorf("read what stands against an answer: %w", err)
	case len(found) == 0:
		return o, nil, outreach.ErrNotFound
	}
	unsubscribed, refused := found[0].unsubscribed, map[string]bool{}
	var reasons []outreach.SuppressionReason
	for _, s := range found {
		for _, address := range cc {
			if s.covers(address) && s.reason != outreach.SuppressedBounced {
				refused[outreach.CanonicalEmail(address)] = true
			}
		}
		if !s.covers(s.email) && !s.covers(recipient) {
			continue
		}
		reasons = append(reasons, s.reason)
		if s.reason == outreach.SuppressedUnsubscribed && (unsubscribed == nil || unsubscribed.Before(*s.since)) {
			unsubscribed = s.since
		}
	}
	return outreach.AnswerObstacle(reasons, reply.ReceivedAt, unsubscribed), refused, nil
}

// covers reports whether the suppression concerns an address, by itself or by its domain.
func (s answerStanding) covers(address string) bool {
	if s.key != "" {
		return s.key == outreach.CanonicalEmail(address)
	}
	return s.domain != "" && slices.Contains(outreach.DomainAndParents(outreach.EmailDomain(address)), s.domain)
}

const insertAnswer = `
INSERT INTO messages (id, workspace_id, kind, campaign_id, prospect_id, mailbox_id, reply_id, author, recipient, cc,
	subject, body_html, body_text,
	message_id, status, thread, send_at, words, created_at)
VALUES (@id, @workspace_id, 'answer', @campaign_id, @prospect_id, @mailbox_id, @reply_id, @author, @recipient, @cc,
	@subject, @body_html, @body_text,
	@message_id, 'scheduled', @thread, @send_at, @words, @now)`

// CreateAnswer schedules an answer to a reply and marks the reply as done. It returns
// CodeInvalidState if the reply is unmatched or its mailbox is deleted, CodeProspectSuppressed or
// CodeProspectUnsubscribed as outreach.AnswerObstacle decides, and CodeMailboxUnreachable for a
// mailbox in error. Each call creates a message, also for the same reply.
func (l *Ledger) CreateAnswer(ctx context.Context, a outreach.Answer, mail outreach.AnswerMail) (m outreach.Message, err error) {
	a.Normalize()
	now := l.db.Now()
	if err := complete(&a, now, mail); err != nil {
		return m, err
	}
	err = l.db.Tx(ctx, func(tx pgx.Tx) error {
		to, err := lockAnswered(ctx, tx, a.WorkspaceID, a.ReplyID)
		if err != nil {
			return err
		}
		if err := to.may(ctx, tx, a.Cc); err != nil {
			return err
		}
		header, err := mail.NewMessageID(to.own)
		if err != nil {
			return err
		}
		id := storage.NewID()
		if err := storage.Exec(ctx, tx, "insert answer", insertAnswer, pgx.NamedArgs{
			"id": id, "workspace_id": a.WorkspaceID, "campaign_id": to.reply.CampaignID, "prospect_id": to.reply.ProspectID,
			"mailbox_id": to.reply.MailboxID, "reply_id": a.ReplyID, "author": a.Author, "recipient": to.recipient, "cc": a.Cc,
			"subject": subjectOfAnswer(&a, &to.reply), "body_html": a.BodyHTML, "body_text": a.BodyText,
			"message_id": header, "thread": threadOfAnswer(&to.reply), "send_at": a.DueAt(now), "now": now,
			"words": wordsOfAnswer(&a, &to),
		}); err != nil {
			return err
		}
		if err := storage.Exec(ctx, tx, "mark reply done", storage.SetReplyDone, a.WorkspaceID, a.ReplyID,
			true); err != nil {
			return err
		}
		if a.Author != nil {
			if err := storage.Exec(ctx, tx, "delete draft", storage.DeleteDraft, a.WorkspaceID, a.ReplyID,
				a.Author); err != nil {
				return err
			}
		}
		m, err = storage.AnyMessage.One(ctx, tx, a.WorkspaceID, id)
		return err
	})
	return m, err
}

func subjectOfAnswer(a *outreach.Answer, reply *outreach.Reply) string {
	if a.Subject != nil {
		return *a.Subject
	}
	if reply.Subject == nil {
		return outreach.AnswerSubject("")
	}
	return outreach.AnswerSubject(strings.TrimSpace(*reply.Subject))
}

// wordsOfAnswer returns the words by which search finds an answer.
func wordsOfAnswer(a *outreach.Answer, to *answered) string {
	return outreach.SearchWords(to.recipient, strings.Join(a.Cc, " "), subjectOfAnswer(a, &to.reply), *a.BodyText)
}

// complete checks an answer and derives the plain text if it has only HTML.
func complete(a *outreach.Answer, now time.Time, mail outreach.AnswerMail) error {
	if err := a.Validate(now); err != nil || a.BodyText != nil {
		return err
	}
	text := mail.PlainText(*a.BodyHTML)
	if strings.TrimSpace(text) == "" {
		var faults outreach.Faults
		faults.Add(outreach.At("body_html"), outreach.FieldRequired, "body_html has no text.")
		return faults.Err()
	}
	a.BodyText = &text
	return nil
}

// threadOfAnswer returns the References of an answer (RFC 5322, 3.6.4).
func threadOfAnswer(reply *outreach.Reply) []string {
	thread := append([]string{}, reply.Header.Thread...)
	if reply.Header.ID != "" {
		thread = append(thread, reply.Header.ID)
	}
	return thread
}

// waiting matches an answer that is scheduled and not claimed.
const waiting = ` AND kind = 'answer' AND status = 'scheduled' AND holder IS NULL AND committed_at IS NULL AND tries = 0`

var waitingColumns = storage.NewColumns(func(a *outreach.Answer) []storage.Column {
	return []storage.Column{
		{SQL: "workspace_id", To: &a.WorkspaceID},
		{SQL: "reply_id", To: &a.ReplyID},
		{SQL: "author", To: &a.Author},
		{SQL: "subject", To: &a.Subject},
		{SQL: "body_html", To: &a.BodyHTML},
		{SQL: "body_text", To: &a.BodyText},
		{SQL: "cc", To: &a.Cc},
		{SQL: "send_at", To: &a.SendAt},
	}
})

var lockWaiting = `SELECT ` + waitingColumns.SQL + ` FROM messages WHERE workspace_id = $1 AND id = $2` + waiting + ` FOR UPDATE`

// errLeft is the error for a change to an answer that was claimed or sent.
var errLeft = outreach.Errorf(outreach.CodeInvalidState, "Only an answer that is still scheduled can be changed.")

// lockWaitingAnswer locks a scheduled answer. It returns ErrNotFound if there is no such message,
// and errLeft if it was claimed.
func lockWaitingAnswer(ctx context.Context, tx pgx.Tx, workspace, id uuid.UUID) (a outreach.Answer, err error) {
	if _, err := storage.AnyMessage.One(ctx, tx, workspace, id); err != nil {
		return a, err
	}
	a, err = waitingColumns.QueryOne(ctx, tx, lockWaiting, workspace, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, errLeft
	}
	if err != nil {
		return a, fmt.Errorf("lock answer: %w", err)
	}
	return a, nil
}

const updateAnswer = `
UPDATE messages SET subject = $3, body_html = $4, body_text = $5, cc = $6, send_at = $7, words = $8 WHERE workspace_id = $1 AND id = $2`

// UpdateAnswer changes a scheduled answer. It returns CodeInvalidState for any other message.
func (l *Ledger) UpdateAnswer(ctx context.Context, workspace, id uuid.UUID, change func(*outreach.Answer),
	mail outreach.AnswerMail) (m outreach.Message, err error) {
	err = l.db.Tx(ctx, func(tx pgx.Tx) error {
		a, err := lockWaitingAnswer(ctx, tx, workspace, id)
		if err != nil {
			return err
		}
		before := a.AnswerText
		change(&a)
		a.Normalize()
		if !storage.SameValue(before.BodyHTML, a.BodyHTML) && storage.SameValue(before.BodyText, a.BodyText) && a.BodyHTML != nil {
			a.BodyText = nil // derived from the HTML again
		}
		now := l.db.Now()
		if err := complete(&a, now, mail); err != nil {
			return err
		}
		to, err := lockAnswered(ctx, tx, workspace, a.ReplyID)
		if err != nil {
			return err
		}
		if err := to.may(ctx, tx, a.Cc); err != nil {
			return err
		}
		if err := storage.Exec(ctx, tx, "update answer", updateAnswer, workspace, id, subjectOfAnswer(&a, &to.reply),
			a.BodyHTML, a.BodyText, a.Cc,
			a.DueAt(now), wordsOfAnswer(&a, &to)); err != nil {
			return err
		}
		m, err = storage.AnyMessage.One(ctx, tx, workspace, id)
		return err
	})
	return m, err
}

// WithdrawAnswer withdraws a scheduled answer: it reopens the reply and restores the text as a
// draft of its author. It returns CodeInvalidState for any other message.
func (l *Ledger) WithdrawAnswer(ctx context.Context, workspace, id uuid.UUID) error {
	return l.db.Tx(ctx, func(tx pgx.Tx) error {
		if _, err := lockWaitingAnswer(ctx, tx, workspace, id); err != nil {
			return err
		}
		return l.giveUpAnswer(ctx, tx, workspace, id, nil)
	})
}

const markGivenUp = `
UPDATE messages SET status = 'not_sent', smtp_response = coalesce($3, smtp_response), raw = NULL, holder = NULL,
	lease_until = NULL, committed_at = NULL, sent_at = NULL
WHERE workspace_id = $1 AND id = $2`

const reopenReply = `
UPDATE replies SET done = false
WHERE workspace_id = $1 AND id = (SELECT m.reply_id FROM messages m WHERE m.workspace_id = $1 AND m.id = $2)`

// A draft that the author has begun meanwhile is kept.
const restoreDraft = `
INSERT INTO answer_drafts (workspace_id, reply_id, user_id, subject, body_html, body_text, cc, updated_at)
SELECT $1, m.reply_id, m.author, m.subject, m.body_html, m.body_text, m.cc, $3
FROM messages m JOIN replies r ON r.workspace_id = $1 AND r.id = m.reply_id JOIN users u ON u.id = m.author
WHERE m.workspace_id = $1 AND m.id = $2
ON CONFLICT DO NOTHING`

// giveUpAnswer ends an answer that will not be sent. reason is nil if a person withdrew it.
func (l *Ledger) giveUpAnswer(ctx context.Context, tx pgx.Tx, workspace, id uuid.UUID, reason *string) error {
	batch := &pgx.Batch{}
	batch.Queue(markGivenUp, workspace, id, reason)
	batch.Queue(reopenReply, workspace, id)
	batch.Queue(restoreDraft, workspace, id, l.db.Now())
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("give up an answer: %w", err)
	}
	return nil
}
