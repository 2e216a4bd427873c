package outreach

import (
	"time"

	"github.com/google/uuid"
)

// DeliveryStatus is the state of a webhook delivery.
type DeliveryStatus string

// The states of a delivery. It is queued until an attempt gets a 2xx status or the last attempt
// fails.
const (
	DeliveryQueued    DeliveryStatus = "queued"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryFailed    DeliveryStatus = "failed"
)

// MaxAttempts is the number of attempts of a delivery, including the first.
const MaxAttempts = 3

// Delivery is one payload for one subscription. Body and URL are fixed when the event is recorded.
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

// Attempt is one HTTP request of a delivery. DurationMs is nil while it runs.
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
