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

// BulkMode says whether a bulk request updates prospects that exist already, and
// whether it is a dry run, which changes nothing.
type BulkMode struct {
	Update bool
	DryRun bool
}

// BulkElement is one prospect of a bulk request. Change fills in a new prospect or
// edits the one that has the address. Faults are what was wrong with the element
// when it was decoded.
type BulkElement struct {
	Change func(*Prospect)
	Faults Faults
}

// BulkResult is the result for the element at Index, counted from 0. Changed are
// the values that an update changes; without any the prospect is unchanged.
type BulkResult struct {
	Index      int
	Outcome    BulkOutcome
	ProspectID *uuid.UUID
	Changed    []Path
	Errors     []FieldError
}
