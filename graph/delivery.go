package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// DeliveryReader reads deliveries.
type DeliveryReader interface {
	Delivery(ctx context.Context, workspace, id uuid.UUID) (outreach.Delivery, error)
	ListDeliveries(ctx context.Context, workspace uuid.UUID, filter outreach.DeliveryFilter,
		page outreach.Page) (outreach.Rows[outreach.Delivery], error)
	Redelivered(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) ([]uuid.UUID, error)
}

// Redeliverer queues deliveries again.
type Redeliverer interface {
	Redeliver(ctx context.Context, workspace, id uuid.UUID) (outreach.Delivery, error)
	RedeliverFailed(ctx context.Context, workspace, subscription uuid.UUID, since time.Time, dryRun bool) (int, error)
}

func (q queries) Delivery(ctx context.Context, id uuid.UUID) (outreach.Delivery, error) {
	return inWorkspace(ctx, id, q.Stores.DeliveryReader.Delivery)
}

func (q queries) Deliveries(ctx context.Context, first int, after *string, subscriptionID *uuid.UUID, kind *outreach.EventType,
	status *outreach.DeliveryStatus, since *time.Time) (c exec.DeliveryConnection, err error) {
	filter := outreach.DeliveryFilter{SubscriptionID: subscriptionID, Type: kind, Status: status, Since: since}
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"deliveries", first, after}, filter,
		q.Stores.DeliveryReader.ListDeliveries)
	return c, err
}

func (q queries) Redelivered(ctx context.Context, ids []uuid.UUID) ([]uuid.UUID, error) {
	return ofSeveral(ctx, ids, q.Stores.DeliveryReader.Redelivered)
}

func (m mutations) Redeliver(ctx context.Context, id uuid.UUID) (outreach.Delivery, error) {
	return inWorkspace(ctx, id, m.Stores.Redeliverer.Redeliver)
}

func (m mutations) RedeliverFailed(ctx context.Context, subscriptionID uuid.UUID, since time.Time, dryRun bool) (exec.Redelivered, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return exec.Redelivered{}, err
	}
	count, err := m.Stores.Redeliverer.RedeliverFailed(ctx, ws, subscriptionID, since, dryRun)
	return exec.Redelivered{Count: count, DryRun: dryRun}, err
}
