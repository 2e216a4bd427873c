package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// ReplyReader reads replies.
type ReplyReader interface {
	Reply(ctx context.Context, workspace, id uuid.UUID) (outreach.Reply, error)
	ListReplies(ctx context.Context, workspace uuid.UUID, filter outreach.ReplyFilter,
		page outreach.Page) (outreach.Rows[outreach.Reply], error)
}

// MailSearcher finds replies, steps and answers that contain given words.
type MailSearcher interface {
	ListMail(ctx context.Context, workspace uuid.UUID, search []string, page outreach.Page) (outreach.Rows[outreach.FoundMail], error)
}

// ReplyWriter changes replies.
type ReplyWriter interface {
	UpdateReply(ctx context.Context, workspace, id uuid.UUID, change func(*outreach.Reply)) (outreach.Reply, error)
	MarkRepliesDone(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID, done bool) (int, error)
}

// ConversationStore assigns and snoozes the conversations of replies. Its methods return how many
// replies they changed.
type ConversationStore interface {
	AssignConversations(ctx context.Context, workspace uuid.UUID, replies []uuid.UUID, member *uuid.UUID) (int, error)
	SnoozeConversations(ctx context.Context, workspace uuid.UUID, replies []uuid.UUID, until *time.Time) (int, error)
	WakeConversations(ctx context.Context, workspace uuid.UUID, replies []uuid.UUID) (int, error)
}

// UnmatchedReplies settles replies without a known message or prospect.
type UnmatchedReplies interface {
	AssignReply(ctx context.Context, workspace, id, prospect uuid.UUID) (outreach.Reply, error)
	DismissReply(ctx context.Context, workspace, id uuid.UUID) (outreach.Reply, error)
}

func (q queries) Reply(ctx context.Context, id uuid.UUID) (outreach.Reply, error) {
	return inWorkspace(ctx, id, q.Stores.ReplyReader.Reply)
}

func (q queries) Replies(ctx context.Context, first int, after *string, campaignID, prospectID, mailboxID *uuid.UUID,
	interest *outreach.Interest, automatic *bool, since *time.Time, done, unmatched *bool, search *string,
	assignedTo *uuid.UUID, unassigned, snoozed *bool) (c exec.ReplyConnection, err error) {
	filter := outreach.ReplyFilter{
		CampaignID: campaignID, ProspectID: prospectID, MailboxID: mailboxID, Interest: interest, Automatic: automatic,
		Since: since, Done: done, Unmatched: unmatched != nil && *unmatched,
		AssignedTo: assignedTo, Unassigned: unassigned != nil && *unassigned, Snoozed: snoozed,
	}
	if search != nil {
		if filter.Search, err = outreach.ParseSearch(*search); err != nil {
			return c, err
		}
	}
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"replies", first, after}, filter,
		q.Stores.ReplyReader.ListReplies)
	return c, err
}

func (q queries) Mail(ctx context.Context, first int, after *string, search string) (c exec.FoundMailConnection, err error) {
	words, err := outreach.ParseSearch(search)
	if err != nil {
		return c, err
	}
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"mail", first, after}, words,
		q.Stores.MailSearcher.ListMail)
	return c, err
}

func (m mutations) UpdateReply(ctx context.Context, id uuid.UUID, in exec.ReplyInput) (outreach.Reply, error) {
	change := func(r *outreach.Reply) {
		set(&r.Interest, in.Interest)
		setOr(&r.Automatic, in.Automatic, false)
	}
	return m.announced(inWorkspaceWith(ctx, id, change, m.Stores.ReplyWriter.UpdateReply))
}

func (m mutations) MarkRepliesDone(ctx context.Context, ids []uuid.UUID, done bool) (int, error) {
	return m.changeReplies(ctx, ids, func(ws uuid.UUID) (int, error) {
		return m.Stores.ReplyWriter.MarkRepliesDone(ctx, ws, ids, done)
	})
}

func (m mutations) AssignConversations(ctx context.Context, ids []uuid.UUID, memberID *uuid.UUID) (int, error) {
	return m.changeReplies(ctx, ids, func(ws uuid.UUID) (int, error) {
		return m.Stores.Conversations.AssignConversations(ctx, ws, ids, memberID)
	})
}

func (m mutations) SnoozeConversations(ctx context.Context, ids []uuid.UUID, until *time.Time) (int, error) {
	return m.changeReplies(ctx, ids, func(ws uuid.UUID) (int, error) {
		return m.Stores.Conversations.SnoozeConversations(ctx, ws, ids, until)
	})
}

func (m mutations) WakeConversations(ctx context.Context, ids []uuid.UUID) (int, error) {
	return m.changeReplies(ctx, ids, func(ws uuid.UUID) (int, error) {
		return m.Stores.Conversations.WakeConversations(ctx, ws, ids)
	})
}

// changeReplies changes replies of the workspace of the request, announces them if any changed, and
// returns how many did.
func (m mutations) changeReplies(ctx context.Context, ids []uuid.UUID, change func(ws uuid.UUID) (int, error)) (int, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return 0, err
	}
	n, err := change(ws)
	if n > 0 {
		m.changed(err, TopicReply, ws, ids...)
	}
	return n, err
}

func (m mutations) AssignReply(ctx context.Context, id uuid.UUID, in exec.AssignReplyInput) (outreach.Reply, error) {
	return m.announced(inWorkspaceWith(ctx, id, in.ProspectID, m.Stores.UnmatchedReplies.AssignReply))
}

func (m mutations) DismissReply(ctx context.Context, id uuid.UUID) (outreach.Reply, error) {
	return m.announced(inWorkspace(ctx, id, m.Stores.UnmatchedReplies.DismissReply))
}
