package page

import (
	"context"
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
)

var companyObject = object[outreach.Company]{
	name: "Company",
	leaves: map[string]func([]byte, *outreach.Company) []byte{
		"id":                id(func(r *outreach.Company) uuid.UUID { return r.ID }),
		"name":              str(func(r *outreach.Company) string { return r.Name }),
		"domain":            text(func(r *outreach.Company) *string { return r.Domain }),
		"temperature":       str(func(r *outreach.Company) outreach.Temperature { return r.Temperature }),
		"temperatureReason": str(func(r *outreach.Company) string { return r.TemperatureReason }),
		"prospectCount":     number(func(r *outreach.Company) int { return r.ProspectCount }),
		"createdAt":         instant(func(r *outreach.Company) time.Time { return r.CreatedAt }),
	},
}

// MarshalCompany writes the selected fields of a company.
func MarshalCompany(row outreach.Company) graphql.ContextMarshaler {
	return single(&companyObject, row)
}

// CompanyConnection is one page of the list.
type CompanyConnection struct {
	Nodes      []outreach.Company
	NextCursor *string
}

// MarshalGQLContext writes the selected fields of the page.
func (c CompanyConnection) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return write(ctx, w, &companyObject, c.Nodes, c.NextCursor)
}

// UnmarshalGQLContext only makes the type known to gqlgen: a connection is never input.
func (*CompanyConnection) UnmarshalGQLContext(context.Context, any) error { return errOutputOnly }
