package main

import (
	"strings"
	"testing"
)

func TestLogPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/u/token":               "/u/…",
		"/t/c/token":             "/t/c/…",
		"/t/o/token":             "/t/o/…",
		"/o/token":               "/o/…",
		"//u/token":              "//u/…",
		"/x/../o/token":          "/x/../o/…",
		"/oauth/start/secret":    "/oauth/start/…",
		"/oauth/callback":        "/oauth/callback",
		"/u/":                    "/u/",
		"/api/v1/prospects/0199": "/api/v1/prospects/0199",
		"/a/01990b1e-7c1c-7a10-8000-000000000001/resolve":                    "/a/01990b1e-7c1c-7a10-8000-000000000001/resolve",
		"/api/v1/prospects/ort_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ012345/x": "/api/v1/prospects/ort_01234567…/x",
		"/campaigns/0199/people":                                             "/campaigns/0199/people",
		strings.Repeat("/abcd", 10_000):                                      strings.Repeat("/abcd", 60) + "…",
		strings.Repeat("/abcd", 10_000) + "/u/token":                         strings.Repeat("/abcd", 60) + "…/u/…",
	} {
		if got := logPath(path); got != want {
			t.Errorf("%s is logged as %s, want %s", path, got, want)
		}
	}
}
