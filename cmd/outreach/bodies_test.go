package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/share"
	"outreach/internal/testkit"
)

// Values are counted, and not what is in texts.
func TestValuesOfBodiesAreLimited(t *testing.T) {
	t.Parallel()
	for text, fits := range map[string]bool{
		`{"a": [1, 2], "b": {}}`:            true,
		`{"a": [1, 2, 3], "b": {}}`:         false,
		`{"a": ",,,[[[{{{", "b\",[": "\\"}`: true,
		`{"a": "\\", "b": [[[[]]]]}`:        false,
		strings.Repeat("[", 1_000_000):      false,
	} {
		_, err := io.ReadAll(&countedJSON{ReadCloser: io.NopCloser(strings.NewReader(text)), left: 5})
		if _, over := errors.AsType[*http.MaxBytesError](err); over == fits {
			t.Errorf("%.30s: %v", text, err)
		}
	}
}

// Three large bodies of a token are in memory at a time. The fourth waits; those of others do not.
func TestLargeBodiesWait(t *testing.T) {
	t.Parallel()
	inside, release, ended := make(chan string, 10), make(chan struct{}), make(chan struct{}, 10)
	large := &bodies{atOnce: share.New[string](apiBodies), from: func(r *http.Request) string { return r.Header.Get("From") }}
	handler := large.limit(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		inside <- r.Header.Get("From")
		<-release
	}))
	send := func(from string, length int64) {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}"))
		r.ContentLength = length
		r.Header.Set("From", from)
		go func() {
			handler.ServeHTTP(httptest.NewRecorder(), r)
			ended <- struct{}{}
		}()
	}
	for range 3 {
		send("busy", -1)
		<-inside
	}
	send("busy", -1)
	testkit.Eventually(t, "the fourth waits", func() bool { return large.atOnce.Users("busy") == 4 })
	for range 4 {
		send("other", 4<<20)
		if from := <-inside; from != "other" {
			t.Error("the fourth did not wait")
		}
	}
	close(release)
	for range 8 {
		<-ended
	}
	if large.atOnce.Len() != 0 {
		t.Errorf("%d senders are kept", large.atOnce.Len())
	}
}

// Both doors know their senders.
func TestSendersOfBodies(t *testing.T) {
	t.Parallel()
	var body string
	var failed error
	read := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		body, failed = string(text), err
	})
	api := httptest.NewRequest(http.MethodPost, "/api/v1/prospects", strings.NewReader("{}"))
	api.Header.Set("Authorization", "Bearer ort_x")
	limitAPIBodies(read).ServeHTTP(httptest.NewRecorder(), api)
	testkit.Equal(t, "body of the API", body, "{}")
	ctx := outreach.WithActor(t.Context(), outreach.Actor{WorkspaceID: uuid.New()})
	member := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", strings.NewReader(strings.Repeat("[", graphQLValues+1)))
	limitGraphQLBodies(read).ServeHTTP(httptest.NewRecorder(), member)
	if _, over := errors.AsType[*http.MaxBytesError](failed); !over {
		t.Errorf("too many values: %v", failed)
	}
}
