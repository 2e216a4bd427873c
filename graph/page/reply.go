package page

import (
	"context"
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
)

var replyObject = object[outreach.Reply]{
	name: "Reply",
	leaves: map[string]func([]byte, *outreach.Reply) []byte{
		"id":             id(func(r *outreach.Reply) uuid.UUID { return r.ID }),
		"prospectId":     id(func(r *outreach.Reply) uuid.UUID { return r.ProspectID }),
		"campaignId":     maybeID(func(r *outreach.Reply) *uuid.UUID { return r.CampaignID }),
		"mailboxId":      id(func(r *outreach.Reply) uuid.UUID { return r.MailboxID }),
		"messageId":      maybeID(func(r *outreach.Reply) *uuid.UUID { return r.MessageID }),
		"from":           str(func(r *outreach.Reply) string { return r.From }),
		"subject":        text(func(r *outreach.Reply) *string { return r.Subject }),
		"text":           str(func(r *outreach.Reply) string { return r.Text }),
		"interest":       enum(func(r *outreach.Reply) *outreach.Interest { return r.Interest }),
		"interestReason": text(func(r *outreach.Reply) *string { return r.InterestReason }),
		"automatic":      boolean(func(r *outreach.Reply) bool { return r.Automatic }),
		"receivedAt":     instant(func(r *outreach.Reply) time.Time { return r.ReceivedAt }),
		"done":           boolean(func(r *outreach.Reply) bool { return r.Done }),
	},
	nested: map[string]nested[outreach.Reply]{
		"prospect": prospectBeside(func(r *outreach.Reply) uuid.UUID { return r.WorkspaceID }, func(r *outreach.Reply) *uuid.UUID { return &r.ProspectID }),
		"campaign": campaignBeside(func(r *outreach.Reply) uuid.UUID { return r.WorkspaceID }, func(r *outreach.Reply) *uuid.UUID { return r.CampaignID }),
	},
}

// MarshalReply writes the selected fields of a reply.
func MarshalReply(row outreach.Reply) graphql.ContextMarshaler { return single(&replyObject, row) }

// ReplyConnection is one page of the list.
type ReplyConnection struct {
	Nodes      []outreach.Reply
	NextCursor *string
}

// MarshalGQLContext writes the selected fields of the page.
func (c ReplyConnection) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return write(ctx, w, &replyObject, c.Nodes, c.NextCursor)
}

// UnmarshalGQLContext only makes the type known to gqlgen: a connection is never input.
func (*ReplyConnection) UnmarshalGQLContext(context.Context, any) error { return errOutputOnly }
