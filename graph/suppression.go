package graph

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// SuppressionReader reads suppressions.
type SuppressionReader interface {
	Suppression(ctx context.Context, workspace, id uuid.UUID) (outreach.Suppression, error)
	ListSuppressions(ctx context.Context, workspace uuid.UUID, filter outreach.SuppressionFilter,
		page outreach.Page) (outreach.Rows[outreach.Suppression], error)
	SuppressionEffect(ctx context.Context, workspace uuid.UUID, domain string) (outreach.SuppressionEffect, error)
}

// SuppressionWriter creates and deletes suppressions.
type SuppressionWriter interface {
	CreateSuppression(ctx context.Context, s outreach.Suppression) (outreach.SuppressionMade, error)
	// BulkSuppressions returns a result for each element, and how many enrollments were stopped.
	BulkSuppressions(ctx context.Context, workspace uuid.UUID,
		elements []outreach.Suppression) (results []outreach.BulkSuppressResult, stopped int, err error)
	DeleteSuppression(ctx context.Context, workspace, id uuid.UUID, confirm bool) error
}

// SuppressionUndoer takes back suppressions together with what they stopped.
type SuppressionUndoer interface {
	UndoSuppressions(ctx context.Context, workspace uuid.UUID, ids, stopped []uuid.UUID) (restored int, err error)
}

func (q queries) Suppression(ctx context.Context, id uuid.UUID) (outreach.Suppression, error) {
	return inWorkspace(ctx, id, q.Stores.SuppressionReader.Suppression)
}

func (q queries) Suppressions(ctx context.Context, first int, after *string, reason *outreach.SuppressionReason, email, domain *string,
	createdSince *time.Time) (c exec.SuppressionConnection, err error) {
	filter := outreach.SuppressionFilter{Reason: reason, Email: email, Domain: domain, CreatedSince: createdSince}
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"suppressions", first, after}, filter,
		q.Stores.SuppressionReader.ListSuppressions)
	return c, err
}

func (q queries) SuppressionEffect(ctx context.Context, domain string) (effect outreach.SuppressionEffect, err error) {
	ws, err := workspace(ctx)
	if err != nil {
		return effect, err
	}
	return q.Stores.SuppressionReader.SuppressionEffect(ctx, ws, domain)
}

func (m mutations) CreateSuppression(ctx context.Context, in exec.SuppressionInput) (made outreach.SuppressionMade, err error) {
	s := suppressionOf(in)
	if s.WorkspaceID, err = workspace(ctx); err != nil {
		return made, err
	}
	return m.Stores.SuppressionWriter.CreateSuppression(ctx, s)
}

func (m mutations) BulkSuppressions(ctx context.Context, in exec.BulkSuppressionsInput) (out exec.BulkSuppressed, err error) {
	ws, err := workspace(ctx)
	if err != nil {
		return out, err
	}
	done, err := m.beginBulk(ctx, ws, "suppressions", len(in.Suppressions))
	if err != nil {
		return out, err
	}
	defer done()
	elements := make([]outreach.Suppression, len(in.Suppressions))
	for i := range in.Suppressions {
		elements[i] = suppressionOf(in.Suppressions[i])
	}
	out.Results, out.Stopped, err = m.Stores.SuppressionWriter.BulkSuppressions(ctx, ws, elements)
	return out, err
}

func suppressionOf(in exec.SuppressionInput) outreach.Suppression {
	return outreach.Suppression{Email: in.Email.Value(), Domain: in.Domain.Value(), Note: in.Note.Value()}
}

func (m mutations) DeleteSuppression(ctx context.Context, id uuid.UUID, confirm bool) (bool, error) {
	was, err := inWorkspace(ctx, id, m.Stores.SuppressionReader.Suppression)
	if err != nil {
		return false, err
	}
	ctx = audited(ctx, outreach.AuditSuppressionDeleted, was.Target())
	return true, m.Stores.SuppressionWriter.DeleteSuppression(ctx, was.WorkspaceID, id, confirm)
}

func (m mutations) UndoSuppressions(ctx context.Context, ids, stopped []uuid.UUID) (out exec.UndoneSuppressions, err error) {
	ws, err := workspace(ctx)
	if err != nil {
		return out, err
	}
	name, n := "ids", len(ids)
	if n == 0 || len(stopped) > outreach.MaxBulk {
		name, n = "stopped", len(stopped)
	}
	done, err := m.beginBulk(ctx, ws, name, n)
	if err != nil {
		return out, err
	}
	defer done()
	switch len(ids) {
	case 0:
	case 1:
		was, err := m.Stores.SuppressionReader.Suppression(ctx, ws, ids[0])
		if err != nil {
			return out, err
		}
		ctx = audited(ctx, outreach.AuditSuppressionDeleted, was.Target())
	default:
		ctx = audited(ctx, outreach.AuditSuppressionDeleted, fmt.Sprintf("%d suppressions", len(ids)))
	}
	out.Restored, err = m.Stores.SuppressionUndoer.UndoSuppressions(ctx, ws, ids, stopped)
	return out, err
}
