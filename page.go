package outreach

import (
	"time"

	"github.com/google/uuid"
)

// The number of rows on a page: the default and the largest.
const (
	DefaultLimit = 50
	MaxLimit     = 100
)

// Key is the position of a row in a list. Lists are ordered newest first, then by
// id, descending.
type Key struct {
	At time.Time // in microseconds, like the database
	ID uuid.UUID
}

// Page asks for at most Limit rows after the key After, or from the start if it is nil. The list
// of companies, which is sorted in memory, uses Offset instead of After.
type Page struct {
	Limit  int
	After  *Key
	Offset int
}

// Rows is one page of a list. More reports whether another row follows.
type Rows[T any] struct {
	Rows []T
	More bool
	// Last is the key of the last row fetched. A filter that is applied after the
	// fetch may have removed that row from Rows.
	Last Key
}
