// Package carry holds the words that pass between the table of deliveries and
// the ones who work it off: what a scan hands out, how an attempt begins and
// how it ends. It knows neither SQL nor queues.
package carry

import (
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Admission says how much a scan may hand out. The bounds count what is in
// somebody's hands already: handed out and due, or being attempted.
type Admission struct {
	Total        int // of all deliveries
	PerWorkspace int
	PerHost      int // host and port of the URL, over all workspaces
	PerLane      int // of one workspace at one host: what hangs there never fills the host
	// Hold is how long a handed delivery waits for its attempt to begin before
	// another scan may hand it out again.
	Hold time.Duration
	// Until leaves alone what fell due later; the zero value means now.
	Until time.Time
}

// Handed is a delivery in the hands of one task. The row's generation is the
// task's: a later hand-out raises it, and the older task is then void.
type Handed struct {
	ID          uuid.UUID
	Generation  int
	WorkspaceID uuid.UUID
	Host        string
}

// Handout is the outcome of one claim.
type Handout struct {
	Handed []Handed
	At     time.Time // by the database's clock
	Left   bool      // deliveries are due that no bound had room for
}

// Verdict says whether an attempt may begin.
type Verdict string

// The verdicts on a task that asks for its attempt.
const (
	Begun Verdict = "begun"
	Stale Verdict = "stale" // settled, deleted, or in the hands of a later task
	Busy  Verdict = "busy"  // a live attempt holds the delivery
	Early Verdict = "early" // not due yet; Wait says how long
)

// Claim names one attempt that has begun. An attempt that is repeated under the
// same number has another start, so that only the latest can be finished.
type Claim struct {
	WorkspaceID uuid.UUID
	ID          uuid.UUID
	Number      int
	StartedAt   time.Time // by the database's clock
}

// Workspace returns the workspace of the delivery.
func (c Claim) Workspace() uuid.UUID { return c.WorkspaceID }

// Attempt answers a task that asked to begin. All but Verdict and Wait are set
// only when it has begun.
type Attempt struct {
	Claim
	Verdict Verdict
	Wait    time.Duration
	Host    string
	Type    outreach.EventType
	URL     string
	Body    []byte
	Secret  string // in force now
	// Err says why a begun attempt cannot be made; its lease runs out.
	Err error
}

// Answer is what an endpoint did with one attempt. It succeeded when Error is
// nil; Error is in words that a customer may see.
type Answer struct {
	Duration   time.Duration
	HTTPStatus *int
	Error      *string
}

// Result is an answer to be recorded.
type Result struct {
	Claim
	Answer
}

// Recorded is the state of a delivery after a result was recorded. Lost says
// that it was not, because the attempt had been taken over by another.
type Recorded struct {
	Status outreach.DeliveryStatus
	Lost   bool
}

// Pace is how failures are followed up.
type Pace struct {
	RetryDelay time.Duration // from the end of an attempt to the next
	Hold       time.Duration // for the task that carries the retry, once due
}

// QueueStats is the state of the queue for those who watch it.
type QueueStats struct {
	Queued    int           // all that is not settled
	Due       int           // of those, due and not handed out
	InFlight  int           // being attempted
	OldestDue time.Duration // how long the oldest of Due has been; 0 when none is
}
