package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"outreach"
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

// Three large bodies of a workspace are in memory at a time. The fourth waits; those of others do not.
func TestLargeBodiesWait(t *testing.T) {
	t.Parallel()
	large, busy := newBodies(apiBodies), uuid.New()
	var leaves []func()
	enter := func(workspace uuid.UUID) {
		t.Helper()
		leave, err := large.Enter(t.Context(), workspace, largestBody)
		testkit.NoError(t, err)
		leaves = append(leaves, leave)
	}
	for range 3 {
		enter(busy)
	}
	enter(uuid.New())
	late, end := context.WithCancel(t.Context())
	end()
	if _, err := large.Enter(late, busy, largestBody); outreach.CodeOf(err) != outreach.CodeUnavailable {
		t.Errorf("the fourth gets %v when its time is over", err)
	}
	leaves[0]()
	enter(busy)
	for _, leave := range leaves[1:] {
		leave()
	}
	if large.atOnce.Len() != 0 {
		t.Errorf("%d workspaces are kept", large.atOnce.Len())
	}
}

// A body of GraphQL that has no place in time is refused as GraphQL refuses, with a time to come back.
func TestGraphQLBodyWithoutPlace(t *testing.T) {
	t.Parallel()
	workspace := uuid.New()
	ctx, gone := context.WithCancel(outreach.WithActor(t.Context(), outreach.Actor{WorkspaceID: workspace}))
	inside, release := make(chan struct{}), make(chan struct{})
	handler := limitGraphQLBodies(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		inside <- struct{}{}
		<-release
	}))
	request := func() *http.Request {
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", strings.NewReader("{}"))
		r.ContentLength = largestBody
		return r
	}
	go handler.ServeHTTP(httptest.NewRecorder(), request())
	<-inside
	gone() // its time is over at once
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, request())
	close(release)
	told := strings.Contains(w.Body.String(), `"code":"unavailable"`)
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || !told {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

// The values of a member's body are counted too.
func TestValuesOfGraphQLBodies(t *testing.T) {
	t.Parallel()
	var failed error
	read := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, failed = io.ReadAll(r.Body) })
	ctx := outreach.WithActor(t.Context(), outreach.Actor{WorkspaceID: uuid.New()})
	member := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", strings.NewReader(strings.Repeat("[", graphQLValues+1)))
	limitGraphQLBodies(read).ServeHTTP(httptest.NewRecorder(), member)
	if _, over := errors.AsType[*http.MaxBytesError](failed); !over {
		t.Errorf("too many values: %v", failed)
	}
}
