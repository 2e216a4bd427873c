package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// MessageReader reads messages.
type MessageReader interface {
	Message(ctx context.Context, workspace, id uuid.UUID) (outreach.Message, error)
	ListMessages(ctx context.Context, workspace uuid.UUID, filter outreach.MessageFilter,
		page outreach.Page) (outreach.Rows[outreach.Message], error)
}

// MessageResolver settles a message whose outcome is unknown.
type MessageResolver interface {
	ResolveMessage(ctx context.Context, workspace, id uuid.UUID, as outreach.Resolution) (outreach.Message, error)
}

func (q queries) Message(ctx context.Context, id uuid.UUID) (outreach.Message, error) {
	return inWorkspace(ctx, id, q.Stores.MessageReader.Message)
}

func (q queries) Messages(ctx context.Context, first int, after *string, campaignID, prospectID, mailboxID *uuid.UUID,
	kind *outreach.MessageKind,
	step *int, status *outreach.MessageStatus, since *time.Time) (c exec.MessageConnection, err error) {
	filter := outreach.MessageFilter{CampaignID: campaignID, ProspectID: prospectID, MailboxID: mailboxID, Kind: kind,
		Step: step, Status: status, Since: since}
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"messages", first, after}, filter,
		q.Stores.MessageReader.ListMessages)
	return c, err
}

func (m mutations) ResolveMessage(ctx context.Context, id uuid.UUID, in exec.ResolveInput) (outreach.Message, error) {
	return inWorkspaceWith(ctx, id, in.As, m.Stores.MessageResolver.ResolveMessage)
}
