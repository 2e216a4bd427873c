// Package hit holds the words that the public pages and storage share: what a
// request on a page left behind, and what is known of the page that it asked for.
// It must not know HTTP or SQL.
package hit

import (
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Held marks a click that is stored and not yet judged (Rule).
const Held = "held"

// Together is the evidence against clicks on several links of one message at once.
const Together = "several links at once"

// Visitor is who asked, as far as the request tells. Agent and Address are empty
// when unknown. Scanner is why it was no person, empty for a person.
type Visitor struct {
	Agent   string
	Address string
	Scanner string
	At      time.Time
}

// Click is a request for a tracked link, Host the host that it came to. A click
// without evidence against it is stored as held.
type Click struct {
	Message outreach.Ref
	Host    string
	URL     string
	Visitor
}

// Rule is how held clicks are judged. A click is judged once Window has passed,
// and Slack for the clicks of that time to be committed; another link of its
// message within Window of it, before or after, is evidence of a scanner. A person's click raises its event unless
// the same link was clicked
// by a person within Repeat of it: that was the same click.
type Rule struct {
	Now    time.Time
	Since  time.Time // clicks before it have been judged long ago; the zero time looks at all
	Window time.Duration
	Slack  time.Duration
	Repeat time.Duration
	Limit  int
}

// Opens is how often the pixel of one message was asked for on one day (UTC).
type Opens struct {
	Message outreach.Ref
	Day     time.Time
	Count   int64
}

// Letter is what the page for unsubscribing knows of its message. Foreign says
// that the host it was asked for on is another workspace's tracking domain, Done
// that the recipient has unsubscribed already.
type Letter struct {
	Recipient string
	Foreign   bool
	Done      bool
}

// Offer is what the page of an offer shows. Foreign is as for Letter.
type Offer struct {
	ID          uuid.UUID
	WorkspaceID uuid.UUID
	Title       string
	TargetURL   *string
	BodyHTML    *string
	Foreign     bool
}
