package page

import (
	"context"
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
)

var mailboxObject = object[outreach.Mailbox]{
	name: "Mailbox",
	leaves: map[string]func([]byte, *outreach.Mailbox) []byte{
		"id":            id(func(r *outreach.Mailbox) uuid.UUID { return r.ID }),
		"email":         str(func(r *outreach.Mailbox) string { return r.Email }),
		"displayName":   text(func(r *outreach.Mailbox) *string { return r.DisplayName }),
		"dailyLimit":    number(func(r *outreach.Mailbox) int { return r.DailyLimit }),
		"minGapSeconds": number(func(r *outreach.Mailbox) int { return r.MinGapSeconds }),
		"signatureHtml": text(func(r *outreach.Mailbox) *string { return r.SignatureHTML }),
		"status":        str(func(r *outreach.Mailbox) outreach.MailboxStatus { return r.Status }),
		"lastError":     text(func(r *outreach.Mailbox) *string { return r.LastError }),
		"sentToday":     number(func(r *outreach.Mailbox) int { return r.SentToday }),
		"lastCheckedAt": maybeInstant(func(r *outreach.Mailbox) *time.Time { return r.LastCheckedAt }),
		"createdAt":     instant(func(r *outreach.Mailbox) time.Time { return r.CreatedAt }),
	},
	nested: map[string]nested[outreach.Mailbox]{
		"smtp": within(&mailServerObject, func(r *outreach.Mailbox) outreach.MailServer { return r.SMTP }),
		"imap": within(&mailServerObject, func(r *outreach.Mailbox) outreach.MailServer { return r.IMAP }),
	},
}

// MarshalMailbox writes the selected fields of a mailbox.
func MarshalMailbox(row outreach.Mailbox) graphql.ContextMarshaler {
	return single(&mailboxObject, row)
}

// MailboxConnection is one page of the list.
type MailboxConnection struct {
	Nodes      []outreach.Mailbox
	NextCursor *string
}

// MarshalGQLContext writes the selected fields of the page.
func (c MailboxConnection) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return write(ctx, w, &mailboxObject, c.Nodes, c.NextCursor)
}

// UnmarshalGQLContext only makes the type known to gqlgen: a connection is never input.
func (*MailboxConnection) UnmarshalGQLContext(context.Context, any) error { return errOutputOnly }

var mailServerObject = object[outreach.MailServer]{
	name: "MailServer",
	leaves: map[string]func([]byte, *outreach.MailServer) []byte{
		"host":     str(func(r *outreach.MailServer) string { return r.Host }),
		"port":     number(func(r *outreach.MailServer) int { return r.Port }),
		"username": str(func(r *outreach.MailServer) string { return r.Username }),
		"security": str(func(r *outreach.MailServer) outreach.Security { return r.Security }),
	},
}
