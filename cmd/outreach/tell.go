package main

import (
	"context"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph"
	"outreach/internal/live"
)

// The topics of changes on the streams. The ids are those of replies.
const (
	topicReply   = "reply"   // it was done, assigned, snoozed, marked, matched or answered
	topicWriting = "writing" // a user writes an answer to it, or has stopped
)

// telling returns stores that announce members' changes of conversations after storing them. Under
// an Idempotency-Key that is before the commit: a client that reads too early sees the change at
// its next poll. A process that dies in between has the same effect.
func telling(stores graph.Stores, hub *live.Hub) graph.Stores {
	stores.ReplyWriter = tellingReplies{stores.ReplyWriter, hub}
	stores.Conversations = tellingConversations{stores.Conversations, hub}
	stores.UnmatchedReplies = tellingUnmatched{stores.UnmatchedReplies, hub}
	stores.Answers = tellingAnswers{stores.Answers, hub}
	stores.Drafts = tellingDrafts{stores.Drafts, hub}
	return stores
}

// tell announces a reply if it changed.
func tell(hub *live.Hub, topic string, workspace, reply uuid.UUID, err error) {
	if err == nil {
		hub.Changed(workspace, topic, reply)
	}
}

type tellingReplies struct {
	graph.ReplyWriter
	hub *live.Hub
}

func (s tellingReplies) UpdateReply(ctx context.Context, workspace, id uuid.UUID, change func(*outreach.Reply)) (outreach.Reply, error) {
	r, err := s.ReplyWriter.UpdateReply(ctx, workspace, id, change)
	tell(s.hub, topicReply, workspace, id, err)
	return r, err
}

func (s tellingReplies) MarkReplyDone(ctx context.Context, workspace, id uuid.UUID, done bool) (outreach.Reply, error) {
	r, err := s.ReplyWriter.MarkReplyDone(ctx, workspace, id, done)
	tell(s.hub, topicReply, workspace, id, err)
	return r, err
}

func (s tellingReplies) MarkRepliesDone(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID, done bool) (int, error) {
	n, err := s.ReplyWriter.MarkRepliesDone(ctx, workspace, ids, done)
	if n > 0 {
		s.hub.Changed(workspace, topicReply, ids...)
	}
	return n, err
}

type tellingConversations struct {
	graph.ConversationStore
	hub *live.Hub
}

func (s tellingConversations) AssignConversation(ctx context.Context, workspace, reply uuid.UUID,
	member *uuid.UUID) (outreach.Reply, error) {
	r, err := s.ConversationStore.AssignConversation(ctx, workspace, reply, member)
	tell(s.hub, topicReply, workspace, reply, err)
	return r, err
}

func (s tellingConversations) SnoozeConversation(ctx context.Context, workspace, reply uuid.UUID,
	until *time.Time) (outreach.Reply, error) {
	r, err := s.ConversationStore.SnoozeConversation(ctx, workspace, reply, until)
	tell(s.hub, topicReply, workspace, reply, err)
	return r, err
}

func (s tellingConversations) WakeConversation(ctx context.Context, workspace, reply uuid.UUID) (outreach.Reply, error) {
	r, err := s.ConversationStore.WakeConversation(ctx, workspace, reply)
	tell(s.hub, topicReply, workspace, reply, err)
	return r, err
}

type tellingUnmatched struct {
	graph.UnmatchedReplies
	hub *live.Hub
}

func (s tellingUnmatched) AssignReply(ctx context.Context, workspace, id, prospect uuid.UUID) (outreach.Reply, error) {
	r, err := s.UnmatchedReplies.AssignReply(ctx, workspace, id, prospect)
	tell(s.hub, topicReply, workspace, id, err)
	return r, err
}

func (s tellingUnmatched) DismissReply(ctx context.Context, workspace, id uuid.UUID) (outreach.Reply, error) {
	r, err := s.UnmatchedReplies.DismissReply(ctx, workspace, id)
	tell(s.hub, topicReply, workspace, id, err)
	return r, err
}

type tellingAnswers struct {
	graph.AnswerStore
	hub *live.Hub
}

func (s tellingAnswers) CreateAnswer(ctx context.Context, a outreach.Answer, mail outreach.AnswerMail) (outreach.Message, error) {
	m, err := s.AnswerStore.CreateAnswer(ctx, a, mail)
	tell(s.hub, topicReply, a.WorkspaceID, a.ReplyID, err)
	return m, err
}

func (s tellingAnswers) WithdrawAnswer(ctx context.Context, workspace, id uuid.UUID) error {
	err := s.AnswerStore.WithdrawAnswer(ctx, workspace, id)
	if err == nil {
		s.hub.Changed(workspace, topicReply)
	}
	return err
}

type tellingDrafts struct {
	graph.DraftStore
	hub *live.Hub
}

func (s tellingDrafts) SaveAnswerDraft(ctx context.Context, workspace, user uuid.UUID,
	d outreach.AnswerDraft) (outreach.AnswerDraft, error) {
	saved, err := s.DraftStore.SaveAnswerDraft(ctx, workspace, user, d)
	tell(s.hub, topicWriting, workspace, d.ReplyID, err)
	return saved, err
}

func (s tellingDrafts) DeleteAnswerDraft(ctx context.Context, workspace, reply, user uuid.UUID) error {
	err := s.DraftStore.DeleteAnswerDraft(ctx, workspace, reply, user)
	tell(s.hub, topicWriting, workspace, reply, err)
	return err
}
