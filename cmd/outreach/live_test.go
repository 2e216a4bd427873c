package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// A reply that one process reads is told by a stream of another, to signed-in users
// alone. The stream ends with its session.
func TestNewsOfAnotherProcess(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.spawn("api")
	s.untilReady()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Timeout: 2 * time.Minute}
	open := func() *http.Response {
		t.Helper()
		response, err := browser.Get(s.base + livePath)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = response.Body.Close() })
		return response
	}
	ask := func(query string) {
		t.Helper()
		text, _ := json.Marshal(object{"query": query})
		response, err := browser.Post(s.base+"/graphql", "application/json", bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
	}
	if response := open(); response.StatusCode != http.StatusUnauthorized {
		t.Fatalf("without a session: %d", response.StatusCode)
	}
	ask(`mutation { signIn(email: "` + s.email + `", password: "` + s.password + `") { id } }`)
	stream := open()
	if stream.StatusCode != http.StatusOK || stream.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("with a session: %d %s", stream.StatusCode, stream.Header.Get("Content-Type"))
	}
	campaign, _ := s.slice()
	s.enrollUntilThere(campaign, "reply@customer.example")
	s.spawn("worker")
	lines := bufio.NewScanner(stream.Body)
	var told string
	for told == "" && lines.Scan() {
		told, _ = strings.CutPrefix(lines.Text(), "data: ")
		if strings.HasPrefix(lines.Text(), ":") {
			told = ""
		}
	}
	if _, err := uuid.Parse(told); err != nil {
		t.Fatalf("the stream told %q: %v, %v", told, err, lines.Err())
	}
	if replies := s.list("/replies"); len(replies) != 1 || replies[0]["id"] != told {
		t.Errorf("the stream told %s of %v", told, replies)
	}
	ask(`mutation { signOut }`)
	ended := time.Now()
	for lines.Scan() {
		if time.Since(ended) > time.Minute {
			t.Fatal("the stream goes on without its session")
		}
	}
}
