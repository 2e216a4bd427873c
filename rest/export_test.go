package rest

import (
	"maps"
	"net/http"
	"slices"
)

// NewWithList is New with one list more, so that the rules of lists can be tried
// on one that nobody has thought of.
func NewWithList(config Config, path, operation, document string) (http.Handler, error) {
	operations := maps.Clone(Operations())
	operations[operation] = document
	return newAPI(config, append(slices.Clone(routes), route{"GET", path, operation, page}), operations)
}

// Lists gives the paths of all lists that have pages.
func Lists() (paths []string) {
	for _, r := range routes {
		if r.shape == page {
			paths = append(paths, r.path)
		}
	}
	return paths
}
