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
	"outreach/tracking/hit"
)

var offerPageColumns = storage.NewColumns(func(o *hit.Offer) []storage.Column {
	return []storage.Column{
		{SQL: "o.id", To: &o.ID},
		{SQL: "o.workspace_id", To: &o.WorkspaceID},
		{SQL: "o.title", To: &o.Title},
		{SQL: "o.target_url", To: &o.TargetURL},
		{SQL: "o.body_html", To: &o.BodyHTML},
		{SQL: foreignHost("o.workspace_id"), To: &o.Foreign},
	}
})

var selectOfferPage = `
SELECT ` + offerPageColumns.SQL + ` FROM offers o WHERE o.workspace_id = $1 AND o.id = $2`

// OfferPage returns what the public page of an offer shows, or ErrNotFound if the offer is deleted.
func (b *Inbox) OfferPage(ctx context.Context, offer outreach.Ref, host string) (o hit.Offer, err error) {
	o, err = offerPageColumns.QueryOne(ctx, b.db.Pool(), selectOfferPage, offer.WorkspaceID, offer.ID, host)
	return o, storage.DomainError(err)
}

// A client that has just followed several links of one message is also a scanner on the offer that
// one of them leads to.
const followedSeveral = `
SELECT EXISTS (SELECT FROM hits c WHERE c.id >= $1 AND c.workspace_id = $2 AND c.kind = 'click' AND c.address = $3
	AND c.agent IS NOT DISTINCT FROM nullif($4, '') AND c.occurred_at >= $5 GROUP BY c.message_id HAVING count(DISTINCT c.url) > 1)`

const insertVisit = `
INSERT INTO hits (id, workspace_id, kind, offer_id, agent, address, scanner, occurred_at, fold)
VALUES ($1, $2, 'visit', $3, nullif($4, ''), nullif($5, ''), nullif($6, ''), $7, $8)
ON CONFLICT (workspace_id, fold) DO UPDATE SET count = hits.count + 1
RETURNING count`

const countVisit = `
UPDATE offers SET visit_count = visit_count + 1, first_read_at = coalesce(first_read_at, $3), last_read_at = greatest(last_read_at, $3),
	reread = reread OR coalesce(first_read_at <= $4, false)
WHERE workspace_id = $1 AND id = $2
RETURNING prospect_id, company_id, campaign_id, first_read_at <= $4`

// RecordVisit stores a visit to an offer's page. A visit that repeats another of the same client
// within a minute is counted as that one. A visit by a person is counted and raises offer_read in
// the same transaction; if the process dies before the commit, the visitor got no page. window is
// as in Rule.
func (b *Inbox) RecordVisit(ctx context.Context, offer hit.Offer, by hit.Visitor, window time.Duration) error {
	return b.db.Tx(ctx, func(tx pgx.Tx) error {
		since := by.At.Add(-window)
		var several bool
		if err := tx.QueryRow(ctx, followedSeveral, hitFloor(since), offer.WorkspaceID, by.Address, by.Agent, since).Scan(&several); err != nil {
			return fmt.Errorf("look for other hits: %w", err)
		}
		if several && by.Scanner == "" {
			by.Scanner = hit.SeveralLinks
		}
		var count int64
		err := tx.QueryRow(ctx, insertVisit, hitID(by.At), offer.WorkspaceID, offer.ID, by.Agent, by.Address, by.Scanner, by.At,
			foldKey(offer.ID, "", by)).Scan(&count)
		if err != nil {
			return fmt.Errorf("insert visit: %w", err)
		}
		if by.Scanner != "" || count > 1 {
			return nil
		}
		return b.countVisit(ctx, tx, offer, by.At)
	})
}

func (b *Inbox) countVisit(ctx context.Context, tx pgx.Tx, offer hit.Offer, at time.Time) error {
	var prospect, company, campaign *uuid.UUID
	var again bool
	err := tx.QueryRow(ctx, countVisit, offer.WorkspaceID, offer.ID, at, at.Add(-outreach.RereadAfter)).Scan(&prospect,
		&company, &campaign, &again)
	if errors.Is(err, pgx.ErrNoRows) {
		return outreach.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("count visit: %w", err)
	}
	event, err := b.offerEvent(ctx, tx, offer.WorkspaceID, prospect, company, campaign)
	if err != nil {
		return err
	}
	event.OccurredAt, event.Metadata = at, outreach.OfferReadMetadata{OfferID: offer.ID, Again: again}
	return b.outbox.Record(ctx, tx, event)
}

// offerEvent returns the event of an offer, which may belong to a prospect, to a company, or to
// neither. The offer's own company outranks that of its prospect.
func (b *Inbox) offerEvent(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, prospect, company,
	campaign *uuid.UUID) (outreach.Event, error) {
	var who uuid.UUID
	if prospect != nil {
		who = *prospect
	}
	event, err := b.outbox.EventOf(ctx, tx, workspace, who, campaign, outreach.EventOfferRead)
	event.ProspectID = prospect
	if company != nil {
		event.CompanyID = company
	}
	return event, err
}
