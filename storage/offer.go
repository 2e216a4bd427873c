package storage

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

var offers = List[outreach.Offer]{
	Reads: NewColumns(func(o *outreach.Offer) []Column {
		return []Column{
			{"o.id", &o.ID},
			{"o.workspace_id", &o.WorkspaceID},
			{"o.title", &o.Title},
			{"o.target_url", &o.TargetURL},
			{"o.body_html", &o.BodyHTML},
			{"o.prospect_id", &o.ProspectID},
			{"o.company_id", &o.CompanyID},
			{"o.campaign_id", &o.CampaignID},
			{"CASE WHEN o.reread THEN 'reread' WHEN o.visit_count > 0 THEN 'read' ELSE 'unread' END", &o.Status},
			{"o.visit_count", &o.VisitCount},
			{"o.first_read_at", &o.FirstReadAt},
			{"o.last_read_at", &o.LastReadAt},
			{"o.created_at", &o.CreatedAt},
		}
	}),
	From: "offers o WHERE o.workspace_id = $1",
	At:   "o.created_at", ID: "o.id",
	Key: func(o *outreach.Offer) outreach.Key { return outreach.Key{At: o.CreatedAt, ID: o.ID} },
}

// ListOffers returns one page, newest first by creation. The status filter applies after the page
// is fetched, so a page may hold fewer rows (docs/reference.md#offers).
func (db *DB) ListOffers(ctx context.Context, workspace uuid.UUID, filter outreach.OfferFilter,
	page outreach.Page) (outreach.Rows[outreach.Offer], error) {
	f := InWorkspace(workspace)
	Where(f, "o.created_at >= ?", filter.CreatedSince)
	rows, err := offers.Fetch(ctx, db.pool, f, page)
	if err != nil {
		return rows, err
	}
	for i := range rows.Rows {
		rows.Rows[i].URL = db.offerURL(workspace, rows.Rows[i].ID)
	}
	if filter.Status != nil {
		rows.Rows = slices.DeleteFunc(rows.Rows, func(o outreach.Offer) bool { return o.Status != *filter.Status })
	}
	return rows, nil
}

// Offer returns one offer.
func (db *DB) Offer(ctx context.Context, workspace, id uuid.UUID) (outreach.Offer, error) {
	return db.oneOffer(ctx, db.pool, workspace, id)
}

func (db *DB) oneOffer(ctx context.Context, q Querier, workspace, id uuid.UUID) (outreach.Offer, error) {
	o, err := offers.One(ctx, q, workspace, id)
	o.URL = db.offerURL(workspace, id)
	return o, err
}

// offerURL returns the signed URL of the public page.
func (db *DB) offerURL(workspace, id uuid.UUID) string {
	return outreach.Links{Keyring: db.keys, Origin: db.baseURL}.Offer(outreach.Ref{WorkspaceID: workspace, ID: id})
}

const insertOffer = `
INSERT INTO offers (id, workspace_id, title, target_url, body_html, prospect_id, company_id, campaign_id, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

// CreateOffer stores an offer. Its HTML must be sanitised.
func (db *DB) CreateOffer(ctx context.Context, o outreach.Offer) (outreach.Offer, error) {
	o.Normalize()
	o.ID, o.CreatedAt = NewID(), db.Now()
	err := db.Tx(ctx, func(tx pgx.Tx) error {
		err := outreach.FindAll(ctx,
			func(context.Context) error { return o.Validate() },
			func(ctx context.Context) error { return checkOffer(ctx, tx, &o) })
		if err != nil {
			return err
		}
		err = Exec(ctx, tx, "insert offer", insertOffer, o.ID, o.WorkspaceID, o.Title, o.TargetURL, o.BodyHTML, o.ProspectID, o.CompanyID,
			o.CampaignID, o.CreatedAt)
		if err != nil {
			return err
		}
		o, err = db.oneOffer(ctx, tx, o.WorkspaceID, o.ID)
		return err
	})
	return o, err
}

const updateOffer = `
UPDATE offers SET title = $3, target_url = $4, body_html = $5, prospect_id = $6, company_id = $7, campaign_id = $8
WHERE workspace_id = $1 AND id = $2`

// UpdateOffer calls change with the locked offer and stores the result.
func (db *DB) UpdateOffer(ctx context.Context, workspace, id uuid.UUID, change func(*outreach.Offer)) (o outreach.Offer, err error) {
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		if o, err = offers.OneLocked(ctx, tx, workspace, id, " FOR UPDATE"); err != nil {
			return err
		}
		before := o
		change(&o)
		o.Normalize()
		err = outreach.FindAll(ctx,
			func(context.Context) error { return o.Validate() },
			func(ctx context.Context) error { return checkOfferChange(ctx, tx, &o, &before) })
		if err != nil {
			return err
		}
		if err := Exec(ctx, tx, "update offer", updateOffer, workspace, id, o.Title, o.TargetURL, o.BodyHTML, o.ProspectID, o.CompanyID,
			o.CampaignID); err != nil {
			return err
		}
		o, err = db.oneOffer(ctx, tx, workspace, id)
		return err
	})
	return o, err
}

// checkOfferChange checks only fields that changed: the prospect of an old offer may be deleted.
func checkOfferChange(ctx context.Context, tx pgx.Tx, o, before *outreach.Offer) error {
	changed := *o
	if SameValue(o.ProspectID, before.ProspectID) {
		changed.ProspectID = nil
	}
	if SameValue(o.CompanyID, before.CompanyID) {
		changed.CompanyID = nil
	}
	if SameValue(o.CampaignID, before.CampaignID) {
		changed.CampaignID = nil
	}
	return checkOffer(ctx, tx, &changed)
}

func checkOffer(ctx context.Context, tx pgx.Tx, o *outreach.Offer) error {
	var faults outreach.Faults
	for _, ref := range []struct {
		field, table string
		id           *uuid.UUID
	}{{"prospect_id", "prospects", o.ProspectID}, {"company_id", "companies", o.CompanyID}, {"campaign_id", "campaigns", o.CampaignID}} {
		if ref.id == nil {
			continue
		}
		var one int
		err := tx.QueryRow(ctx, "SELECT 1 FROM "+ref.table+" WHERE workspace_id = $1 AND id = $2", o.WorkspaceID, ref.id).Scan(&one)
		if errors.Is(err, pgx.ErrNoRows) {
			faults.AddUnknown(outreach.At(ref.field))
		} else if err != nil {
			return fmt.Errorf("look up reference: %w", err)
		}
	}
	return faults.Err()
}

const deleteOffer = `DELETE FROM offers WHERE workspace_id = $1 AND id = $2`

// DeleteOffer deletes an offer with its page.
func (db *DB) DeleteOffer(ctx context.Context, workspace, id uuid.UUID) error {
	return db.execOneTx(ctx, "delete offer", deleteOffer, workspace, id)
}
