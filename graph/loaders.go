package graph

import (
	"context"

	"github.com/google/uuid"

	"outreach"
)

// RelatedReader reads rows by their ids, for fields of other rows. It may return them in any order
// and leaves out unknown ids.
type RelatedReader interface {
	Prospects(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) ([]outreach.Prospect, error)
	Campaigns(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) ([]outreach.Campaign, error)
	AttemptsOf(ctx context.Context, workspace uuid.UUID, deliveries []uuid.UUID) (map[uuid.UUID][]outreach.Attempt, error)
}

// HealthReader reads the health and the activity of mailboxes.
type HealthReader interface {
	HealthOf(ctx context.Context, workspace uuid.UUID, mailboxes []uuid.UUID) (map[uuid.UUID]outreach.MailboxHealth, error)
	ActivityOf(ctx context.Context, workspace uuid.UUID, mailboxes []uuid.UUID) (map[uuid.UUID]outreach.MailboxActivity, error)
}

// loaders fetches the related rows of all rows of a page with one call. All rows of a page belong
// to one workspace.
type loaders struct {
	from   RelatedReader
	health HealthReader
}

func (l loaders) EnrollmentProspect(ctx context.Context, rows []outreach.Enrollment) ([]*outreach.Prospect, error) {
	return l.prospects(ctx, refs(rows, func(e *outreach.Enrollment) ref { return ref{e.WorkspaceID, &e.ProspectID} }))
}

func (l loaders) EnrollmentCampaign(ctx context.Context, rows []outreach.Enrollment) ([]*outreach.Campaign, error) {
	return l.campaigns(ctx, refs(rows, func(e *outreach.Enrollment) ref { return ref{e.WorkspaceID, &e.CampaignID} }))
}

func (l loaders) MessageProspect(ctx context.Context, rows []outreach.Message) ([]*outreach.Prospect, error) {
	return l.prospects(ctx, refs(rows, func(m *outreach.Message) ref { return ref{m.WorkspaceID, &m.ProspectID} }))
}

func (l loaders) MessageCampaign(ctx context.Context, rows []outreach.Message) ([]*outreach.Campaign, error) {
	return l.campaigns(ctx, refs(rows, func(m *outreach.Message) ref { return ref{m.WorkspaceID, m.CampaignID} }))
}

func (l loaders) ReplyProspect(ctx context.Context, rows []outreach.Reply) ([]*outreach.Prospect, error) {
	return l.prospects(ctx, refs(rows, func(r *outreach.Reply) ref { return ref{r.WorkspaceID, r.ProspectID} }))
}

func (l loaders) ReplyCampaign(ctx context.Context, rows []outreach.Reply) ([]*outreach.Campaign, error) {
	return l.campaigns(ctx, refs(rows, func(r *outreach.Reply) ref { return ref{r.WorkspaceID, r.CampaignID} }))
}

func (l loaders) MailboxHealth(ctx context.Context, rows []outreach.Mailbox) ([]*outreach.MailboxHealth, error) {
	return ofMailboxes(ctx, rows, l.health.HealthOf)
}

func (l loaders) MailboxActivity(ctx context.Context, rows []outreach.Mailbox) ([]*outreach.MailboxActivity, error) {
	return ofMailboxes(ctx, rows, l.health.ActivityOf)
}

// ofMailboxes reads something of each mailbox of a page with one call; nil for a mailbox that was
// deleted meanwhile.
func ofMailboxes[T any](ctx context.Context, rows []outreach.Mailbox,
	read func(context.Context, uuid.UUID, []uuid.UUID) (map[uuid.UUID]T, error)) ([]*T, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	ids := make([]uuid.UUID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	found, err := read(ctx, rows[0].WorkspaceID, ids)
	if err != nil {
		return nil, err
	}
	out := make([]*T, len(rows))
	for i, id := range ids {
		if one, ok := found[id]; ok {
			out[i] = &one
		}
	}
	return out, nil
}

func (l loaders) DeliveryAttemptLog(ctx context.Context, rows []outreach.Delivery) ([][]outreach.Attempt, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	ids := make([]uuid.UUID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	attempts, err := l.from.AttemptsOf(ctx, rows[0].WorkspaceID, ids)
	if err != nil {
		return nil, err
	}
	out := make([][]outreach.Attempt, len(rows))
	for i, id := range ids {
		out[i] = attempts[id]
	}
	return out, nil
}

func (l loaders) prospects(ctx context.Context, refs []ref) ([]*outreach.Prospect, error) {
	return load(ctx, refs, l.from.Prospects, func(p *outreach.Prospect) uuid.UUID { return p.ID })
}

func (l loaders) campaigns(ctx context.Context, refs []ref) ([]*outreach.Campaign, error) {
	return load(ctx, refs, l.from.Campaigns, func(c *outreach.Campaign) uuid.UUID { return c.ID })
}

// ref is the id of the related row of one row, nil if it has none.
type ref struct {
	workspace uuid.UUID
	id        *uuid.UUID
}

func refs[T any](rows []T, of func(*T) ref) []ref {
	out := make([]ref, len(rows))
	for i := range rows {
		out[i] = of(&rows[i])
	}
	return out
}

// load fetches each id once and returns a row for each ref, nil if none was found.
func load[U any](ctx context.Context, refs []ref, fetch func(context.Context, uuid.UUID, []uuid.UUID) ([]U, error),
	id func(*U) uuid.UUID) ([]*U, error) {
	out := make([]*U, len(refs))
	wanted := map[uuid.UUID]*U{}
	var ids []uuid.UUID
	for _, r := range refs {
		if r.id == nil {
			continue
		}
		if _, seen := wanted[*r.id]; !seen {
			wanted[*r.id] = nil
			ids = append(ids, *r.id)
		}
	}
	if len(ids) == 0 {
		return out, nil
	}
	found, err := fetch(ctx, refs[0].workspace, ids)
	if err != nil {
		return nil, err
	}
	for i := range found {
		wanted[id(&found[i])] = &found[i]
	}
	for i, r := range refs {
		if r.id != nil {
			out[i] = wanted[*r.id]
		}
	}
	return out, nil
}
