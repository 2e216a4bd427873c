package outreach

import (
	"time"

	"github.com/google/uuid"
)

// EventType is the kind of an event. Opens are counted for each campaign and are
// not events.
type EventType string

// The types that webhooks deliver. Test is sent only on request.
const (
	EventSent         EventType = "sent"
	EventReplied      EventType = "replied"
	EventClicked      EventType = "clicked"
	EventBounced      EventType = "bounced"
	EventUnsubscribed EventType = "unsubscribed"
	EventTest         EventType = "test"
)

// The types that are recorded for temperature and history but never delivered.
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

// SentMetadata is the metadata of a sent event.
type SentMetadata struct {
	Step      int
	MessageID string
}

// RepliedMetadata is the metadata of a replied event and of a positive reply.
type RepliedMetadata struct {
	ReplyID uuid.UUID
	From    string
}

// ClickedMetadata is the metadata of a clicked event.
type ClickedMetadata struct {
	URL       string
	MessageID string
}

// BouncedMetadata is the metadata of a bounced event; Error is the server's text.
type BouncedMetadata struct {
	Error string
	Step  int
}

// UnsubscribedMetadata is the metadata of an unsubscribed event.
type UnsubscribedMetadata struct{}

// TestMetadata is the metadata of a test event.
type TestMetadata struct{}

// OfferReadMetadata is the metadata of an offer_read event.
type OfferReadMetadata struct {
	OfferID uuid.UUID
	Again   bool
}

// InterestMarkedMetadata is the metadata of an interest_marked event.
type InterestMarkedMetadata struct {
	ReplyID  uuid.UUID
	Interest Interest
}
