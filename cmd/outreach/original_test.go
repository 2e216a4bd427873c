package main

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
)

// Mails are read for signed-in users alone, and those of other workspaces are nowhere.
func TestMailsAreForMembers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.spawn("api")
	s.untilReady()
	status := func(client *http.Client, path string) int {
		t.Helper()
		response, err := client.Get(s.base + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response.StatusCode
	}
	member := s.browser(s.base)
	for _, path := range []string{"/attachments/1", "/original"} {
		for id, want := range map[string]int{uuid.NewString(): http.StatusNotFound, "x": http.StatusNotFound} {
			path := "/mail/replies/" + id + path
			if got := status(http.DefaultClient, path); got != http.StatusUnauthorized {
				t.Errorf("%s without a session: %d", path, got)
			}
			if got := status(member, path); got != want {
				t.Errorf("%s: %d, want %d", path, got, want)
			}
		}
	}
}
