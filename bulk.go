package outreach

import "github.com/google/uuid"

// BulkOutcome is the result for one element of a bulk request.
type BulkOutcome string

// The outcomes of a bulk element.
const (
	BulkCreated BulkOutcome = "created"
	BulkUpdated BulkOutcome = "updated"
	BulkSkipped BulkOutcome = "skipped"
	BulkInvalid BulkOutcome = "invalid"
)

// MaxBulk is how many elements one bulk request may have.
const MaxBulk = 1000

// BulkMode selects whether a bulk request updates existing prospects, and whether it is a dry run
// that changes nothing.
type BulkMode struct {
	Update bool
	DryRun bool
}

// BulkElement is one prospect of a bulk request. Change sets the fields of a new prospect, or of
// the one that has the address. Faults are the faults found when the element was decoded.
type BulkElement struct {
	Change func(*Prospect)
	Faults Faults
}

// BulkResult is the result for the element at Index, counted from 0. Changed lists the fields that
// an update changes; it is empty if the prospect stays unchanged.
type BulkResult struct {
	Index      int
	Outcome    BulkOutcome
	ProspectID *uuid.UUID
	Changed    []Path
	Errors     []FieldError
}
