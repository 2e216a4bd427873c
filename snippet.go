package outreach

import (
	"strings"
	"time"

	"github.com/google/uuid"
)

// Snippet is a reusable piece of text for answers. Its variables are filled by the
// composer, not by the server.
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

// Validate returns an error that names every invalid field.
func (s *Snippet) Validate() error {
	var faults Faults
	if s.Name == "" {
		faults.Add("/name", FieldRequired, "name is required")
	}
	ValidateText(&faults, "/name", &s.Name, MaxText)
	if s.BodyHTML == nil && s.BodyText == nil {
		faults.Add("/body_text", FieldRequired, "body_html or body_text is required")
	}
	ValidateText(&faults, "/body_html", s.BodyHTML, MaxBody)
	ValidateText(&faults, "/body_text", s.BodyText, MaxBody)
	return faults.Err()
}
