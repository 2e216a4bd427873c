package outreach

import (
	"cmp"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// PlacementStatus is the state of a placement check.
type PlacementStatus string

// The states of a placement check.
const (
	PlacementWaiting PlacementStatus = "waiting"
	PlacementArrived PlacementStatus = "arrived"
	PlacementMissing PlacementStatus = "missing"
)

// PlacementFolder is the kind of folder in which a mail arrived.
type PlacementFolder string

// The folders that a placement check tells apart.
const (
	PlacementInbox PlacementFolder = "inbox"
	PlacementJunk  PlacementFolder = "junk"
	PlacementOther PlacementFolder = "other"
)

// MailAuthentication is what the receiving provider says about a mail (RFC 8601).
type MailAuthentication struct {
	SPF   RecordResult
	DKIM  RecordResult
	DMARC RecordResult
	// Signer is a domain other than the sender's that signed the mail; empty if there is none or
	// if the sender's domain signed it too.
	Signer string
}

// PlacementCheck is one plain mail from one mailbox of a workspace to another, and its result.
type PlacementCheck struct {
	ID             uuid.UUID
	WorkspaceID    uuid.UUID
	MailboxID      uuid.UUID
	ToMailboxID    uuid.UUID
	Status         PlacementStatus
	Folder         *PlacementFolder    // nil unless it arrived
	Authentication *MailAuthentication // nil unless it arrived
	Seconds        *int                // from sending to arrival
	// Detail is one sentence about a mail that was not found.
	Detail    *string
	SentAt    *time.Time // commit 2: the mail may have been sent
	Looks     int        // number of attempts
	CreatedAt time.Time
}

// Ref returns the reference of the check.
func (c *PlacementCheck) Ref() Ref { return Ref{WorkspaceID: c.WorkspaceID, ID: c.ID} }

// Validate returns an error that lists every invalid field, nil if there is none.
func (c *PlacementCheck) Validate() error {
	var faults Faults
	switch c.ToMailboxID {
	case uuid.Nil:
		faults.Add(At("to_mailbox_id"), FieldRequired, "to_mailbox_id is required.")
	case c.MailboxID:
		faults.Add(At("to_mailbox_id"), FieldInvalid, "to_mailbox_id must be another mailbox.")
	}
	return faults.Err()
}

// The times of placement checks.
const (
	PlacementLimit = 10 * time.Minute    // a mail that was not found by then is missing
	PlacementLease = 2 * time.Minute     // after it another process may continue a check
	PlacementKept  = 90 * 24 * time.Hour // at least; the next check then deletes it
)

// The waits between two attempts to find a mail: the first one, and the longest.
const (
	firstPlacementWait = 2 * time.Second
	maxPlacementWait   = 2 * time.Minute
)

// NextLook returns how long to wait after an attempt that did not end the check.
func (c *PlacementCheck) NextLook() time.Duration {
	return min(firstPlacementWait<<min(max(c.Looks-1, 0), 10), maxPlacementWait)
}

// Over reports whether the time to find the mail, or to send it, has ended at now. The time during
// which sending was off does not shorten the time to find it.
func (c *PlacementCheck) Over(now time.Time) bool {
	since := c.CreatedAt
	if c.SentAt != nil {
		since = *c.SentAt
	}
	return now.Sub(since) >= PlacementLimit
}

// PlacementResult is the result of one attempt of a placement check. If it has no Folder and no
// Failure, the check goes on.
type PlacementResult struct {
	Folder         PlacementFolder
	Authentication MailAuthentication
	Arrived        time.Time // as reported by the receiving server
	// Domain is the sending domain whose DKIM signature the receiver checked; empty if the receiver
	// has the same domain or is in the same organization, and so saw mail that never left it.
	Domain string
	// Failure is one sentence that ends the check.
	Failure string
	// Problem is one sentence about what prevented a result. It is shown if the time ends.
	Problem string
}

const placementNotFound = "The mail was not found in any folder within 10 minutes."

// Note records a result at now.
func (c *PlacementCheck) Note(r PlacementResult, now time.Time) {
	switch {
	case r.Folder != "":
		c.Status, c.Folder, c.Authentication = PlacementArrived, &r.Folder, &r.Authentication
		if c.SentAt != nil {
			took := min(max(r.Arrived.Sub(*c.SentAt), 0), now.Sub(*c.SentAt)) // the clocks may differ
			c.Seconds = new(int(took.Seconds()))
		}
	case r.Failure != "":
		c.Status, c.Detail = PlacementMissing, &r.Failure
	case c.Over(now):
		c.Status, c.Detail = PlacementMissing, new(cmp.Or(r.Problem, placementNotFound))
	default:
		c.Looks++
	}
}

// DKIMSeen returns the verdict on a domain's DKIM signatures from what a receiver of another
// domain reported.
func DKIMSeen(domain string, a MailAuthentication) RecordCheck {
	check := RecordCheck{Result: a.DKIM}
	switch {
	case a.DKIM == RecordPass:
		check.Detail = "A mailbox of another domain received your mail with a valid signature of " + domain + "."
	case a.DKIM == RecordFail && a.Signer == "":
		check.Detail = "A mailbox of another domain received your mail with a signature that is not valid. " +
			"Compare the DKIM record in your DNS with the one that your provider shows."
	case a.Signer != "":
		check.Detail = fmt.Sprintf("Your mail is signed by %s and not by %s. Turn on DKIM for your domain at your provider, "+
			"and publish the record that it shows.", a.Signer, domain)
	case a.DKIM == RecordNone:
		check.Detail = "Your mail arrives without a signature. Turn on DKIM for your domain at your provider, " +
			"and publish the record that it shows."
	default:
		check.Detail = "The receiving provider did not say whether your mail is signed. Check against a mailbox of another provider."
	}
	return check
}
