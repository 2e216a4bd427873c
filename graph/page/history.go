package page

import (
	"context"
	"io"
	"time"

	"github.com/google/uuid"

	"outreach"
)

var historyObject = object[outreach.History]{
	name: "History",
	leaves: map[string]func([]byte, *outreach.History) []byte{
		"id":           id(func(r *outreach.History) uuid.UUID { return r.ID }),
		"type":         str(func(r *outreach.History) outreach.EventType { return r.Type }),
		"occurredAt":   instant(func(r *outreach.History) time.Time { return r.OccurredAt }),
		"campaignId":   maybeID(func(r *outreach.History) *uuid.UUID { return r.CampaignID }),
		"campaignName": text(func(r *outreach.History) *string { return r.CampaignName }),
		"metadata":     fields(func(r *outreach.History) map[string]any { return r.Metadata }),
	},
}

// HistoryConnection is one page of the list.
type HistoryConnection struct {
	Nodes      []outreach.History
	NextCursor *string
}

// MarshalGQLContext writes the selected fields of the page.
func (c HistoryConnection) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return write(ctx, w, &historyObject, c.Nodes, c.NextCursor)
}

// UnmarshalGQLContext only makes the type known to gqlgen: a connection is never input.
func (*HistoryConnection) UnmarshalGQLContext(context.Context, any) error { return errOutputOnly }
