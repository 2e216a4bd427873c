package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/trace"

	"outreach/internal/sparselog"
	"outreach/internal/testkit"
)

// readiness asks a service and returns the status and what it reports.
func readiness(t *testing.T, base string) (int, string) {
	t.Helper()
	response, err := http.Get(base + "/readyz")
	if err != nil {
		return 0, ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	testkit.NoError(t, err)
	return response.StatusCode, string(text)
}

// Redis away makes a worker unready, and is only reported by a process that
// serves the API.
func TestReadinessWithoutRedis(t *testing.T) {
	t.Parallel()
	for roles, want := range map[string]int{"api": http.StatusOK, "api,worker": http.StatusOK, "worker": http.StatusServiceUnavailable} {
		t.Run(roles, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.config.RedisURL = "redis://" + testkit.ReserveAddr(t) // where nothing listens
			name := filepath.Join(t.TempDir(), "log")
			log, err := os.Create(name)
			testkit.NoError(t, err)
			defer log.Close()
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- run(ctx, s.config, options{roles: strings.Split(roles, ","), log: log}) }()
			for range 20 {
				s.eventually(time.Minute, "the service reports on Redis", func() bool {
					status, text := readiness(t, s.base)
					return status == want && strings.Contains(text, `"redis":"not ready"`) && strings.Contains(text, `"database":"ok"`)
				})
			}
			stop()
			testkit.NoError(t, <-ended)
			text, err := os.ReadFile(name)
			testkit.NoError(t, err)
			if n := strings.Count(string(text), `"level":"WARN"`); n != 1 {
				t.Errorf("%d warnings of a process without Redis within a minute, want 1:\n%s", n, text)
			}
		})
	}
}

// All who ask within a second get the result of one check, also when the first of them has gone.
func TestReadinessIsCheckedOnceASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var failure error
		var checks atomic.Int32
		asked := &readyCheck{away: sparselog.New(slog.New(slog.DiscardHandler)), parts: []part{
			{"database", func(ctx context.Context) error {
				checks.Add(1)
				return errors.Join(failure, ctx.Err())
			}, true},
			{"redis", func(context.Context) error { return errors.New("away") }, false},
		}}
		gone, leave := context.WithCancel(t.Context())
		leave()
		ask := func(want int, report string) {
			t.Helper()
			var all sync.WaitGroup
			for range 50 {
				all.Go(func() {
					status, got := asked.check(gone)
					if text := fmt.Sprint(got); status != want || text != report {
						t.Errorf("%d %s, want %d %s", status, text, want, report)
					}
				})
			}
			all.Wait()
		}
		ask(http.StatusOK, "map[database:ok redis:not ready]")
		failure = errors.New("away")
		ask(http.StatusOK, "map[database:ok redis:not ready]")
		time.Sleep(readyAge)
		ask(http.StatusServiceUnavailable, "map[database:not ready redis:not ready]")
		if n := checks.Load(); n != 2 {
			t.Errorf("%d checks for 150 requests, want 2", n)
		}
	})
}

// A process that is told to end first turns unready, serves on for the delay, and
// then drains.
func TestUnreadyBeforeTheListenerCloses(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.vars["OUTREACH_SHUTDOWN_DELAY"] = "2s"
	p := s.spawn("api,worker")
	s.untilReady()
	began := time.Now()
	testkit.NoError(t, p.command.Process.Signal(syscall.SIGTERM))
	s.eventually(time.Minute, "the process is unready", func() bool {
		status, text := readiness(t, s.base)
		return status == http.StatusServiceUnavailable && strings.Contains(text, "shutting down")
	})
	s.call(http.StatusOK, http.MethodGet, "/me", nil) // still served
	<-p.ended
	if took := time.Since(began); took < 2*time.Second {
		t.Errorf("the process ended after %s, want the delay of 2s first", took)
	}
}

// A port that is taken ends the start before any worker has begun.
func TestTakenPortStartsNothing(t *testing.T) {
	t.Parallel()
	for _, variable := range []string{"OUTREACH_ADDR", "OUTREACH_METRICS_ADDR"} {
		t.Run(variable, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			taken, err := net.Listen("tcp", "127.0.0.1:0")
			testkit.NoError(t, err)
			defer taken.Close()
			if variable == "OUTREACH_ADDR" {
				s.config.Addr = taken.Addr().String()
			} else {
				s.config.MetricsAddr = taken.Addr().String()
			}
			var log bytes.Buffer
			err = run(t.Context(), s.config, options{roles: []string{"api", "worker"}, log: &log})
			if err == nil || !strings.HasPrefix(err.Error(), variable+": ") {
				t.Errorf("error = %v, want one that names %s", err, variable)
			}
			if ticks, err := s.store.RegisterWorker(t.Context(), "test", 1, time.Minute); err != nil || ticks != 1 {
				t.Errorf("%d attempt slots are registered, %v; want only the test's own", ticks, err)
			}
		})
	}
}

func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	for https, hsts := range map[bool]string{true: "max-age=31536000", false: ""} {
		w := httptest.NewRecorder()
		securityHeaders(https, http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		if got := w.Header().Get("Strict-Transport-Security"); got != hsts {
			t.Errorf("https %v: Strict-Transport-Security is %q, want %q", https, got, hsts)
		}
		if got := w.Header().Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("https %v: X-Content-Type-Options is %q, want nosniff", https, got)
		}
	}
}

func TestLogLinesNameTheirTrace(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := newLogger(&out, slog.LevelInfo).With(slog.String("part", "test"))
	span := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}})
	log.InfoContext(trace.ContextWithSpanContext(context.Background(), span), "traced")
	log.InfoContext(context.Background(), "plain")
	var lines []map[string]any
	for line := range bytes.Lines(out.Bytes()) {
		var entry map[string]any
		testkit.NoError(t, json.Unmarshal(line, &entry))
		lines = append(lines, entry)
	}
	if lines[0]["trace_id"] != "01000000000000000000000000000000" || lines[0]["span_id"] != "0200000000000000" || lines[0]["part"] != "test" {
		t.Errorf("a traced line is %v", lines[0])
	}
	if _, has := lines[1]["trace_id"]; has {
		t.Errorf("a line without a trace is %v", lines[1])
	}
}

func TestSecurityText(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	now := func() time.Time { return time.Date(2026, 11, 20, 16, 0, 0, 0, time.UTC) }
	securityText("mailto:security@example.com", "https://outreach.example.com", now).ServeHTTP(w,
		httptest.NewRequest(http.MethodGet, "/.well-known/security.txt", nil))
	want := "Contact: mailto:security@example.com\nExpires: 2027-11-19T16:00:00Z\n" +
		"Canonical: https://outreach.example.com/.well-known/security.txt\nPreferred-Languages: en\n"
	testkit.Equal(t, "security.txt", w.Body.String(), want)
}
