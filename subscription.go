package outreach

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// SubscriptionEvent is something that a subscription can ask for.
type SubscriptionEvent string

// The events to subscribe to. A positive reply is delivered as replied, with the
// reply's id, once per reply (specification, section 6.3).
const (
	OnSent          SubscriptionEvent = "sent"
	OnReplied       SubscriptionEvent = "replied"
	OnClicked       SubscriptionEvent = "clicked"
	OnBounced       SubscriptionEvent = "bounced"
	OnUnsubscribed  SubscriptionEvent = "unsubscribed"
	OnPositiveReply SubscriptionEvent = "positive_reply"
)

// SubscriptionEvents lists all of them.
var SubscriptionEvents = []SubscriptionEvent{OnSent, OnReplied, OnClicked, OnBounced, OnUnsubscribed, OnPositiveReply}

// Subscription is one https URL with the events that it wants.
type Subscription struct {
	ID          uuid.UUID
	WorkspaceID uuid.UUID
	URL         string
	Events      []SubscriptionEvent
	Enabled     bool
	CreatedAt   time.Time
}

// SubscriptionSecret is a subscription with its secret, for the few answers that
// show it.
type SubscriptionSecret struct {
	Subscription
	Secret string
}

// Validate names every field that a subscription cannot have; whether the URL
// may be called is judged by the webhook policy.
func (s *Subscription) Validate() error {
	var faults Faults
	if strings.TrimSpace(s.URL) == "" {
		faults.Add("/url", FieldRequired, "url is required.")
	}
	ValidateText(&faults, "/url", &s.URL, 2000)
	if len(s.Events) == 0 {
		faults.Add("/events", FieldRequired, "events names at least one event.")
	}
	for i, event := range s.Events {
		if slices.Contains(s.Events[:i], event) {
			faults.Add("/events", FieldInvalid, "events names %s twice.", event)
		}
	}
	return faults.Err()
}
