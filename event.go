package outreach

import (
	"time"

	"github.com/google/uuid"
)

// EventType is the kind of a recorded fact. Opens are counted per campaign and
// are no events: no webhook ever carries one (specification, section 1).
type EventType string

// The types that webhooks carry; test only ever comes from a person's press.
const (
	EventSent         EventType = "sent"
	EventReplied      EventType = "replied"
	EventClicked      EventType = "clicked"
	EventBounced      EventType = "bounced"
	EventUnsubscribed EventType = "unsubscribed"
	EventTest         EventType = "test"
)

// The types that stay inside: inputs of temperature and history.
const (
	EventOfferRead      EventType = "offer_read"
	EventInterestMarked EventType = "interest_marked"
)

// Event is a fact about a prospect. Metadata holds one of the metadata types
// below; Interest is set on replied and interest_marked.
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

// RepliedMetadata goes with a replied event, and with a positive reply.
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

// UnsubscribedMetadata goes with an unsubscribed event: always one click.
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
