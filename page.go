package outreach

import (
	"time"

	"github.com/google/uuid"
)

// The bounds of a page (specification, section 8).
const (
	DefaultLimit = 50
	MaxLimit     = 100
)

// Key is the place of a row in a list: lists run newest first, ties by id
// descending (specification, section 4.2).
type Key struct {
	At time.Time // microseconds, as the database keeps them
	ID uuid.UUID
}

// Page asks for at most Limit rows behind After, from the start when it is nil.
// Offset takes its place on the one list that is built in memory, companies.
type Page struct {
	Limit  int
	After  *Key
	Offset int
}

// Rows is one page of a list. More says that at least one row follows.
type Rows[T any] struct {
	Rows []T
	More bool
	// Last is the key of the last row fetched, which a filter applied after the
	// fetch may have taken out of Rows.
	Last Key
}
