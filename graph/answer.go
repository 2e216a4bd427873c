package graph

import (
	"context"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// AnswerStore keeps answers to replies until they are sent.
type AnswerStore interface {
	CreateAnswer(ctx context.Context, a outreach.Answer, mail outreach.AnswerMail) (outreach.Message, error)
	UpdateAnswer(ctx context.Context, workspace, id uuid.UUID, change func(*outreach.Answer),
		mail outreach.AnswerMail) (outreach.Message, error)
	WithdrawAnswer(ctx context.Context, workspace, id uuid.UUID) error
}

// WaitingReader reads answers that have not been sent.
type WaitingReader interface {
	WaitingAnswers(ctx context.Context, workspace, prospect uuid.UUID) ([]outreach.Message, error)
}

// DraftStore keeps unsent drafts of answers.
type DraftStore interface {
	AnswerDraft(ctx context.Context, workspace, reply, user uuid.UUID) (*outreach.AnswerDraft, error)
	SaveAnswerDraft(ctx context.Context, workspace, user uuid.UUID, d outreach.AnswerDraft) (outreach.AnswerDraft, error)
	DeleteAnswerDraft(ctx context.Context, workspace, reply, user uuid.UUID) error
}

// WriterReader returns who is writing an answer to a reply.
type WriterReader interface {
	Writers(ctx context.Context, workspace, reply, user uuid.UUID) ([]outreach.Writer, error)
}

func (m mutations) AnswerReply(ctx context.Context, id uuid.UUID, in exec.AnswerInput) (outreach.Message, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return outreach.Message{}, err
	}
	a := outreach.Answer{WorkspaceID: ws, ReplyID: id}
	if actor, ok := outreach.ActorFrom(ctx); ok && actor.User != nil {
		a.Author = &actor.User.ID
	}
	changeAnswer(in)(&a)
	answer, err := m.Stores.Answers.CreateAnswer(ctx, a, m.AnswerMail)
	m.changed(err, TopicReply, ws, id)
	return answer, err
}

func (m mutations) UpdateAnswer(ctx context.Context, id uuid.UUID, in exec.AnswerInput) (outreach.Message, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return outreach.Message{}, err
	}
	return m.Stores.Answers.UpdateAnswer(ctx, ws, id, changeAnswer(in), m.AnswerMail)
}

func (m mutations) WithdrawAnswer(ctx context.Context, id uuid.UUID) (bool, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return false, err
	}
	err = m.Stores.Answers.WithdrawAnswer(ctx, ws, id)
	m.changed(err, TopicReply, ws)
	return true, err
}

func changeAnswer(in exec.AnswerInput) func(*outreach.Answer) {
	return func(a *outreach.Answer) {
		set(&a.Subject, in.Subject)
		set(&a.BodyHTML, in.BodyHTML)
		set(&a.BodyText, in.BodyText)
		set(&a.Cc, in.Cc)
		set(&a.SendAt, in.SendAt)
	}
}

// viewerIn returns the workspace of the request and its signed-in user.
func viewerIn(ctx context.Context) (ws, viewer uuid.UUID, err error) {
	v, err := user(ctx)
	if err != nil {
		return ws, viewer, err
	}
	ws, err = workspace(ctx)
	return ws, v.ID, err
}

func (q queries) WaitingAnswers(ctx context.Context, prospectID uuid.UUID) (c exec.MessageConnection, err error) {
	c.Nodes, err = inWorkspace(ctx, prospectID, q.Stores.WaitingAnswers.WaitingAnswers)
	return c, err
}

func (q queries) AnswerDraft(ctx context.Context, replyID uuid.UUID) (*outreach.AnswerDraft, error) {
	ws, viewer, err := viewerIn(ctx)
	if err != nil {
		return nil, err
	}
	return q.Stores.Drafts.AnswerDraft(ctx, ws, replyID, viewer)
}

func (q queries) Writers(ctx context.Context, replyID uuid.UUID) ([]outreach.Writer, error) {
	ws, viewer, err := viewerIn(ctx)
	if err != nil {
		return nil, err
	}
	return q.Stores.Writers.Writers(ctx, ws, replyID, viewer)
}

func (m mutations) SaveAnswerDraft(ctx context.Context, replyID uuid.UUID, in exec.AnswerDraftInput) (d outreach.AnswerDraft, err error) {
	ws, viewer, err := viewerIn(ctx)
	if err != nil {
		return d, err
	}
	d.ReplyID = replyID
	set(&d.Subject, in.Subject)
	set(&d.BodyHTML, in.BodyHTML)
	set(&d.BodyText, in.BodyText)
	set(&d.Cc, in.Cc)
	d, err = m.Stores.Drafts.SaveAnswerDraft(ctx, ws, viewer, d)
	m.changed(err, TopicWriting, ws, replyID)
	return d, err
}

func (m mutations) DeleteAnswerDraft(ctx context.Context, replyID uuid.UUID) (bool, error) {
	ws, viewer, err := viewerIn(ctx)
	if err != nil {
		return false, err
	}
	err = m.Stores.Drafts.DeleteAnswerDraft(ctx, ws, replyID, viewer)
	m.changed(err, TopicWriting, ws, replyID)
	return true, err
}
