package main

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// The host of a customer's tracking domain serves links and nothing else; every
// other name serves everything.
func TestTrackingHostsServeLinksOnly(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	if err := s.store.SetTrackingDomain(t.Context(), uuid.MustParse(s.workspace), "links.customer.example",
		outreach.TrackingDomainVerified); err != nil {
		t.Fatal(err)
	}
	s.start()
	for _, test := range []struct {
		host, path string
		status     int
	}{
		{"links.customer.example", "/", http.StatusNotFound},
		{"LINKS.customer.example.:8443", "/", http.StatusNotFound},
		{"links.customer.example", "/assets/index.js", http.StatusNotFound},
		{"links.customer.example", "/api/v1/me", http.StatusNotFound},
		{"links.customer.example", "/graphql", http.StatusNotFound},
		{"links.customer.example", "/ops/queues", http.StatusNotFound},
		{"links.customer.example", "/docs", http.StatusNotFound},
		{"links.customer.example", "/readyz", http.StatusNotFound},
		{"outreach.internal.example", "/", http.StatusOK},
		{"localhost", "/", http.StatusOK},
		{"", "/", http.StatusOK}, // the host of the base URL
		{"127.0.0.1", "/", http.StatusOK},
	} {
		request, err := http.NewRequest(http.MethodGet, s.base+test.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = test.host
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != test.status {
			t.Errorf("%s on %q: status %d, want %d", test.path, test.host, response.StatusCode, test.status)
		}
		if got := response.Header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s on %q: X-Content-Type-Options is %q, want nosniff", test.path, test.host, got)
		}
	}
}

func TestHostCacheAsksSeldom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked, unknown := 0, 0
		var away error
		cache := &hostCache{ask: func(_ context.Context, host string) (bool, error) {
			asked++
			return host == "links.example", away
		}, allow: func(_ context.Context, n int) bool {
			unknown += n
			return unknown < 3 || unknown == 3 && n == 1
		}}
		look := func(host string, want bool) {
			t.Helper()
			if got, err := cache.lookUp(t.Context(), host); got != want || !errors.Is(err, away) {
				t.Errorf("%s: %v, %v; want %v", host, got, err, want)
			}
		}
		for _, host := range []string{"127.0.0.1", "localhost", "a b.example", strings.Repeat("a.", 20_000) + "example"} {
			look(host, false)
		}
		if asked != 0 || len(cache.hosts) != 0 {
			t.Errorf("the database was asked %d times for no host names, and %d are kept", asked, len(cache.hosts))
		}
		look("links.example", true)
		look("links.example", true)
		look("other.example", false)
		time.Sleep(hostCacheAge)
		look("links.example", true)
		if asked != 3 {
			t.Errorf("the database was asked %d times, want 3", asked)
		}
		away = errors.New("database is away")
		look("new.example", false) // an error is not remembered
		look("new.example", false)
		if asked != 5 {
			t.Errorf("the database was asked %d times, want 5", asked)
		}
		away = nil
		look("new.example", false)
		look("newer.example", false)
		time.Sleep(hostCacheAge)
		look("links.example", true) // a tracking domain is not counted
		away = errManyHosts
		look("newest.example", false) // the fourth unknown name
		look("new.example", false)    // known to be none, but too long ago
		if asked != 8 || unknown != 3 {
			t.Errorf("the database was asked %d times, and %d unknown names were counted; want 8 and 3", asked, unknown)
		}
	})
}
