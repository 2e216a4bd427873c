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

	"outreach/graph"
	"outreach/internal/testkit"
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

// What a member changes at one API process is told by the stream of another within the
// time of a glance, to that workspace.
func TestChangesOfAnotherProcess(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.spawn("api")
	s.untilReady()
	first := s.base
	campaign, _ := s.slice()
	s.enrollUntilThere(campaign, "reply@customer.example")
	s.spawn("worker")
	var reply string
	s.eventually(time.Minute, "a reply", func() bool {
		replies := s.list("/replies")
		if len(replies) > 0 {
			reply = replies[0]["id"].(string)
		}
		return reply != ""
	})
	addr := testkit.ReserveAddr(t)
	s.vars["OUTREACH_ADDR"], s.base = addr, "http://"+addr
	s.spawn("api")
	s.untilReady()
	here, there := s.browser(first), s.browser(s.base)
	stream, err := there.Get(s.base + livePath)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stream.Body.Close() })
	lines := bufio.NewScanner(stream.Body)
	for _, change := range []struct{ topic, query string }{
		{graph.TopicReply, `mutation { markRepliesDone(ids: ["` + reply + `"], done: true) }`},
		{graph.TopicReply, `mutation { assignConversations(ids: ["` + reply + `"], memberId: null) }`},
		{graph.TopicReply, `mutation { snoozeConversations(ids: ["` + reply + `"]) }`},
		{graph.TopicReply, `mutation { wakeConversations(ids: ["` + reply + `"]) }`},
		{graph.TopicReply, `mutation { updateReply(id: "` + reply + `", input: {interest: positive}) { id } }`},
		{graph.TopicWriting, `mutation { saveAnswerDraft(replyId: "` + reply + `", input: {bodyHtml: "<p>Hello</p>"}) { updatedAt } }`},
		{graph.TopicReply, `mutation { answerReply(id: "` + reply + `", input: {bodyText: "Hello"}) { id } }`},
	} {
		for !strings.HasPrefix(lines.Text(), ":") && lines.Scan() {
		}
		graphqlAs(t, here, first, change.query)
		for lines.Scan() && lines.Text() != "event: "+change.topic {
		}
		if !lines.Scan() || lines.Text() != "data: "+reply {
			t.Fatalf("after %s the stream tells %q: %v", change.query, lines.Text(), lines.Err())
		}
	}
}

// browser is one that has signed in at an address.
func (s *stage) browser(base string) *http.Client {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	client := &http.Client{Jar: jar, Timeout: 2 * time.Minute}
	graphqlAs(s.t, client, base, `mutation { signIn(email: "`+s.email+`", password: "`+s.password+`") { id } }`)
	return client
}

// graphqlAs runs an operation that succeeds.
func graphqlAs(t *testing.T, client *http.Client, base, query string) {
	t.Helper()
	text, _ := json.Marshal(object{"query": query})
	response, err := client.Post(base+"/graphql", "application/json", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct{ Errors []object }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || len(answer.Errors) > 0 {
		t.Fatalf("%s: %v %v", query, answer.Errors, err)
	}
}
