package outreach

import (
	"time"

	"github.com/google/uuid"
)

// DeliveryStatus is the state of a webhook delivery (specification, 3.1).
type DeliveryStatus string

// A delivery is queued until an attempt is answered by a 2xx or the last fails.
const (
	DeliveryQueued    DeliveryStatus = "queued"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryFailed    DeliveryStatus = "failed"
)

// MaxAttempts is how often a delivery is tried in all (specification, section 8).
const MaxAttempts = 3

// Delivery is one payload for one subscription. Body and URL were frozen when
// the event was recorded.
type Delivery struct {
	ID                uuid.UUID
	WorkspaceID       uuid.UUID
	SubscriptionID    uuid.UUID
	SubscriptionEvent string // a SubscriptionEvent, or test
	EventID           uuid.UUID
	Type              EventType
	URL               string
	Status            DeliveryStatus
	Attempts          int
	HTTPStatus        *int
	Error             *string
	NextAttemptAt     *time.Time
	DeliveredAt       *time.Time
	RedeliveryOf      *uuid.UUID
	CreatedAt         time.Time
	Body              string
}

// Attempt is one try of a delivery; DurationMs is nil while it runs.
type Attempt struct {
	Number     int
	StartedAt  time.Time
	DurationMs *int
	HTTPStatus *int
	Error      *string
}

// DeliveryFilter narrows a list of deliveries.
type DeliveryFilter struct {
	SubscriptionID *uuid.UUID
	Type           *EventType
	Status         *DeliveryStatus
	Since          *time.Time
}
