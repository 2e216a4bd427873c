package page

import (
	"context"
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
)

var subscriptionObject = object[outreach.Subscription]{
	name: "Subscription",
	leaves: map[string]func([]byte, *outreach.Subscription) []byte{
		"id":        id(func(r *outreach.Subscription) uuid.UUID { return r.ID }),
		"url":       str(func(r *outreach.Subscription) string { return r.URL }),
		"events":    list(func(r *outreach.Subscription) []outreach.SubscriptionEvent { return r.Events }),
		"enabled":   boolean(func(r *outreach.Subscription) bool { return r.Enabled }),
		"createdAt": instant(func(r *outreach.Subscription) time.Time { return r.CreatedAt }),
	},
}

// MarshalSubscription writes the selected fields of a subscription.
func MarshalSubscription(row outreach.Subscription) graphql.ContextMarshaler {
	return single(&subscriptionObject, row)
}

// SubscriptionConnection is one page of the list.
type SubscriptionConnection struct {
	Nodes      []outreach.Subscription
	NextCursor *string
}

// MarshalGQLContext writes the selected fields of the page.
func (c SubscriptionConnection) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return write(ctx, w, &subscriptionObject, c.Nodes, c.NextCursor)
}

// UnmarshalGQLContext only makes the type known to gqlgen: a connection is never input.
func (*SubscriptionConnection) UnmarshalGQLContext(context.Context, any) error { return errOutputOnly }
