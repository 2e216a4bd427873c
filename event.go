package outreach

import (
	"time"

	"github.com/google/uuid"
)

// EventType is the kind of an event. Opens are counted for each campaign and are
// not events.
type EventType string

// The types that webhooks deliver. Test is sent on request only.
const (
	EventSent         EventType = "sent"
	EventReplied      EventType = "replied"
	EventClicked      EventType = "clicked"
	EventBounced      EventType = "bounced"
	EventUnsubscribed EventType = "unsubscribed"
	EventTest         EventType = "test"
)

// The types that are recorded for temperature and history and never delivered.
const (
	EventOfferRead      EventType = "offer_read"
	EventInterestMarked EventType = "interest_marked"
)

// Event is a recorded fact about a prospect. Metadata is one of the metadata types
// below. Interest is set on replied and interest_marked.
type Event struct {
	ID            uuid.UUID
	WorkspaceID   uuid.UUID
	Type          EventType
	OccurredAt    time.Time
	ProspectID    *uuid.UUID
	ProspectEmail *string
	CompanyID     *uuid.UUID
	CampaignID    *uuid.UUID
	CampaignName  *string
	Interest      *Interest
	Metadata      any
}

// History is an event as the application shows it.
type History struct {
	ID           uuid.UUID
	Type         EventType
	OccurredAt   time.Time
	CampaignID   *uuid.UUID
	CampaignName *string
	Metadata     map[string]any
}

// SentMetadata goes with a sent event.
type SentMetadata struct {
	Step      int
	MessageID string
}

// RepliedMetadata goes with a replied event and with a positive reply.
type RepliedMetadata struct {
	ReplyID uuid.UUID
	From    string
}

// ClickedMetadata goes with a clicked event.
type ClickedMetadata struct {
	URL       string
	MessageID string
}

// BouncedMetadata goes with a bounced event; Error is the server's text.
type BouncedMetadata struct {
	Error string
	Step  int
}

// UnsubscribedMetadata goes with an unsubscribed event.
type UnsubscribedMetadata struct{}

// TestMetadata goes with a test event.
type TestMetadata struct{}

// OfferReadMetadata goes with an offer_read event.
type OfferReadMetadata struct {
	OfferID uuid.UUID
	Again   bool
}

// InterestMarkedMetadata goes with an interest_marked event.
type InterestMarkedMetadata struct {
	ReplyID  uuid.UUID
	Interest Interest
}
