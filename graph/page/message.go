package page

import (
	"context"
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
)

var messageObject = object[outreach.Message]{
	name: "Message",
	leaves: map[string]func([]byte, *outreach.Message) []byte{
		"id":           id(func(r *outreach.Message) uuid.UUID { return r.ID }),
		"campaignId":   id(func(r *outreach.Message) uuid.UUID { return r.CampaignID }),
		"prospectId":   id(func(r *outreach.Message) uuid.UUID { return r.ProspectID }),
		"mailboxId":    id(func(r *outreach.Message) uuid.UUID { return r.MailboxID }),
		"enrollmentId": id(func(r *outreach.Message) uuid.UUID { return r.EnrollmentID }),
		"step":         number(func(r *outreach.Message) int { return r.Step }),
		"subject":      str(func(r *outreach.Message) string { return r.Subject }),
		"messageId":    str(func(r *outreach.Message) string { return r.MessageID }),
		"status":       str(func(r *outreach.Message) outreach.MessageStatus { return r.Status }),
		"smtpResponse": text(func(r *outreach.Message) *string { return r.SMTPResponse }),
		"sentAt":       instant(func(r *outreach.Message) time.Time { return r.SentAt }),
		"text":         str(func(r *outreach.Message) string { return r.Text }),
	},
	nested: map[string]nested[outreach.Message]{
		"prospect": prospectBeside(func(r *outreach.Message) uuid.UUID { return r.WorkspaceID }, func(r *outreach.Message) *uuid.UUID { return &r.ProspectID }),
		"campaign": campaignBeside(func(r *outreach.Message) uuid.UUID { return r.WorkspaceID }, func(r *outreach.Message) *uuid.UUID { return &r.CampaignID }),
	},
}

// MarshalMessage writes the selected fields of a message.
func MarshalMessage(row outreach.Message) graphql.ContextMarshaler {
	return single(&messageObject, row)
}

// MessageConnection is one page of the list.
type MessageConnection struct {
	Nodes      []outreach.Message
	NextCursor *string
}

// MarshalGQLContext writes the selected fields of the page.
func (c MessageConnection) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return write(ctx, w, &messageObject, c.Nodes, c.NextCursor)
}

// UnmarshalGQLContext only makes the type known to gqlgen: a connection is never input.
func (*MessageConnection) UnmarshalGQLContext(context.Context, any) error { return errOutputOnly }
