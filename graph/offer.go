package graph

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/microcosm-cc/bluemonday"

	"outreach"
	"outreach/graph/exec"
)

// OfferReader reads offers.
type OfferReader interface {
	Offer(ctx context.Context, workspace, id uuid.UUID) (outreach.Offer, error)
	ListOffers(ctx context.Context, workspace uuid.UUID, filter outreach.OfferFilter,
		page outreach.Page) (outreach.Rows[outreach.Offer], error)
}

// OfferWriter creates, changes and deletes offers.
type OfferWriter interface {
	CreateOffer(ctx context.Context, o outreach.Offer) (outreach.Offer, error)
	UpdateOffer(ctx context.Context, workspace, id uuid.UUID, change func(*outreach.Offer)) (outreach.Offer, error)
	DeleteOffer(ctx context.Context, workspace, id uuid.UUID) error
}

func (q queries) Offer(ctx context.Context, id uuid.UUID) (outreach.Offer, error) {
	return inWorkspace(ctx, id, q.Stores.OfferReader.Offer)
}

func (q queries) Offers(ctx context.Context, first int, after *string, status *outreach.OfferStatus,
	createdSince *time.Time) (c exec.OfferConnection, err error) {
	filter := outreach.OfferFilter{Status: status, CreatedSince: createdSince}
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"offers", first, after}, filter,
		q.Stores.OfferReader.ListOffers)
	return c, err
}

func (m mutations) CreateOffer(ctx context.Context, in exec.OfferInput) (o outreach.Offer, err error) {
	if o.WorkspaceID, err = workspace(ctx); err != nil {
		return o, err
	}
	changeOffer(in)(&o)
	return m.Stores.OfferWriter.CreateOffer(ctx, o)
}

func (m mutations) UpdateOffer(ctx context.Context, id uuid.UUID, in exec.OfferInput) (outreach.Offer, error) {
	return inWorkspaceWith(ctx, id, changeOffer(in), m.Stores.OfferWriter.UpdateOffer)
}

func (m mutations) DeleteOffer(ctx context.Context, id uuid.UUID) (bool, error) {
	return deleted(ctx, id, m.Stores.OfferWriter.DeleteOffer)
}

func changeOffer(in exec.OfferInput) func(*outreach.Offer) {
	return func(o *outreach.Offer) {
		setOr(&o.Title, in.Title, "")
		set(&o.TargetURL, in.TargetURL)
		set(&o.ProspectID, in.ProspectID)
		set(&o.CompanyID, in.CompanyID)
		set(&o.CampaignID, in.CampaignID)
		if html, ok := in.BodyHTML.ValueOK(); ok {
			o.BodyHTML = sanitised(html)
		}
	}
}

// offerHTML lets through what a page of text and pictures needs: no scripts, no
// forms, no styles that could cover the page.
var offerHTML = bluemonday.UGCPolicy()

func sanitised(html *string) *string {
	if html == nil {
		return nil
	}
	return new(offerHTML.Sanitize(*html))
}
