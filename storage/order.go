package storage

import (
	"bytes"
	"slices"

	"github.com/google/uuid"
)

// InOrder sorts ids as Postgres does.
func InOrder(ids []uuid.UUID) []uuid.UUID {
	slices.SortFunc(ids, CompareIDs)
	return ids
}

// CompareIDs is the order of ids in Postgres, in which rows are locked.
func CompareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// SameValue reports whether both point to the same value, or to none.
func SameValue[T comparable](a, b *T) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}
