package outreach

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// SubscriptionEvent is a kind of event that a subscription can receive.
type SubscriptionEvent string

// The events to subscribe to. A positive reply is delivered with the type replied and the id of
// the reply, once per reply.
const (
	OnSent          SubscriptionEvent = "sent"
	OnReplied       SubscriptionEvent = "replied"
	OnClicked       SubscriptionEvent = "clicked"
	OnBounced       SubscriptionEvent = "bounced"
	OnUnsubscribed  SubscriptionEvent = "unsubscribed"
	OnPositiveReply SubscriptionEvent = "positive_reply"
)

// SubscriptionEvents lists all kinds.
var SubscriptionEvents = []SubscriptionEvent{OnSent, OnReplied, OnClicked, OnBounced, OnUnsubscribed, OnPositiveReply}

// Subscription is one https URL with the events that it receives.
type Subscription struct {
	ID          uuid.UUID
	WorkspaceID uuid.UUID
	URL         string
	Events      []SubscriptionEvent
	Enabled     bool
	CreatedAt   time.Time
}

// SubscriptionSecret is a subscription with its signing secret, for the answers that
// show it.
type SubscriptionSecret struct {
	Subscription
	Secret string
}

// Validate returns an error that lists every invalid field, nil if there is none. The webhook
// policy checks whether the URL may be called.
func (s *Subscription) Validate() error {
	var faults Faults
	require(&faults, At("url"), strings.TrimSpace(s.URL))
	ValidateText(&faults, At("url"), &s.URL, MaxURL)
	if len(s.Events) == 0 {
		faults.Add(At("events"), FieldRequired, "events must contain at least one event.")
	}
	for i, event := range s.Events {
		if slices.Contains(s.Events[:i], event) {
			faults.Add(At("events").Index(i), FieldInvalid, "events must contain %s only once.", event)
		}
	}
	return faults.Err()
}
