package page

import (
	"context"
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
)

var offerObject = object[outreach.Offer]{
	name: "Offer",
	leaves: map[string]func([]byte, *outreach.Offer) []byte{
		"id":          id(func(r *outreach.Offer) uuid.UUID { return r.ID }),
		"title":       str(func(r *outreach.Offer) string { return r.Title }),
		"targetUrl":   text(func(r *outreach.Offer) *string { return r.TargetURL }),
		"bodyHtml":    text(func(r *outreach.Offer) *string { return r.BodyHTML }),
		"prospectId":  maybeID(func(r *outreach.Offer) *uuid.UUID { return r.ProspectID }),
		"companyId":   maybeID(func(r *outreach.Offer) *uuid.UUID { return r.CompanyID }),
		"campaignId":  maybeID(func(r *outreach.Offer) *uuid.UUID { return r.CampaignID }),
		"url":         str(func(r *outreach.Offer) string { return r.URL }),
		"status":      str(func(r *outreach.Offer) outreach.OfferStatus { return r.Status }),
		"visitCount":  number(func(r *outreach.Offer) int { return r.VisitCount }),
		"firstReadAt": maybeInstant(func(r *outreach.Offer) *time.Time { return r.FirstReadAt }),
		"lastReadAt":  maybeInstant(func(r *outreach.Offer) *time.Time { return r.LastReadAt }),
		"createdAt":   instant(func(r *outreach.Offer) time.Time { return r.CreatedAt }),
	},
}

// MarshalOffer writes the selected fields of an offer.
func MarshalOffer(row outreach.Offer) graphql.ContextMarshaler { return single(&offerObject, row) }

// OfferConnection is one page of the list.
type OfferConnection struct {
	Nodes      []outreach.Offer
	NextCursor *string
}

// MarshalGQLContext writes the selected fields of the page.
func (c OfferConnection) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return write(ctx, w, &offerObject, c.Nodes, c.NextCursor)
}

// UnmarshalGQLContext only makes the type known to gqlgen: a connection is never input.
func (*OfferConnection) UnmarshalGQLContext(context.Context, any) error { return errOutputOnly }
