package webhook

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"outreach"
)

// The fixed texts inside metadata.
const (
	ViaRedirect = "redirect"  // how a click was seen
	ViaOneClick = "one-click" // how a prospect unsubscribed
	TestNote    = "This is a test event. No prospect did anything."
)

// occurredAtFormat has second precision in UTC, always with a Z.
const occurredAtFormat = "2006-01-02T15:04:05Z"

// payload defines the names and the order of the keys (docs/reference.md#webhooks).
type payload struct {
	ID            uuid.UUID          `json:"id"`
	Type          outreach.EventType `json:"type"`
	OccurredAt    string             `json:"occurred_at"`
	WorkspaceID   uuid.UUID          `json:"workspace_id"`
	ProspectID    *uuid.UUID         `json:"prospect_id"`
	ProspectEmail *string            `json:"prospect_email"`
	CampaignID    *uuid.UUID         `json:"campaign_id"`
	CampaignName  *string            `json:"campaign_name"`
	Metadata      any                `json:"metadata"`
}

// The metadata objects (docs/reference.md#events).
type (
	sentMetadata struct {
		Step      int    `json:"step"`
		MessageID string `json:"messageId"`
	}
	repliedMetadata struct {
		ReplyID uuid.UUID `json:"replyId"`
		From    string    `json:"from"`
	}
	clickedMetadata struct {
		URL       string `json:"url"`
		MessageID string `json:"messageId"`
		Via       string `json:"via"`
	}
	bouncedMetadata struct {
		Error string `json:"error"`
		Step  int    `json:"step"`
	}
	unsubscribedMetadata struct {
		Via string `json:"via"`
	}
	testMetadata struct {
		Note string `json:"note"`
	}
)

// Encode returns the request body of an event: compact JSON in UTF-8 with all keys and without
// HTML escaping. Bytes that are invalid UTF-8 are replaced by U+FFFD. OccurredAt is cut, not
// rounded, to the second. The body is encoded once: retries and redeliveries send the same bytes.
// For a positive reply, event is a replied one with the reply's id.
//
// It returns an error for a type that webhooks do not carry, for metadata of another type, and if
// the prospect is missing outside a test event.
func Encode(event outreach.Event) ([]byte, error) {
	metadata, err := encodable(event)
	if err != nil {
		return nil, fmt.Errorf("encode webhook payload: %w", err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(newPayload(event, metadata)); err != nil {
		return nil, fmt.Errorf("encode webhook payload: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

func newPayload(event outreach.Event, metadata any) payload {
	return payload{
		ID:            event.ID,
		Type:          event.Type,
		OccurredAt:    event.OccurredAt.UTC().Format(occurredAtFormat),
		WorkspaceID:   event.WorkspaceID,
		ProspectID:    event.ProspectID,
		ProspectEmail: event.ProspectEmail,
		CampaignID:    event.CampaignID,
		CampaignName:  event.CampaignName,
		Metadata:      metadata,
	}
}

// encodable returns the metadata as its JSON type. It returns an error if webhooks do not carry
// the event.
func encodable(event outreach.Event) (any, error) {
	of, metadata := convert(event.Metadata)
	switch {
	case of == "":
		return nil, fmt.Errorf("no webhook carries metadata %T", event.Metadata)
	case of != event.Type:
		return nil, fmt.Errorf("metadata %T does not belong to type %q", event.Metadata, event.Type)
	case event.ProspectID == nil && event.Type != outreach.EventTest:
		return nil, fmt.Errorf("a %s event needs its prospect", event.Type)
	}
	return metadata, nil
}

// convert returns the JSON type of the metadata of every type that webhooks carry. Internal types
// are left out.
func convert(metadata any) (outreach.EventType, any) {
	switch m := metadata.(type) {
	case outreach.SentMetadata:
		return outreach.EventSent, sentMetadata(m)
	case outreach.RepliedMetadata:
		return outreach.EventReplied, repliedMetadata(m)
	case outreach.ClickedMetadata:
		return outreach.EventClicked, clickedMetadata{URL: m.URL, MessageID: m.MessageID, Via: ViaRedirect}
	case outreach.BouncedMetadata:
		return outreach.EventBounced, bouncedMetadata(m)
	case outreach.UnsubscribedMetadata:
		return outreach.EventUnsubscribed, unsubscribedMetadata{Via: ViaOneClick}
	case outreach.TestMetadata:
		return outreach.EventTest, testMetadata{Note: TestNote}
	}
	return "", nil
}
