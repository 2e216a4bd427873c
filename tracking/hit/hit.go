// Package hit holds the types that the public pages and storage share: the data of a request, and
// of the page that it asked for. It must not know HTTP or SQL.
package hit

import (
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Unjudged is the evidence of a click that is stored and not judged yet (Rule).
const Unjudged = "held"

// SeveralLinks is the evidence against clicks on several links of one message at once.
const SeveralLinks = "several links at once"

// Visitor is the visitor of a page. Agent and Address are empty if unknown. Scanner is why the
// visitor is not a person, empty for a person.
type Visitor struct {
	Agent   string
	Address string
	Scanner string
	At      time.Time
}

// Click is a request for a tracked link; Host is the host of the request. A click without evidence
// against it is stored as Unjudged.
type Click struct {
	Message outreach.Ref
	Host    string
	URL     string
	Visitor
}

// Rule defines how stored clicks are judged. A click is judged once Window has passed, and Slack for
// the other clicks of that time to commit. A click on another link of its message within Window,
// before or after, is evidence of a scanner. A person's click raises its event unless a person
// clicked the same link within Repeat of it, which counts as one click.
type Rule struct {
	Now    time.Time
	Since  time.Time // older clicks have been judged; zero: look at all
	Window time.Duration
	Slack  time.Duration
	Repeat time.Duration
	Limit  int
}

// Opens counts the requests for the pixel of one message on one UTC day.
type Opens struct {
	Message outreach.Ref
	Day     time.Time
	Count   int64
}

// UnsubscribePage is the data of the unsubscribe page of a message. Foreign reports that the host of
// the request is another workspace's tracking domain, Done that the recipient has unsubscribed
// already.
type UnsubscribePage struct {
	Recipient string
	Foreign   bool
	Done      bool
}

// Offer is the data of an offer's page. Foreign has the same meaning as in
// UnsubscribePage.
type Offer struct {
	ID          uuid.UUID
	WorkspaceID uuid.UUID
	Title       string
	TargetURL   *string
	BodyHTML    *string
	Foreign     bool
}
