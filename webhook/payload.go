package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// The values of the payload's type key. An open has none: it is never sent.
const (
	TypeSent         = "sent"
	TypeReplied      = "replied"
	TypeClicked      = "clicked"
	TypeBounced      = "bounced"
	TypeUnsubscribed = "unsubscribed"
	TypeTest         = "test"
)

// Payload is what one webhook request tells its receiver. Metadata is one of the
// structs below, or a json.RawMessage that holds an object of the same shape.
type Payload struct {
	// ID is the event's id; the reply's id for a positive_reply subscription.
	ID            uuid.UUID
	WorkspaceID   uuid.UUID
	Type          string
	OccurredAt    time.Time
	ProspectID    *uuid.UUID // nil in the test event only
	ProspectEmail *string    // nil once the prospect is deleted
	CampaignID    *uuid.UUID // nil outside a campaign
	CampaignName  *string
	Metadata      any
}

// Sent is the metadata of a sent event. Step counts from 1; MessageID is the
// header's value with its angle brackets.
type Sent struct {
	Step      int    `json:"step"`
	MessageID string `json:"messageId"`
}

// Replied is the metadata of a replied event. From is the sender's address.
type Replied struct {
	ReplyID uuid.UUID `json:"replyId"`
	From    string    `json:"from"`
}

// Clicked is the metadata of a clicked event. URL is the link's target and Via
// the way the click was seen; ViaRedirect is the only one there is.
type Clicked struct {
	URL       string `json:"url"`
	MessageID string `json:"messageId"`
	Via       string `json:"via"`
}

// Bounced is the metadata of a bounced event. Error is the SMTP text of the
// refusal, Step the step whose message was refused.
type Bounced struct {
	Error string `json:"error"`
	Step  int    `json:"step"`
}

// Unsubscribed is the metadata of an unsubscribed event. ViaOneClick is the only
// value of Via.
type Unsubscribed struct {
	Via string `json:"via"`
}

// Test is the metadata of the test event. Note is TestNote.
type Test struct {
	Note string `json:"note"`
}

// The fixed texts inside metadata.
const (
	ViaRedirect = "redirect"
	ViaOneClick = "one-click"
	TestNote    = "This is a test event. No prospect did anything."
)

// occurredAtFormat is second precision in UTC, always with a Z.
const occurredAtFormat = "2006-01-02T15:04:05Z"

// wirePayload fixes the spelling and the order of the keys.
type wirePayload struct {
	ID            uuid.UUID  `json:"id"`
	Type          string     `json:"type"`
	OccurredAt    string     `json:"occurred_at"`
	WorkspaceID   uuid.UUID  `json:"workspace_id"`
	ProspectID    *uuid.UUID `json:"prospect_id"`
	ProspectEmail *string    `json:"prospect_email"`
	CampaignID    *uuid.UUID `json:"campaign_id"`
	CampaignName  *string    `json:"campaign_name"`
	Metadata      any        `json:"metadata"`
}

// Encode gives the body of the request: compact JSON in UTF-8 with every key
// present and no HTML escaping, bytes that are invalid UTF-8 replaced by U+FFFD.
// OccurredAt is cut, not rounded, to the second. Encoding is the moment when the
// body freezes: retries and redeliveries send these bytes again.
//
// It fails for a type that no webhook carries, for metadata that belongs to
// another type or is no object, and for a prospect missing outside a test event.
func Encode(p Payload) ([]byte, error) {
	if err := p.validate(); err != nil {
		return nil, fmt.Errorf("encode webhook payload: %w", err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(p.wire()); err != nil {
		return nil, fmt.Errorf("encode webhook payload: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

func (p Payload) wire() wirePayload {
	return wirePayload{
		ID:            p.ID,
		Type:          p.Type,
		OccurredAt:    p.OccurredAt.UTC().Format(occurredAtFormat),
		WorkspaceID:   p.WorkspaceID,
		ProspectID:    p.ProspectID,
		ProspectEmail: p.ProspectEmail,
		CampaignID:    p.CampaignID,
		CampaignName:  p.CampaignName,
		Metadata:      p.Metadata,
	}
}

func (p Payload) validate() error {
	if !knownType(p.Type) {
		return fmt.Errorf("no webhook carries type %q", p.Type)
	}
	if p.ProspectID == nil && p.Type != TypeTest {
		return fmt.Errorf("a %s event needs its prospect", p.Type)
	}
	if raw, ok := p.Metadata.(json.RawMessage); ok {
		return validateRaw(raw)
	}
	if of := metadataType(p.Metadata); of != p.Type {
		return fmt.Errorf("metadata %T does not belong to type %q", p.Metadata, p.Type)
	}
	return nil
}

func validateRaw(raw json.RawMessage) error {
	trimmed := bytes.TrimLeft(raw, " \t\r\n")
	if len(trimmed) == 0 || trimmed[0] != '{' {
		return errors.New("metadata is no JSON object")
	}
	return nil
}

func knownType(name string) bool {
	switch name {
	case TypeSent, TypeReplied, TypeClicked, TypeBounced, TypeUnsubscribed, TypeTest:
		return true
	}
	return false
}

func metadataType(metadata any) string {
	switch metadata.(type) {
	case Sent:
		return TypeSent
	case Replied:
		return TypeReplied
	case Clicked:
		return TypeClicked
	case Bounced:
		return TypeBounced
	case Unsubscribed:
		return TypeUnsubscribed
	case Test:
		return TypeTest
	}
	return ""
}
