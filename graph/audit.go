package graph

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// AuditStore reads the audit log and records entries that belong to no other change.
type AuditStore interface {
	ListAudit(ctx context.Context, workspace uuid.UUID, filter outreach.AuditFilter,
		page outreach.Page) (outreach.Rows[outreach.AuditEntry], error)
	RecordAudit(ctx context.Context, entry outreach.AuditEntry) error
}

func (q queries) AuditLog(ctx context.Context, first int, after *string,
	action *outreach.AuditAction) (c exec.AuditEntryConnection, err error) {
	if _, err := owner(ctx); err != nil {
		return c, err
	}
	filter := outreach.AuditFilter{Action: action}
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"auditLog", first, after}, filter,
		q.Stores.AuditStore.ListAudit)
	return c, err
}

// RecordExport writes the entry of an export. The application reads the rows page by
// page, so that only it knows that they become a file.
func (m mutations) RecordExport(ctx context.Context, list outreach.ExportedList, rows int) (bool, error) {
	v, err := signedIn(ctx)
	if err != nil {
		return false, err
	}
	subject := fmt.Sprintf("%s, %d rows", list, max(rows, 0))
	return true, m.Stores.AuditStore.RecordAudit(ctx, entryOf(ctx, *v, outreach.AuditListExported, subject))
}

// audited returns a context whose change writes an entry to the audit log for the actor of the
// request.
func audited(ctx context.Context, action outreach.AuditAction, subject string) context.Context {
	actor, _ := outreach.ActorFrom(ctx)
	if actor.User != nil {
		return outreach.WithAudit(ctx, entryOf(ctx, *actor.User, action, subject))
	}
	entry := entryOf(ctx, outreach.Viewer{WorkspaceID: actor.WorkspaceID}, action, subject)
	entry.Actor, entry.UserID = "API token", nil
	return outreach.WithAudit(ctx, entry)
}

// entryOf returns the audit entry of a user's action.
func entryOf(ctx context.Context, v outreach.Viewer, action outreach.AuditAction, subject string) outreach.AuditEntry {
	entry := outreach.AuditEntry{WorkspaceID: v.WorkspaceID, Actor: v.Email, UserID: &v.ID, Action: action}
	if subject != "" {
		entry.Subject = &subject
	}
	if client := outreach.ClientFrom(ctx); client != "" {
		entry.Client = &client
	}
	return entry
}
