package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"outreach/ui"
)

// A probe or client that misspells a path of the service gets 404, never the page of the application.
func TestPathsLikeThoseOfTheServiceAreNoPages(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]int{
		"/readyz/": 404, "/healthz/": 404, "/metrics": 404, "/METRICS": 404, "/api": 404, "/API/v1/me": 404, "/graphql/": 404,
		"/live/": 404, "/ops": 404, "/ops/other": 404, "/Docs": 404, "/T/c/token": 404, "/.well-known/other": 404,
		"/": 200, "/inbox": 200, "/mailboxes": 200, "/offers": 200, "/settings/api": 200, "/campaigns/new": 200, "/other": 200,
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			w := httptest.NewRecorder()
			pages(ui.Handler()).ServeHTTP(w, httptest.NewRequest(method, path, nil))
			if w.Code != want {
				t.Errorf("%s %s: status %d, want %d", method, path, w.Code, want)
			}
		}
	}
	w := httptest.NewRecorder()
	pages(ui.Handler()).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/healthz", nil))
	if allow := w.Header().Get("Allow"); w.Code != http.StatusMethodNotAllowed || allow != "GET, HEAD" {
		t.Errorf("POST /healthz: status %d, Allow %q, want 405 and GET, HEAD", w.Code, allow)
	}
}
