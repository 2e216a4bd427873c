package outreach

import (
	"strings"
	"time"

	"github.com/google/uuid"
)

// Snippet is a reusable text for answers. The composer fills its variables, not the server.
type Snippet struct {
	ID          uuid.UUID
	WorkspaceID uuid.UUID
	Name        string
	BodyHTML    *string
	BodyText    *string
	CreatedAt   time.Time
}

// Normalize trims the texts and sets empty ones to nil.
func (s *Snippet) Normalize() {
	s.Name = strings.TrimSpace(s.Name)
	s.BodyHTML, s.BodyText = trimmed(s.BodyHTML), trimmed(s.BodyText)
}

// Validate returns an error that lists every invalid field, nil if there is none.
func (s *Snippet) Validate() error {
	var faults Faults
	require(&faults, At("name"), s.Name)
	ValidateText(&faults, At("name"), &s.Name, MaxText)
	if s.BodyHTML == nil && s.BodyText == nil {
		faults.Add(At("body_text"), FieldRequired, "Send body_html or body_text.")
	}
	ValidateText(&faults, At("body_html"), s.BodyHTML, MaxBody)
	ValidateText(&faults, At("body_text"), s.BodyText, MaxBody)
	return faults.Err()
}
