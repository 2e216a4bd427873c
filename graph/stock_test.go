package graph_test

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph"
	"outreach/graph/exec/stock"
	"outreach/storage/stores"
)

// stockRoot gives gqlgen's own generated code the resolvers of graph. What the tables
// fetch for a whole page it fetches row by row.
type stockRoot struct {
	*graph.Resolver
	db *stores.Stores
}

func (r stockRoot) Query() stock.QueryResolver           { return r.Resolver.Query() }
func (r stockRoot) Mutation() stock.MutationResolver     { return r.Resolver.Mutation() }
func (r stockRoot) BulkResult() stock.BulkResultResolver { return r.Resolver.BulkResult() }
func (r stockRoot) FieldFault() stock.FieldFaultResolver { return r.Resolver.FieldFault() }
func (r stockRoot) Refusal() stock.RefusalResolver       { return r.Resolver.Refusal() }
func (r stockRoot) Enrollment() stock.EnrollmentResolver { return stockEnrollments{r.db} }
func (r stockRoot) Message() stock.MessageResolver       { return stockMessages{r.db} }
func (r stockRoot) Reply() stock.ReplyResolver           { return stockReplies{r.db} }
func (r stockRoot) Delivery() stock.DeliveryResolver     { return stockDeliveries{r.db} }
func (r stockRoot) Mailbox() stock.MailboxResolver       { return stockMailboxes{r.db} }

type (
	stockEnrollments struct{ db *stores.Stores }
	stockMessages    struct{ db *stores.Stores }
	stockReplies     struct{ db *stores.Stores }
	stockDeliveries  struct{ db *stores.Stores }
	stockMailboxes   struct{ db *stores.Stores }
)

func (s stockMailboxes) Health(ctx context.Context, m *outreach.Mailbox) (outreach.MailboxHealth, error) {
	all, err := s.db.HealthOf(ctx, m.WorkspaceID, []uuid.UUID{m.ID})
	return all[m.ID], err
}

func (s stockMailboxes) Activity(ctx context.Context, m *outreach.Mailbox) (outreach.MailboxActivity, error) {
	all, err := s.db.ActivityOf(ctx, m.WorkspaceID, []uuid.UUID{m.ID})
	return all[m.ID], err
}

func (s stockEnrollments) Prospect(ctx context.Context, e *outreach.Enrollment) (*outreach.Prospect, error) {
	return unlessDeleted(s.db.Prospect(ctx, e.WorkspaceID, e.ProspectID))
}

func (s stockEnrollments) Campaign(ctx context.Context, e *outreach.Enrollment) (outreach.Campaign, error) {
	return s.db.Campaign(ctx, e.WorkspaceID, e.CampaignID)
}

func (s stockMessages) Prospect(ctx context.Context, m *outreach.Message) (*outreach.Prospect, error) {
	return unlessDeleted(s.db.Prospect(ctx, m.WorkspaceID, m.ProspectID))
}

func (s stockMessages) Campaign(ctx context.Context, m *outreach.Message) (*outreach.Campaign, error) {
	if m.CampaignID == nil {
		return nil, nil
	}
	c, err := s.db.Campaign(ctx, m.WorkspaceID, *m.CampaignID)
	return &c, err
}

func (s stockReplies) Prospect(ctx context.Context, r *outreach.Reply) (*outreach.Prospect, error) {
	if r.ProspectID == nil {
		return nil, nil
	}
	return unlessDeleted(s.db.Prospect(ctx, r.WorkspaceID, *r.ProspectID))
}

func (s stockReplies) Campaign(ctx context.Context, r *outreach.Reply) (*outreach.Campaign, error) {
	if r.CampaignID == nil {
		return nil, nil
	}
	c, err := s.db.Campaign(ctx, r.WorkspaceID, *r.CampaignID)
	return &c, err
}

func (s stockDeliveries) AttemptLog(ctx context.Context, d *outreach.Delivery) ([]outreach.Attempt, error) {
	attempts, err := s.db.AttemptsOf(ctx, d.WorkspaceID, []uuid.UUID{d.ID})
	return attempts[d.ID], err
}

func unlessDeleted(p outreach.Prospect, err error) (*outreach.Prospect, error) {
	if errors.Is(err, outreach.ErrNotFound) {
		return nil, nil
	}
	return &p, err
}
