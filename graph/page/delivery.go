package page

import (
	"context"
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
)

var deliveryObject = object[outreach.Delivery]{
	name: "Delivery",
	leaves: map[string]func([]byte, *outreach.Delivery) []byte{
		"id":                id(func(r *outreach.Delivery) uuid.UUID { return r.ID }),
		"subscriptionId":    id(func(r *outreach.Delivery) uuid.UUID { return r.SubscriptionID }),
		"subscriptionEvent": str(func(r *outreach.Delivery) string { return r.SubscriptionEvent }),
		"eventId":           id(func(r *outreach.Delivery) uuid.UUID { return r.EventID }),
		"type":              str(func(r *outreach.Delivery) outreach.EventType { return r.Type }),
		"url":               str(func(r *outreach.Delivery) string { return r.URL }),
		"status":            str(func(r *outreach.Delivery) outreach.DeliveryStatus { return r.Status }),
		"attempts":          number(func(r *outreach.Delivery) int { return r.Attempts }),
		"httpStatus":        maybeNumber(func(r *outreach.Delivery) *int { return r.HTTPStatus }),
		"error":             text(func(r *outreach.Delivery) *string { return r.Error }),
		"nextAttemptAt":     maybeInstant(func(r *outreach.Delivery) *time.Time { return r.NextAttemptAt }),
		"deliveredAt":       maybeInstant(func(r *outreach.Delivery) *time.Time { return r.DeliveredAt }),
		"redeliveryOf":      maybeID(func(r *outreach.Delivery) *uuid.UUID { return r.RedeliveryOf }),
		"createdAt":         instant(func(r *outreach.Delivery) time.Time { return r.CreatedAt }),
		"body":              str(func(r *outreach.Delivery) string { return r.Body }),
	},
	nested: map[string]nested[outreach.Delivery]{
		"attemptLog": attemptsWithin,
	},
}

// MarshalDelivery writes the selected fields of a delivery.
func MarshalDelivery(row outreach.Delivery) graphql.ContextMarshaler {
	return single(&deliveryObject, row)
}

// DeliveryConnection is one page of the list.
type DeliveryConnection struct {
	Nodes      []outreach.Delivery
	NextCursor *string
}

// MarshalGQLContext writes the selected fields of the page.
func (c DeliveryConnection) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return write(ctx, w, &deliveryObject, c.Nodes, c.NextCursor)
}

// UnmarshalGQLContext only makes the type known to gqlgen: a connection is never input.
func (*DeliveryConnection) UnmarshalGQLContext(context.Context, any) error { return errOutputOnly }

var attemptObject = object[outreach.Attempt]{
	name: "Attempt",
	leaves: map[string]func([]byte, *outreach.Attempt) []byte{
		"number":     number(func(r *outreach.Attempt) int { return r.Number }),
		"startedAt":  instant(func(r *outreach.Attempt) time.Time { return r.StartedAt }),
		"durationMs": maybeNumber(func(r *outreach.Attempt) *int { return r.DurationMs }),
		"httpStatus": maybeNumber(func(r *outreach.Attempt) *int { return r.HTTPStatus }),
		"error":      text(func(r *outreach.Attempt) *string { return r.Error }),
	},
}

// attemptsWithin fetches the attempts of all deliveries of the page at once.
func attemptsWithin(p *writer, rows []outreach.Delivery, field graphql.CollectedField) (func([]byte, int) []byte, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	own := func(d *outreach.Delivery) *uuid.UUID { return &d.ID }
	of, err := p.near().AttemptsOf(p.ctx, rows[0].WorkspaceID, distinct(rows, own))
	if err != nil {
		return nil, err
	}
	lists := make([][]outreach.Attempt, len(rows))
	for i := range rows {
		lists[i] = of[rows[i].ID]
	}
	return listsWriter(p, &attemptObject, lists, field.Selections)
}
