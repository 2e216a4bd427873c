package page

import (
	"context"
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
)

var enrollmentObject = object[outreach.Enrollment]{
	name: "Enrollment",
	leaves: map[string]func([]byte, *outreach.Enrollment) []byte{
		"id":         id(func(r *outreach.Enrollment) uuid.UUID { return r.ID }),
		"campaignId": id(func(r *outreach.Enrollment) uuid.UUID { return r.CampaignID }),
		"prospectId": id(func(r *outreach.Enrollment) uuid.UUID { return r.ProspectID }),
		"mailboxId":  maybeID(func(r *outreach.Enrollment) *uuid.UUID { return r.MailboxID }),
		"status":     str(func(r *outreach.Enrollment) outreach.EnrollmentStatus { return r.Status }),
		"stopReason": text(func(r *outreach.Enrollment) *string { return r.StopReason }),
		"holdReason": text(func(r *outreach.Enrollment) *string { return r.HoldReason }),
		"holdUntil":  maybeInstant(func(r *outreach.Enrollment) *time.Time { return r.HoldUntil }),
		"nextStep":   maybeNumber(func(r *outreach.Enrollment) *int { return r.NextStep }),
		"nextSendAt": maybeInstant(func(r *outreach.Enrollment) *time.Time { return r.NextSendAt }),
		"createdAt":  instant(func(r *outreach.Enrollment) time.Time { return r.CreatedAt }),
	},
	nested: map[string]nested[outreach.Enrollment]{
		"prospect": prospectBeside(func(r *outreach.Enrollment) uuid.UUID { return r.WorkspaceID }, func(r *outreach.Enrollment) *uuid.UUID { return &r.ProspectID }),
		"campaign": campaignBeside(func(r *outreach.Enrollment) uuid.UUID { return r.WorkspaceID }, func(r *outreach.Enrollment) *uuid.UUID { return &r.CampaignID }),
	},
}

// MarshalEnrollment writes the selected fields of an enrollment.
func MarshalEnrollment(row outreach.Enrollment) graphql.ContextMarshaler {
	return single(&enrollmentObject, row)
}

// EnrollmentConnection is one page of the list.
type EnrollmentConnection struct {
	Nodes      []outreach.Enrollment
	NextCursor *string
}

// MarshalGQLContext writes the selected fields of the page.
func (c EnrollmentConnection) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return write(ctx, w, &enrollmentObject, c.Nodes, c.NextCursor)
}

// UnmarshalGQLContext only makes the type known to gqlgen: a connection is never input.
func (*EnrollmentConnection) UnmarshalGQLContext(context.Context, any) error { return errOutputOnly }
