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

// occurredAtFormat is second precision in UTC, always with a Z.
const occurredAtFormat = "2006-01-02T15:04:05Z"

// payload fixes the spelling and the order of the keys (docs/reference.md#webhooks).
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

// Encode returns the request body of an event: compact JSON in UTF-8 with
// every key present and no HTML escaping, bytes that are invalid UTF-8 replaced
// by U+FFFD. OccurredAt is cut, not rounded, to the second. Encoding is the
// moment when the body freezes: retries and redeliveries send these bytes again.
// For a positive reply, event is a replied one that has the reply's id.
//
// It fails for a type that no webhook carries, for metadata of another type, and
// for a prospect missing outside a test event.
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

// encodable returns the metadata in its JSON shape, once the event is one that a
// webhook may carry.
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

// convert knows the metadata of every type that webhooks carry, and by leaving
// the others out keeps them inside.
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
