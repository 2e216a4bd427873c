package inbound

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
	"outreach/storage/sending"
	"outreach/tracking/hit"
)

var selectMessage = `
SELECT m.recipient, ` + foreignHost("m.workspace_id") + `,
	EXISTS (SELECT FROM suppressions s WHERE s.workspace_id = $1 AND s.email_key = $4 AND s.reason IN ('unsubscribed', 'complaint'))
FROM messages m WHERE m.workspace_id = $1 AND m.id = $2`

const selectRecipient = `SELECT recipient FROM messages WHERE workspace_id = $1 AND id = $2`

// UnsubscribePage returns what the unsubscribe page shows, or ErrNotFound if the message is deleted.
func (b *Inbox) UnsubscribePage(ctx context.Context, message outreach.Ref, host string) (l hit.UnsubscribePage, err error) {
	if err := b.db.Pool().QueryRow(ctx, selectRecipient, message.WorkspaceID, message.ID).Scan(&l.Recipient); err != nil {
		return l, storage.DomainError(err)
	}
	err = b.db.Pool().QueryRow(ctx, selectMessage, message.WorkspaceID, message.ID, host,
		outreach.CanonicalEmail(l.Recipient)).Scan(&l.Recipient, &l.Foreign, &l.Done)
	return l, storage.DomainError(err)
}

// The lock serialises two requests, also for a deleted prospect, which has no row to lock.
const lockUnsubscribe = `SELECT pg_advisory_xact_lock(hashtextextended('unsubscribe ' || $1::text, 0))`

const selectUnsubscribing = `SELECT prospect_id, campaign_id, recipient FROM messages WHERE workspace_id = $1 AND id = $2`

// An unsubscribe is new if the prospect is not unsubscribed yet, or if the suppression has another
// cause: a complaint, or an imported address.
const isFirstUnsubscribe = `
SELECT EXISTS (SELECT FROM prospects p WHERE p.workspace_id = $1 AND p.id = $2 AND p.unsubscribed_at IS NULL)
	OR NOT EXISTS (SELECT FROM events e WHERE e.workspace_id = $1 AND e.prospect_id = $2 AND e.type = 'unsubscribed')
		AND NOT EXISTS (SELECT FROM event_people e WHERE e.workspace_id = $1 AND e.prospect_id = $2 AND e.type = 'unsubscribed')`

// The prospect who has the address now unsubscribes too: a deleted prospect may have been added
// again.
const markPeopleUnsubscribed = `
UPDATE prospects p SET unsubscribed_at = coalesce(p.unsubscribed_at, $4)
WHERE p.workspace_id = $1 AND (p.id = $2 OR p.email_key = ANY($3)) RETURNING p.id, p.email`

const endUnsubscribed = `
UPDATE enrollments e SET status = 'unsubscribed', stop_reason = $4, ` + storage.Ended + `
FROM (SELECT $3::uuid AS message_id) one
WHERE e.workspace_id = $1 AND e.prospect_id = ANY($2) AND ` + sending.Endable

const insertUnsubscribe = `
INSERT INTO hits (id, workspace_id, kind, message_id, agent, address, occurred_at)
VALUES ($1, $2, 'unsubscribe', $3, nullif($4, ''), nullif($5, ''), $6)`

// unsubscribing is an unsubscribe request: the button on the page, an unsubscribe mail, or a reply that
// opts out.
type unsubscribing struct {
	workspace, message, prospect, campaign uuid.UUID
	recipient                              string
	author                                 string // address of the author of the reply
	by                                     hit.Visitor
}

// Unsubscribe unsubscribes the recipient of a message, who may be deleted. In one transaction it
// suppresses the address, marks the prospect as unsubscribed, ends the enrollments and, the first
// time, raises the event. If the process dies before the commit, nothing has changed and nothing
// was answered; after it, a repeated request changes nothing.
func (b *Inbox) Unsubscribe(ctx context.Context, message outreach.Ref, by hit.Visitor) error {
	return b.db.Tx(ctx, func(tx pgx.Tx) error {
		w := unsubscribing{workspace: message.WorkspaceID, message: message.ID, by: by}
		if err := tx.QueryRow(ctx, selectUnsubscribing, w.workspace, w.message).Scan(&w.prospect, &w.campaign, &w.recipient); err != nil {
			return err
		}
		if err := storage.Exec(ctx, tx, "lock unsubscribe", lockUnsubscribe, w.prospect); err != nil {
			return err
		}
		var first bool
		if err := tx.QueryRow(ctx, isFirstUnsubscribe, w.workspace, w.prospect).Scan(&first); err != nil {
			return fmt.Errorf("look for unsubscribed event: %w", err)
		}
		if err := b.storeUnsubscribe(ctx, tx, w); err != nil {
			return err
		}
		if !first {
			return nil
		}
		event, err := b.outbox.EventOf(ctx, tx, w.workspace, w.prospect, &w.campaign, outreach.EventUnsubscribed)
		if err != nil {
			return err
		}
		event.OccurredAt, event.Metadata = by.At, outreach.UnsubscribedMetadata{}
		return b.outbox.Record(ctx, tx, event)
	})
}

// UnsubscribeByMail is Unsubscribe for a recipient who asked by mail. It returns nil if the message
// is deleted, because trying again would not help.
func (b *Inbox) UnsubscribeByMail(ctx context.Context, message outreach.Ref, at time.Time) error {
	err := b.Unsubscribe(ctx, message, hit.Visitor{At: at, Agent: "mailto"})
	if errors.Is(err, outreach.ErrNotFound) || errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	return err
}

func (b *Inbox) storeUnsubscribe(ctx context.Context, tx pgx.Tx, w unsubscribing) error {
	if err := b.unsubscribePeople(ctx, tx, &w, outreach.EndUnsubscribed.Ending().Reason); err != nil {
		return err
	}
	return storage.Exec(ctx, tx, "insert unsubscribe", insertUnsubscribe, hitID(w.by.At), w.workspace, w.message,
		w.by.Agent, w.by.Address, w.by.At)
}

// unsubscribePeople marks the prospect as unsubscribed, and those who have the address of the recipient or
// of the author. It ends all their enrollments with the given reason and suppresses their addresses
// and the recipient's.
func (b *Inbox) unsubscribePeople(ctx context.Context, tx pgx.Tx, w *unsubscribing, reason string) error {
	people, addresses := []uuid.UUID{w.prospect}, []string{w.recipient}
	keys := []string{outreach.CanonicalEmail(w.recipient), outreach.CanonicalEmail(w.author)}
	var id uuid.UUID
	var email string
	err := storage.ForEach(ctx, tx, "mark unsubscribed", markPeopleUnsubscribed, []any{w.workspace, w.prospect, keys, w.by.At},
		[]any{&id, &email}, func() { people, addresses = append(people, id), append(addresses, email) })
	if err != nil {
		return err
	}
	if err := storage.Exec(ctx, tx, "end enrollments", endUnsubscribed, w.workspace, people, w.message,
		reason); err != nil {
		return err
	}
	for _, address := range addresses {
		if address == "" {
			continue
		}
		unwanted := outreach.Suppression{WorkspaceID: w.workspace, Email: &address, Reason: outreach.SuppressedUnsubscribed}
		if _, err := b.db.Suppress(ctx, tx, unwanted); err != nil {
			return err
		}
	}
	if err := storage.WakeBound(ctx, tx, w.workspace, people); err != nil {
		return err
	}
	return storage.RefreshStatuses(ctx, tx, w.workspace, people)
}
