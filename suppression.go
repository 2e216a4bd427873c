package outreach

import (
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
)

// SuppressionReason says why an address must not be written to.
type SuppressionReason string

// The reasons of a suppression.
const (
	SuppressedManually     SuppressionReason = "manual"
	SuppressedUnsubscribed SuppressionReason = "unsubscribed"
	SuppressedBounced      SuppressionReason = "bounced"
	SuppressedComplaint    SuppressionReason = "complaint"
)

// Suppression is an address, or a whole domain, that is never written to.
type Suppression struct {
	ID          uuid.UUID
	WorkspaceID uuid.UUID
	Email       *string
	Domain      *string
	Reason      SuppressionReason
	Note        *string
	CreatedAt   time.Time
}

// SuppressionFilter narrows a list of suppressions.
type SuppressionFilter struct {
	Reason       *SuppressionReason
	Email        *string
	Domain       *string
	CreatedSince *time.Time
}

// SuppressOutcome says what became of one element of a bulk suppression.
type SuppressOutcome string

// The outcomes of a bulk suppression: made now, there already and left as it is,
// refused.
const (
	SuppressCreated SuppressOutcome = "created"
	SuppressPresent SuppressOutcome = "present"
	SuppressRefused SuppressOutcome = "refused"
)

// BulkSuppressResult is what became of the element at Index, counted from 0.
// SuppressionID is nil for one that is refused.
type BulkSuppressResult struct {
	Index         int
	Outcome       SuppressOutcome
	SuppressionID *uuid.UUID
	Refusal       *Error
}

var hostname = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$`)

// mailDomain is a hostname, or one whose labels are written in other scripts (RFC
// 6531), as it stands behind the @ of an address.
var mailDomain = regexp.MustCompile(`^([\pL\pN]([\pL\pN\pM-]{0,61}[\pL\pN\pM])?\.)+[\pL\pN\pM-]{2,63}$`)

// IsHostname reports whether name is a dotted host name in lower case.
func IsHostname(name string) bool { return len(name) <= 253 && hostname.MatchString(name) }

// Normalize trims texts, folds the domain, and turns empty texts into absent ones.
func (s *Suppression) Normalize() {
	s.Email, s.Domain, s.Note = trimmed(s.Email), trimmed(s.Domain), trimmed(s.Note)
	if s.Domain != nil {
		folded := FoldDomain(*s.Domain)
		s.Domain = &folded
	}
}

// FoldDomain is the form under which two spellings of one domain meet: trimmed, in
// lower case, without the @ that some write before it.
func FoldDomain(domain string) string {
	return FoldEmail(strings.TrimPrefix(strings.TrimSpace(domain), "@"))
}

// Validate names every field that a suppression cannot have.
func (s *Suppression) Validate() error {
	var faults Faults
	switch {
	case (s.Email == nil) == (s.Domain == nil):
		faults.Add("/email", FieldRequired, "Give either email or domain.")
	case s.Email != nil:
		ValidateEmail(&faults, "/email", *s.Email)
	case len(*s.Domain) > 253 || !mailDomain.MatchString(*s.Domain):
		faults.Add("/domain", FieldInvalid, "domain is no domain name such as example.com.")
	}
	ValidateText(&faults, "/note", s.Note, MaxText)
	return faults.Err()
}
