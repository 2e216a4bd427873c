package outreach

import (
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
)

// OfferStatus is derived from visits by people: docs/reference.md#offers.
type OfferStatus string

// The states of an offer.
const (
	OfferUnread OfferStatus = "unread"
	OfferRead   OfferStatus = "read"
	OfferReread OfferStatus = "reread"
)

// MaxURL is how many characters a URL may have.
const MaxURL = 2000

// RereadAfter is the least time between the first visit and one that makes the offer reread.
const RereadAfter = 30 * time.Minute

// Offer is a page for a prospect that counts its visits: its own text or a redirect.
type Offer struct {
	ID          uuid.UUID
	WorkspaceID uuid.UUID
	Title       string
	TargetURL   *string
	BodyHTML    *string
	ProspectID  *uuid.UUID
	CompanyID   *uuid.UUID
	CampaignID  *uuid.UUID
	URL         string
	Status      OfferStatus
	VisitCount  int
	FirstReadAt *time.Time
	LastReadAt  *time.Time
	CreatedAt   time.Time
}

// OfferFilter narrows a list of offers. Status is applied after a page is fetched.
type OfferFilter struct {
	Status       *OfferStatus
	CreatedSince *time.Time
}

// Normalize trims texts and sets empty ones to nil.
func (o *Offer) Normalize() {
	o.Title = strings.TrimSpace(o.Title)
	o.TargetURL, o.BodyHTML = trimmed(o.TargetURL), trimmed(o.BodyHTML)
}

// Validate returns an error that lists every invalid field, nil if there is none.
func (o *Offer) Validate() error {
	var faults Faults
	require(&faults, At("title"), o.Title)
	ValidateText(&faults, At("title"), &o.Title, MaxText)
	if (o.TargetURL == nil) == (o.BodyHTML == nil) {
		faults.Add(At("target_url"), FieldRequired, "Send either target_url or body_html.")
	}
	if o.TargetURL != nil && !isWebURL(*o.TargetURL) {
		faults.Add(At("target_url"), FieldInvalid, "target_url must be an http or https URL.")
	}
	ValidateText(&faults, At("target_url"), o.TargetURL, MaxURL)
	ValidateText(&faults, At("body_html"), o.BodyHTML, MaxBody)
	return faults.Err()
}

func isWebURL(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}
