package page

import (
	"context"
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
)

var campaignObject = object[outreach.Campaign]{
	name: "Campaign",
	leaves: map[string]func([]byte, *outreach.Campaign) []byte{
		"id":                 id(func(r *outreach.Campaign) uuid.UUID { return r.ID }),
		"name":               str(func(r *outreach.Campaign) string { return r.Name }),
		"status":             str(func(r *outreach.Campaign) outreach.CampaignStatus { return r.Status }),
		"notSendingReason":   text(func(r *outreach.Campaign) *string { return r.NotSendingReason }),
		"timezone":           str(func(r *outreach.Campaign) string { return r.Timezone }),
		"sendDays":           list(func(r *outreach.Campaign) []outreach.Weekday { return r.SendDays }),
		"sendFrom":           str(func(r *outreach.Campaign) string { return r.SendFrom }),
		"sendUntil":          str(func(r *outreach.Campaign) string { return r.SendUntil }),
		"dailyNewLimit":      maybeNumber(func(r *outreach.Campaign) *int { return r.DailyNewLimit }),
		"stopOnReply":        boolean(func(r *outreach.Campaign) bool { return r.StopOnReply }),
		"stopCompanyOnReply": boolean(func(r *outreach.Campaign) bool { return r.StopCompanyOnReply }),
		"trackClicks":        boolean(func(r *outreach.Campaign) bool { return r.TrackClicks }),
		"trackOpens":         boolean(func(r *outreach.Campaign) bool { return r.TrackOpens }),
		"mailboxIds":         ids(func(r *outreach.Campaign) []uuid.UUID { return r.MailboxIDs }),
		"createdAt":          instant(func(r *outreach.Campaign) time.Time { return r.CreatedAt }),
		"revision":           str(func(r *outreach.Campaign) string { return r.Revision() }),
	},
	nested: map[string]nested[outreach.Campaign]{
		"steps": listWithin(&stepObject, func(r *outreach.Campaign) []outreach.Step { return r.Steps }),
	},
}

// MarshalCampaign writes the selected fields of a campaign.
func MarshalCampaign(row outreach.Campaign) graphql.ContextMarshaler {
	return single(&campaignObject, row)
}

// CampaignConnection is one page of the list.
type CampaignConnection struct {
	Nodes      []outreach.Campaign
	NextCursor *string
}

// MarshalGQLContext writes the selected fields of the page.
func (c CampaignConnection) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return write(ctx, w, &campaignObject, c.Nodes, c.NextCursor)
}

// UnmarshalGQLContext only makes the type known to gqlgen: a connection is never input.
func (*CampaignConnection) UnmarshalGQLContext(context.Context, any) error { return errOutputOnly }

var stepObject = object[outreach.Step]{
	name: "Step",
	leaves: map[string]func([]byte, *outreach.Step) []byte{
		"id":           id(func(r *outreach.Step) uuid.UUID { return r.ID }),
		"delayMinutes": number(func(r *outreach.Step) int { return r.DelayMinutes }),
		"subject":      text(func(r *outreach.Step) *string { return r.Subject }),
		"bodyHtml":     text(func(r *outreach.Step) *string { return r.BodyHTML }),
		"bodyText":     text(func(r *outreach.Step) *string { return r.BodyText }),
	},
}
