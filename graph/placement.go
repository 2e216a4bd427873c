package graph

import (
	"context"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// PlacementStore keeps placement checks. The mail engine runs them.
type PlacementStore interface {
	CreatePlacementCheck(ctx context.Context, c outreach.PlacementCheck) (outreach.PlacementCheck, error)
	PlacementCheck(ctx context.Context, workspace, id uuid.UUID) (outreach.PlacementCheck, error)
	LastPlacementChecks(ctx context.Context, workspace uuid.UUID) ([]outreach.PlacementCheck, error)
}

func (q queries) PlacementCheck(ctx context.Context, id uuid.UUID) (outreach.PlacementCheck, error) {
	return inWorkspace(ctx, id, q.Stores.Placements.PlacementCheck)
}

func (q queries) LastPlacementChecks(ctx context.Context) ([]outreach.PlacementCheck, error) {
	return ofWorkspace(ctx, q.Stores.Placements.LastPlacementChecks)
}

func (m mutations) CheckPlacement(ctx context.Context, id uuid.UUID, in exec.PlacementCheckInput) (c outreach.PlacementCheck, err error) {
	if c.WorkspaceID, err = workspace(ctx); err != nil {
		return c, err
	}
	c.MailboxID = id
	setOr(&c.ToMailboxID, in.ToMailboxID, uuid.Nil)
	if err := c.Validate(); err != nil {
		return c, err
	}
	return m.Stores.Placements.CreatePlacementCheck(ctx, c)
}
