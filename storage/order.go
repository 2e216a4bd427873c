package storage

import (
	"bytes"
	"iter"
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

// SetOf returns the items of a list as a set.
func SetOf[T comparable](list []T) map[T]struct{} {
	set := make(map[T]struct{}, len(list))
	for _, item := range list {
		set[item] = struct{}{}
	}
	return set
}

// ByWorkspace returns the workspaces of items, each with its items, in the order of the workspaces'
// ids, in which their rows are locked. A statement for one of them names one workspace, whose rows
// are all on one server.
func ByWorkspace[T any](items []T, workspace func(T) uuid.UUID) iter.Seq2[uuid.UUID, []T] {
	of := map[uuid.UUID][]T{}
	for _, item := range items {
		of[workspace(item)] = append(of[workspace(item)], item)
	}
	return func(yield func(uuid.UUID, []T) bool) {
		for _, id := range slices.SortedFunc(maps.Keys(of), CompareIDs) {
			if !yield(id, of[id]) {
				return
			}
		}
	}
}

// SameValue reports whether two pointers point to equal values or are both nil.
func SameValue[T comparable](a, b *T) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}
