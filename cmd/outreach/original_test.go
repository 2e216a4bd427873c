package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
)

// A file of a stranger is saved and never shown, whatever it is called and says it is.
func TestFilesAreNeverShown(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	sendFile(w, outreach.File{
		Attachment: outreach.Attachment{Filename: "preis\u00e4.html", ContentType: "text/html"},
		Content:    []byte("<script>"),
	})
	want := http.Header{
		"Content-Type":            {"text/html"},
		"Content-Disposition":     {"attachment; filename*=utf-8''preis%C3%A4.html"},
		"Content-Length":          {"8"},
		"X-Content-Type-Options":  {"nosniff"},
		"Content-Security-Policy": {"default-src 'none'; sandbox"},
		"Cache-Control":           {"private, no-store"},
	}
	if diff := cmp.Diff(want, w.Header()); diff != "" || w.Body.String() != "<script>" {
		t.Error(diff, w.Body.String())
	}
}

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
