package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
	"outreach/graph/page"
)

type messageStore interface {
	Message(ctx context.Context, workspace, id uuid.UUID) (outreach.Message, error)
	ListMessages(ctx context.Context, workspace uuid.UUID, filter outreach.MessageFilter, page outreach.Page) (outreach.Rows[outreach.Message], error)
	ResolveMessage(ctx context.Context, workspace, id uuid.UUID, as outreach.Resolution) (outreach.Message, error)
}

func (q queries) Message(ctx context.Context, id uuid.UUID) (outreach.Message, error) {
	return inWorkspace(ctx, id, q.Store.Message)
}

func (q queries) Messages(ctx context.Context, first int, after *string, campaignID, prospectID, mailboxID *uuid.UUID, step *int,
	status *outreach.MessageStatus, since *time.Time) (c page.MessageConnection, err error) {
	filter := outreach.MessageFilter{CampaignID: campaignID, ProspectID: prospectID, MailboxID: mailboxID, Step: step, Status: status, Since: since}
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"messages", filter, first, after},
		func(ws uuid.UUID, p outreach.Page) (outreach.Rows[outreach.Message], error) {
			return q.Store.ListMessages(ctx, ws, filter, p)
		})
	return c, err
}

func (m mutations) ResolveMessage(ctx context.Context, id uuid.UUID, in exec.ResolveInput) (outreach.Message, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return outreach.Message{}, err
	}
	return m.Store.ResolveMessage(ctx, ws, id, in.As)
}
