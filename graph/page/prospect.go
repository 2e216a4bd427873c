package page

import (
	"context"
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
)

var prospectObject = object[outreach.Prospect]{
	name: "Prospect",
	leaves: map[string]func([]byte, *outreach.Prospect) []byte{
		"id":              id(func(r *outreach.Prospect) uuid.UUID { return r.ID }),
		"email":           str(func(r *outreach.Prospect) string { return r.Email }),
		"firstName":       text(func(r *outreach.Prospect) *string { return r.FirstName }),
		"lastName":        text(func(r *outreach.Prospect) *string { return r.LastName }),
		"companyName":     text(func(r *outreach.Prospect) *string { return r.CompanyName }),
		"companyId":       maybeID(func(r *outreach.Prospect) *uuid.UUID { return r.CompanyID }),
		"jobTitle":        text(func(r *outreach.Prospect) *string { return r.JobTitle }),
		"phone":           text(func(r *outreach.Prospect) *string { return r.Phone }),
		"website":         text(func(r *outreach.Prospect) *string { return r.Website }),
		"linkedinUrl":     text(func(r *outreach.Prospect) *string { return r.LinkedinURL }),
		"timezone":        text(func(r *outreach.Prospect) *string { return r.Timezone }),
		"customFields":    fields(func(r *outreach.Prospect) map[string]any { return r.CustomFields }),
		"status":          str(func(r *outreach.Prospect) outreach.ProspectStatus { return r.Status }),
		"interest":        enum(func(r *outreach.Prospect) *outreach.Interest { return r.Interest }),
		"lastContactedAt": maybeInstant(func(r *outreach.Prospect) *time.Time { return r.LastContactedAt }),
		"lastRepliedAt":   maybeInstant(func(r *outreach.Prospect) *time.Time { return r.LastRepliedAt }),
		"createdAt":       instant(func(r *outreach.Prospect) time.Time { return r.CreatedAt }),
	},
}

// MarshalProspect writes the selected fields of a prospect.
func MarshalProspect(row outreach.Prospect) graphql.ContextMarshaler {
	return single(&prospectObject, row)
}

// ProspectConnection is one page of the list.
type ProspectConnection struct {
	Nodes      []outreach.Prospect
	NextCursor *string
}

// MarshalGQLContext writes the selected fields of the page.
func (c ProspectConnection) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return write(ctx, w, &prospectObject, c.Nodes, c.NextCursor)
}

// UnmarshalGQLContext only makes the type known to gqlgen: a connection is never input.
func (*ProspectConnection) UnmarshalGQLContext(context.Context, any) error { return errOutputOnly }
