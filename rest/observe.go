package rest

import (
	"net/http"
	"strings"
	"time"
)

// Observation is one answered request, for whoever counts and measures.
type Observation struct {
	Method string
	// Route is the path with {id} in the place of an id, so that the number of
	// different ones is small; "" for a path that does not exist.
	Route  string
	Status int
	Took   time.Duration
}

// observe answers through next and reports what came of it.
func (a *api) observe(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	if a.Observe == nil {
		next(w, r)
		return
	}
	seen, began := &statusWriter{ResponseWriter: w, status: http.StatusOK}, time.Now()
	next(seen, r)
	a.Observe(Observation{Method: r.Method, Route: a.routeOf(r.URL.Path), Status: seen.status, Took: time.Since(began)})
}

func (a *api) routeOf(path string) string {
	if path == openAPIPath || path == docsPath {
		return path
	}
	below, ok := strings.CutPrefix(path, Base)
	if !ok {
		return ""
	}
	methods, _, _ := a.table.lookUp(below)
	for _, e := range methods {
		return Base + e.path
	}
	return ""
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader notes the status on its way.
func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the writer underneath.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
