package outreach

import (
	"strings"
	"time"

	"github.com/google/uuid"
)

// SuppressionReason is the reason why an address gets no mail.
type SuppressionReason string

// The reasons of a suppression.
const (
	SuppressedManually     SuppressionReason = "manual"
	SuppressedUnsubscribed SuppressionReason = "unsubscribed"
	SuppressedBounced      SuppressionReason = "bounced"
	SuppressedComplaint    SuppressionReason = "complaint"
)

// Known reports whether this program knows the reason. A newer one may have added others.
func (r SuppressionReason) Known() bool {
	switch r {
	case SuppressedManually, SuppressedUnsubscribed, SuppressedBounced, SuppressedComplaint:
		return true
	}
	return false
}

// Suppression is an address, or a domain with its subdomains, that gets no mail.
// An address is shown as given and compared in canonical form; a domain is kept in it.
type Suppression struct {
	ID          uuid.UUID
	WorkspaceID uuid.UUID
	Email       *string
	Domain      *string
	Reason      SuppressionReason
	Note        *string
	CreatedAt   time.Time
}

// Target returns the address or the domain that is suppressed.
func (s Suppression) Target() string {
	if s.Email != nil {
		return *s.Email
	}
	if s.Domain != nil {
		return *s.Domain
	}
	return ""
}

// SuppressionFilter narrows a list of suppressions.
type SuppressionFilter struct {
	Reason       *SuppressionReason
	Email        *string
	Domain       *string
	CreatedSince *time.Time
}

// SuppressionMade is the result of suppressing one address or domain. Created is false if it was
// suppressed already. Stopped are the enrollments that it stopped.
type SuppressionMade struct {
	Suppression Suppression
	Created     bool
	Stopped     []uuid.UUID
}

// SuppressionEffect is what suppressing a domain would stop: Enrollments that run, of so many People.
type SuppressionEffect struct {
	People, Enrollments int
}

// SuppressOutcome is the result for one element of a bulk suppression.
type SuppressOutcome string

// The outcomes of a bulk suppression: created, suppressed already and unchanged,
// refused.
const (
	SuppressCreated SuppressOutcome = "created"
	SuppressPresent SuppressOutcome = "present"
	SuppressRefused SuppressOutcome = "refused"
)

// BulkSuppressResult is the result for the element at Index, counted from 0.
// SuppressionID is nil if it was refused.
type BulkSuppressResult struct {
	Index         int
	Outcome       SuppressOutcome
	SuppressionID *uuid.UUID
	Refusal       *Error
}

// Normalize trims texts, sets empty ones to nil and brings a domain into canonical form.
func (s *Suppression) Normalize() {
	s.Email, s.Domain, s.Note = trimmed(s.Email), trimmed(s.Domain), trimmed(s.Note)
	if s.Domain != nil {
		domain := strings.TrimPrefix(*s.Domain, "@")
		if isDomain(domain) {
			domain = CanonicalDomain(domain)
		}
		s.Domain = &domain
	}
}

// Validate returns an error that lists every invalid field, nil if there is none.
func (s *Suppression) Validate() error {
	var faults Faults
	switch {
	case (s.Email == nil) == (s.Domain == nil):
		faults.Add(At("email"), FieldRequired, "Send either email or domain.")
	case s.Email != nil:
		ValidateEmail(&faults, At("email"), *s.Email)
	default:
		ValidateDomain(&faults, At("domain"), *s.Domain)
	}
	ValidateText(&faults, At("note"), s.Note, MaxText)
	return faults.Err()
}
