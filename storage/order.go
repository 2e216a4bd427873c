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

// CompareIDs is the order of ids in Postgres, in which rows are locked.
func CompareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// ByWorkspace calls fn for the items of each workspace in turn, in the order of the
// workspaces' ids, in which their rows are locked. It stops at the first error.
// Statements that serve several workspaces are run for each alone: its rows are all on
// one server.
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

// SameValue reports whether both point to the same value, or to none.
func SameValue[T comparable](a, b *T) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}
