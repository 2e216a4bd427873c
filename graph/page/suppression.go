package page

import (
	"context"
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
)

var suppressionObject = object[outreach.Suppression]{
	name: "Suppression",
	leaves: map[string]func([]byte, *outreach.Suppression) []byte{
		"id":        id(func(r *outreach.Suppression) uuid.UUID { return r.ID }),
		"email":     text(func(r *outreach.Suppression) *string { return r.Email }),
		"domain":    text(func(r *outreach.Suppression) *string { return r.Domain }),
		"reason":    str(func(r *outreach.Suppression) outreach.SuppressionReason { return r.Reason }),
		"note":      text(func(r *outreach.Suppression) *string { return r.Note }),
		"createdAt": instant(func(r *outreach.Suppression) time.Time { return r.CreatedAt }),
	},
}

// MarshalSuppression writes the selected fields of a suppression.
func MarshalSuppression(row outreach.Suppression) graphql.ContextMarshaler {
	return single(&suppressionObject, row)
}

// SuppressionConnection is one page of the list.
type SuppressionConnection struct {
	Nodes      []outreach.Suppression
	NextCursor *string
}

// MarshalGQLContext writes the selected fields of the page.
func (c SuppressionConnection) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return write(ctx, w, &suppressionObject, c.Nodes, c.NextCursor)
}

// UnmarshalGQLContext only makes the type known to gqlgen: a connection is never input.
func (*SuppressionConnection) UnmarshalGQLContext(context.Context, any) error { return errOutputOnly }
