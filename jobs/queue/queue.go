// Package queue holds the types that the table of deliveries and the workers share: what a scan
// hands out, how an attempt begins and how it ends. It must not know SQL or queues.
package queue

import (
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Admission limits how much a scan may hand out. The limits include what is in progress:
// deliveries handed out and due, or being attempted.
type Admission struct {
	Total        int // of all deliveries
	PerWorkspace int
	PerHost      int // host and port of the URL, over all workspaces
	// PerWorkspaceHost keeps one workspace's hanging deliveries from filling the host's share.
	PerWorkspaceHost int
	// HandoutTTL is how long a handed delivery waits for its attempt to begin before another scan
	// may hand it out again.
	HandoutTTL time.Duration
	// Until excludes deliveries that fell due later; zero means now.
	Until time.Time
}

// WorkspaceHost is one workspace at one host, with all of its subscriptions there.
type WorkspaceHost struct {
	WorkspaceID uuid.UUID
	Host        string
}

// Handed is a delivery that is assigned to one task. The row's generation is the task's: a later
// hand-out raises it, and the older task is then void.
type Handed struct {
	ID          uuid.UUID
	Generation  int
	WorkspaceID uuid.UUID
	Host        string
}

// Handout is what one scan handed out.
type Handout struct {
	Handed []Handed
	At     time.Time // by the database's clock
	Left   bool      // some due deliveries exceeded a limit
}

// Verdict is whether an attempt may begin.
type Verdict string

// The verdicts on a task that wants to begin its attempt.
const (
	Begun Verdict = "begun"
	Stale Verdict = "stale" // settled, deleted, or assigned to a later task
	Busy  Verdict = "busy"  // a live attempt holds the delivery
	Early Verdict = "early" // not due yet; see Wait
)

// AttemptKey identifies one attempt that has begun. An attempt that is repeated under the same number
// has another start, so that only the latest can be finished.
type AttemptKey struct {
	WorkspaceID uuid.UUID
	ID          uuid.UUID
	Number      int
	StartedAt   time.Time // by the database's clock
}

// Workspace returns the workspace of the delivery.
func (k AttemptKey) Workspace() uuid.UUID { return k.WorkspaceID }

// Attempt is the answer to a task that wants to begin. Only Verdict and Wait are set unless it has
// begun.
type Attempt struct {
	AttemptKey
	Verdict Verdict
	Wait    time.Duration
	Host    string
	Type    outreach.EventType
	URL     string
	Body    []byte
	Secret  string // the current secret
	// Err is why a begun attempt cannot be made; its lease then runs out.
	Err error
}

// Answer is the result of one request. It succeeded if Error is nil. Error is a text that a
// customer may see.
type Answer struct {
	Duration   time.Duration
	HTTPStatus *int
	Error      *string
}

// Result is an answer to be recorded.
type Result struct {
	AttemptKey
	Answer
}

// Recorded is the state of a delivery after a result was recorded. Lost reports that it was not
// recorded, because another process had taken over the attempt.
type Recorded struct {
	Status outreach.DeliveryStatus
	Lost   bool
}

// Pace holds the times after a failure.
type Pace struct {
	RetryDelay time.Duration // from the end of an attempt to the next
	HandoutTTL time.Duration // for the task of the retry, once due
}

// Stats is the state of the queue for monitoring.
type Stats struct {
	Queued    int           // not settled
	Due       int           // of those, due and not handed out
	InFlight  int           // being attempted
	OldestDue time.Duration // how long the oldest of Due has been due; 0 if there are none
}
