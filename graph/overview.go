package graph

import (
	"context"

	"github.com/google/uuid"

	"outreach"
)

// OverviewReader reads what the overview shows.
type OverviewReader interface {
	Overview(ctx context.Context, workspace uuid.UUID, days int) (outreach.Overview, error)
	Attention(ctx context.Context, workspace uuid.UUID) ([]outreach.Attention, error)
	WaitingReplies(ctx context.Context, workspace uuid.UUID) (int, error)
}

func (q queries) Overview(ctx context.Context, days int) (outreach.Overview, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return outreach.Overview{}, err
	}
	if err := checkDays(days); err != nil {
		return outreach.Overview{}, err
	}
	return q.Stores.OverviewReader.Overview(ctx, ws, days)
}

func (q queries) WaitingReplies(ctx context.Context) (int, error) {
	return ofWorkspace(ctx, q.Stores.OverviewReader.WaitingReplies)
}

func (q queries) Attention(ctx context.Context) ([]outreach.Attention, error) {
	return ofWorkspace(ctx, q.Stores.OverviewReader.Attention)
}

// SendingStateReader reads whether the installation sends mail.
type SendingStateReader interface {
	SendingState(ctx context.Context) (outreach.SendingState, error)
}

func (q queries) SendingOff(ctx context.Context) (*string, error) {
	if _, err := workspace(ctx); err != nil {
		return nil, err
	}
	state, err := q.Stores.SendingStates.SendingState(ctx)
	return state.Sentence(), err
}
