package outreach

import (
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
)

// OfferStatus is derived from the visits of people.
type OfferStatus string

// The read statuses of an offer.
const (
	OfferUnread OfferStatus = "unread"
	OfferRead   OfferStatus = "read"
	OfferReread OfferStatus = "reread"
)

// RereadAfter is how long after the first visit another counts as a second
// reading.
const RereadAfter = 30 * time.Minute

// Offer is a page, or a link, made for prospects, whose visits are counted.
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

// OfferFilter narrows a list of offers. Status is applied to the fetched page
// (specification, section 4.3).
type OfferFilter struct {
	Status       *OfferStatus
	CreatedSince *time.Time
}

// Normalize trims texts and turns empty ones into absent ones.
func (o *Offer) Normalize() {
	o.Title = strings.TrimSpace(o.Title)
	o.TargetURL, o.BodyHTML = trimmed(o.TargetURL), trimmed(o.BodyHTML)
}

// Validate names every field that an offer cannot have.
func (o *Offer) Validate() error {
	var faults Faults
	if o.Title == "" {
		faults.Add("/title", FieldRequired, "title is required.")
	}
	ValidateText(&faults, "/title", &o.Title, MaxText)
	if (o.TargetURL == nil) == (o.BodyHTML == nil) {
		faults.Add("/target_url", FieldRequired, "Give either target_url or body_html.")
	}
	if o.TargetURL != nil && !isWebURL(*o.TargetURL) {
		faults.Add("/target_url", FieldInvalid, "target_url is no http or https address.")
	}
	ValidateText(&faults, "/target_url", o.TargetURL, 2000)
	ValidateText(&faults, "/body_html", o.BodyHTML, MaxBody)
	return faults.Err()
}

func isWebURL(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}
