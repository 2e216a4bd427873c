package inbound

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

const selectStoredHeaders = `
SELECT m.message_id FROM messages m WHERE m.workspace_id = $1 AND m.message_id = ANY($2)
UNION ALL SELECT m.named_id FROM messages m WHERE m.workspace_id = $1 AND m.named_id = ANY($2)
UNION ALL SELECT m.filed_id FROM messages m WHERE m.workspace_id = $1 AND m.filed_id = ANY($2)`

const selectThreadMessages = `
SELECT known.header, known.prospect_id, known.campaign_id, known.reply_id FROM (
	SELECT m.message_id AS header, true AS own, ` + ofThread + ` AND m.message_id = ANY($2)
	UNION ALL SELECT m.named_id, false, ` + ofThread + ` AND m.named_id = ANY($2)
	UNION ALL SELECT m.filed_id, false, ` + ofThread + ` AND m.filed_id = ANY($2)
) known ORDER BY known.own, known.id`

const ofThread = `m.id, m.prospect_id, m.campaign_id, m.reply_id FROM messages m
	WHERE m.workspace_id = $1 AND m.mailbox_id = $3 AND m.status IN ('sent', 'bounced', 'unknown')`

const selectThreadReplies = `
SELECT r.header_id, r.prospect_id, r.campaign_id, r.id FROM replies r
WHERE r.workspace_id = $1 AND r.header_id = ANY($2) AND r.mailbox_id = $3 AND r.prospect_id IS NOT NULL`

// conversation is what an external answer inherits from the mail that it answers.
type conversation struct {
	prospect        uuid.UUID
	campaign, reply *uuid.UUID
}

// conversations returns the conversations of a mailbox by the Message-IDs of their mails, for those
// that heads name, and which of the heads' own Message-IDs are stored already.
func conversations(ctx context.Context, q batcher, box outreach.MailboxRef,
	heads []outreach.SentHead) (of map[string]conversation, stored map[string]struct{}, err error) {
	var answered, own []string
	for _, h := range heads {
		if answered = append(answered, h.Answered...); h.MessageID != "" {
			own = append(own, h.MessageID)
		}
	}
	of = map[string]conversation{}
	if len(answered) == 0 {
		return of, nil, nil
	}
	var header string
	var c conversation
	scan := storage.EachRow([]any{&header, &c.prospect, &c.campaign, &c.reply}, func() { of[header] = c })
	batch := &pgx.Batch{}
	batch.Queue(selectThreadMessages, box.WorkspaceID, answered, box.ID).Query(scan)
	batch.Queue(selectThreadReplies, box.WorkspaceID, answered, box.ID).Query(scan)
	batch.Queue(selectStoredHeaders, box.WorkspaceID, own).Query(readSet(&stored))
	if err := q.SendBatch(ctx, batch).Close(); err != nil {
		return nil, nil, fmt.Errorf("match sent mails: %w", err)
	}
	return of, stored, nil
}

// conversationOf returns the conversation of the mail that a head most likely answers.
func conversationOf(h outreach.SentHead, of map[string]conversation) (c conversation, ok bool) {
	for _, id := range h.Answered {
		if c, ok = of[id]; ok {
			return c, true
		}
	}
	return c, false
}

// AnswersElsewhere reports which mails of the Sent folder of a mailbox name a message or a reply of
// one of its conversations and are not messages of the workspace themselves.
func (b *Inbox) AnswersElsewhere(ctx context.Context, box outreach.MailboxRef,
	heads []outreach.SentHead) ([]bool, error) {
	of, stored, err := conversations(ctx, b.db.Pool(), box, heads)
	if err != nil {
		return nil, err
	}
	wanted := make([]bool, len(heads))
	for i, h := range heads {
		_, known := stored[h.MessageID]
		_, there := conversationOf(h, of)
		wanted[i] = there && !known
	}
	return wanted, nil
}

// The mails of a deleted prospect are not stored. A mail that is stored already, by another copy or
// by an earlier reading, stays as it is.
const insertExternal = `
INSERT INTO messages (id, workspace_id, kind, external, campaign_id, prospect_id, mailbox_id, reply_id, recipient, cc,
	subject, body_text, message_id, status, thread, sent_at, filed_at, words, created_at)
SELECT @id::uuid, p.workspace_id, 'answer', true, @campaign_id::uuid, p.id, @mailbox_id::uuid, @reply_id::uuid,
	@recipient::text, @cc::text[], @subject::text, @text::text, @message_id::text, 'sent', @thread::text[],
	@at::timestamptz, @at::timestamptz, @words::text, @now::timestamptz
FROM prospects p WHERE p.workspace_id = @workspace_id::uuid AND p.id = @prospect_id::uuid
ON CONFLICT DO NOTHING`

const noteContactedElsewhere = `
UPDATE prospects p SET last_contacted_at = greatest(p.last_contacted_at, one.at)
FROM unnest($2::uuid[], $3::timestamptz[]) one(id, at) WHERE p.workspace_id = $1 AND p.id = one.id`

// TakeSent stores what was written in other programs, each mail once by its Message-ID, and that
// reading the Sent folder continues after it, in one transaction. Of the prospects only
// last_contacted_at changes: external answers raise no event and count nowhere.
func (b *Inbox) TakeSent(ctx context.Context, box outreach.MailboxRef, answers []outreach.ExternalAnswer,
	at outreach.FolderPosition) error {
	return b.db.Tx(ctx, func(tx pgx.Tx) error {
		if len(answers) > 0 {
			if err := b.storeExternal(ctx, tx, box, answers); err != nil {
				return err
			}
		}
		return storePosition(ctx, tx, box, at)
	})
}

func (b *Inbox) storeExternal(ctx context.Context, tx pgx.Tx, box outreach.MailboxRef,
	answers []outreach.ExternalAnswer) error {
	heads := make([]outreach.SentHead, len(answers))
	for i, a := range answers {
		heads[i] = a.SentHead
	}
	of, _, err := conversations(ctx, tx, box, heads)
	if err != nil {
		return err
	}
	batch, contacted, now := &pgx.Batch{}, map[uuid.UUID]time.Time{}, b.db.Now()
	for _, a := range answers {
		c, ok := conversationOf(a.SentHead, of)
		if !ok {
			continue
		}
		when := a.At
		if when.IsZero() || when.After(now) {
			when = now
		}
		if when.After(contacted[c.prospect]) {
			contacted[c.prospect] = when
		}
		batch.Queue(insertExternal, pgx.NamedArgs{
			"id": storage.NewID(), "workspace_id": box.WorkspaceID, "campaign_id": c.campaign, "prospect_id": c.prospect,
			"mailbox_id": box.ID, "reply_id": c.reply, "recipient": a.To, "cc": append([]string{}, a.Cc...),
			"subject": a.Subject, "text": a.Text, "message_id": a.MessageID, "thread": threadOf(a.SentHead),
			"at": when, "now": now,
			"words": outreach.SearchWords(a.To, strings.Join(a.Cc, " "), a.Subject, a.Text),
		})
	}
	people := slices.SortedFunc(maps.Keys(contacted), storage.CompareIDs)
	times := make([]time.Time, len(people))
	for i, id := range people {
		times[i] = contacted[id]
	}
	batch.Queue(noteContactedElsewhere, box.WorkspaceID, people, times)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("store external answers: %w", err)
	}
	return nil
}

// threadOf returns the mails that a head names, oldest first.
func threadOf(h outreach.SentHead) []string {
	thread := append([]string{}, h.Answered...) // not nil, which would be stored as NULL
	slices.Reverse(thread)
	return thread
}
