//go:build full

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"outreach/internal/testkit"
)

// All processes are restarted one after another by SIGTERM, behind HAProxy, while requests
// of every kind come in. No request fails, no mail is lost and none is sent twice.
func TestRollingRestart(t *testing.T) {
	t.Parallel()
	rollingRestart(t, 1)
}

func rollingRestart(t *testing.T, rounds int) {
	s := newStage(t)
	s.vars["OUTREACH_SHUTDOWN_DELAY"], s.vars["OUTREACH_GRAPHQL_RATE"] = "5s", "0"
	addresses := []string{testkit.ReserveAddr(t), testkit.ReserveAddr(t)}
	proxy := startHAProxy(s, addresses...)
	s.base, s.vars["OUTREACH_BASE_URL"] = proxy.base, proxy.base
	start := func(i int) *process {
		s.vars["OUTREACH_ADDR"] = addresses[i]
		return s.spawnLogging("api", s.log)
	}
	apis := []*process{start(0), start(1)}
	worker := s.spawnLogging("worker", s.log)
	proxy.untilUp(0)
	proxy.untilUp(1)
	campaign, _ := s.slice()
	load := startLoad(s, campaign)
	for range rounds {
		for i := range apis {
			load.untilMore()
			apis[i].stop()
			apis[i] = start(i)
			proxy.untilUp(i)
		}
		load.untilMore()
		worker.stop()
		worker = s.spawnLogging("worker", s.log)
	}
	load.untilMore()
	load.stop()
	load.report()
	if failed, counted := proxy.failures(); failed > 0 {
		t.Errorf("HAProxy counted %s", counted)
	} else {
		t.Logf("HAProxy counted %s", counted)
	}
	s.checkNothingLost(load.people)
}

// load is requests of every kind, each from clients of its own, until it is stopped.
type load struct {
	s        *stage
	campaign string
	jar      http.CookieJar
	parts    sync.WaitGroup
	ended    context.Context
	end      context.CancelFunc
	people   int // who were enrolled

	mu       sync.Mutex
	done     map[string]int
	failures []string
}

// errEnough ends the requests of a client.
var errEnough = errors.New("enough")

// maxPeople bounds the mails of a run: the test reads them in one page.
const maxPeople = 90

func startLoad(s *stage, campaign string) *load {
	s.t.Helper()
	l := &load{s: s, campaign: campaign, done: map[string]int{}}
	l.jar, _ = cookiejar.New(nil)
	l.ended, l.end = context.WithCancel(s.t.Context())
	l.signIn()
	kinds := []struct {
		name  string
		every time.Duration
		run   func(client *http.Client, i int) error
	}{
		{"list", 10 * time.Millisecond, l.list},
		{"create", 20 * time.Millisecond, l.create},
		{"enroll", 400 * time.Millisecond, l.enroll},
		{"GraphQL", 20 * time.Millisecond, l.graphQL},
		{"stream", time.Millisecond, l.stream},
		{"upload", time.Millisecond, l.upload},
	}
	for _, kind := range kinds {
		for n := range 2 {
			l.parts.Go(func() { l.repeat(kind.name, n, kind.every, kind.run) })
		}
	}
	return l
}

// repeat makes one request after another, on connections that are kept.
func (l *load) repeat(name string, client int, every time.Duration, run func(*http.Client, int) error) {
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	own := &http.Client{Transport: once{transport}, Jar: l.jar}
	pace := time.NewTicker(every)
	defer pace.Stop()
	for i := client; l.ended.Err() == nil; i += 2 {
		err := run(own, i)
		if errors.Is(err, errEnough) {
			return
		}
		l.mu.Lock()
		l.done[name]++
		if err != nil {
			l.failures = append(l.failures, name+": "+err.Error())
		}
		l.mu.Unlock()
		select {
		case <-l.ended.Done():
		case <-pace.C:
		}
	}
}

// once fails a request that net/http sends a second time, on another connection.
type once struct{ next http.RoundTripper }

// RoundTrip counts the connections of a request.
func (o once) RoundTrip(r *http.Request) (*http.Response, error) {
	connections := 0
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connections++ }}
	response, err := o.next.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
	if err == nil && connections > 1 {
		_ = response.Body.Close()
		return nil, errors.New("the connection was closed before the answer")
	}
	return response, err
}

func (l *load) signIn() {
	client := &http.Client{Jar: l.jar}
	text := `mutation { signIn(email: "` + l.s.email + `", password: "` + l.s.password + `") { id } }`
	testkit.NoError(l.s.t, l.ask(client, text))
}

// send makes a request and reads the whole answer, whose status has to be want.
func (l *load) send(client *http.Client, want int, method, path string, body io.Reader) error {
	request, err := http.NewRequest(method, l.s.base+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(path, "/api/") {
		request.Header.Set("Authorization", "Bearer "+l.s.token)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if response.StatusCode != want || strings.Contains(string(text), `"errors":[{`) && path == "/graphql" {
		return fmt.Errorf("%s %s answered %d: %s", method, path, response.StatusCode, text)
	}
	return nil
}

func (l *load) list(client *http.Client, i int) error {
	paths := []string{"/prospects?limit=20", "/messages?limit=20", "/deliveries", "/campaigns", "/mailboxes", "/me"}
	return l.send(client, http.StatusOK, http.MethodGet, "/api/v1"+paths[i%len(paths)], nil)
}

func (l *load) create(client *http.Client, i int) error {
	body := fmt.Sprintf(`{"email": "c%d@load.example", "first_name": "Ada"}`, i)
	return l.send(client, http.StatusCreated, http.MethodPost, "/api/v1/prospects", strings.NewReader(body))
}

func (l *load) enroll(client *http.Client, i int) error {
	if i >= maxPeople {
		return errEnough
	}
	body := fmt.Sprintf(`{"campaign_id": %q, "prospect": {"email": "e%d@load.example"}}`, l.campaign, i)
	err := l.send(client, http.StatusCreated, http.MethodPost, "/api/v1/enrollments", strings.NewReader(body))
	if err == nil {
		l.mu.Lock()
		l.people++
		l.mu.Unlock()
	}
	return err
}

func (l *load) graphQL(client *http.Client, _ int) error {
	return l.ask(client, `{ prospects(first: 5) { nodes { id email } } }`)
}

func (l *load) ask(client *http.Client, query string) error {
	text, err := json.Marshal(object{"query": query})
	if err != nil {
		return err
	}
	return l.send(client, http.StatusOK, http.MethodPost, "/graphql", bytes.NewReader(text))
}

// stream reads the news until the process that serves them stops. It has to end properly.
func (l *load) stream(client *http.Client, _ int) error {
	request, err := http.NewRequestWithContext(l.ended, http.MethodGet, l.s.base+livePath, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err == nil {
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("the stream answered %d", response.StatusCode)
		}
		_, err = io.Copy(io.Discard, response.Body)
	}
	if l.ended.Err() != nil {
		return nil
	}
	return err
}

// upload sends a body that takes some seconds to arrive.
func (l *load) upload(client *http.Client, i int) error {
	body, write := io.Pipe()
	go func() {
		pace := time.NewTicker(20 * time.Millisecond)
		defer pace.Stop()
		_, _ = io.WriteString(write, `{"prospects": [`)
		for n := range 200 {
			<-pace.C
			if n > 0 {
				_, _ = io.WriteString(write, ",")
			}
			_, _ = fmt.Fprintf(write, `{"email": "u%d.%d@load.example", "job_title": %q}`, i, n, strings.Repeat("x", 200))
		}
		_, _ = io.WriteString(write, "]}")
		_ = write.Close()
	}()
	err := l.send(client, http.StatusOK, http.MethodPost, "/api/v1/prospects/bulk", body)
	_ = body.Close()
	return err
}

// untilMore waits until requests of every kind that ends have been made anew.
func (l *load) untilMore() {
	l.s.t.Helper()
	before := l.counts()
	l.s.eventually(time.Minute, "requests go on", func() bool {
		now := l.counts()
		for _, name := range []string{"list", "create", "GraphQL", "upload"} {
			if now[name] <= before[name] {
				return false
			}
		}
		return true
	})
}

func (l *load) counts() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.done)
}

func (l *load) stop() {
	l.end()
	l.parts.Wait()
}

// report prints how many requests there were, and fails the test for those that failed.
func (l *load) report() {
	l.s.t.Helper()
	total := 0
	for _, name := range slices.Sorted(maps.Keys(l.done)) {
		l.s.t.Logf("%6d %s", l.done[name], name)
		total += l.done[name]
	}
	l.s.t.Logf("%6d requests, %d failed", total, len(l.failures))
	for _, failure := range l.failures[:min(len(l.failures), 20)] {
		l.s.t.Error(failure)
	}
}
