package storage

import (
	"bytes"
	"maps"
	"slices"

	"github.com/google/uuid"
)

// InOrder sorts ids as Postgres does.
func InOrder(ids []uuid.UUID) []uuid.UUID {
	slices.SortFunc(ids, CompareIDs)
	return ids
}

// CompareIDs compares ids as Postgres does. Rows are locked in this order.
func CompareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// ByWorkspace calls fn for the items of each workspace, in the order of the workspaces' ids, in
// which their rows are locked. It stops at the first error. Each statement then names one
// workspace, whose rows are all on one server.
func ByWorkspace[T any](items []T, workspace func(T) uuid.UUID, fn func(workspace uuid.UUID, some []T) error) error {
	of := map[uuid.UUID][]T{}
	for _, item := range items {
		of[workspace(item)] = append(of[workspace(item)], item)
	}
	for _, id := range slices.SortedFunc(maps.Keys(of), CompareIDs) {
		if err := fn(id, of[id]); err != nil {
			return err
		}
	}
	return nil
}

// SameValue reports whether two pointers point to equal values or are both nil.
func SameValue[T comparable](a, b *T) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}
