package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"outreach/internal/sparselog"
)

// readyTimeout limits each part of a readiness check.
const readyTimeout = 3 * time.Second

func (a *app) health(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		answerJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	mux.HandleFunc("GET /readyz", a.ready(&readyCheck{parts: a.parts(), away: a.away}))
}

// ready answers whether a load balancer may send requests to this process, and reports each part. A
// process that shuts down is not ready.
func (a *app) ready(parts *readyCheck) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if a.leaving.Load() {
			answerJSON(w, http.StatusServiceUnavailable, map[string]string{"status": "shutting down"})
			return
		}
		status, report := parts.check(r.Context())
		answerJSON(w, status, report)
	}
}

// part is one dependency of the process.
type part struct {
	name     string
	check    func(context.Context) error
	required bool // the process is unready without it
}

// parts returns the dependencies that readiness checks. Redis is required only if worker is the
// process's only role: the API works without it.
func (a *app) parts() []part {
	return []part{
		{"database", a.store.Ping, true},
		{"migrations", a.store.CheckSchema, true},
		{"sending", a.sending, false},
		{"redis", func(ctx context.Context) error { return a.redis.Ping(ctx).Err() }, !slices.Contains(a.opts.roles, "api")},
	}
}

// readyAge is how long the result of a check is used: each costs queries, and a stranger may ask.
const readyAge = time.Second

// readyCheck checks the parts of a process for all requests within readyAge.
type readyCheck struct {
	parts []part
	away  *sparselog.Logger

	mu     sync.Mutex
	at     time.Time // of the last check
	status int
	report map[string]string // by name of the part
}

// check returns the status of the last check and what it found, after a new check if that is due. It
// does not end with the request that began it, because others get its result.
func (r *readyCheck) check(ctx context.Context) (status int, report map[string]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.report == nil || time.Since(r.at) >= readyAge {
		r.status, r.report = r.checkAll(context.WithoutCancel(ctx))
		r.at = time.Now()
	}
	return r.status, r.report
}

// checkAll checks the parts in parallel, so that one that hangs does not hide the others.
func (r *readyCheck) checkAll(ctx context.Context) (status int, report map[string]string) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	status, report = http.StatusOK, map[string]string{}
	var checks sync.WaitGroup
	var mu sync.Mutex
	for _, p := range r.parts {
		checks.Go(func() {
			err := p.check(ctx)
			mu.Lock()
			defer mu.Unlock()
			report[p.name] = "ok"
			if err == nil {
				return
			}
			report[p.name] = "not ready"
			if off, ok := errors.AsType[errSendingOff](err); ok {
				report[p.name] = off.Error()
			}
			if p.required {
				status = http.StatusServiceUnavailable
			}
			r.away.Warn(ctx, p.name, "a part is not ready", slog.String("part", p.name), slog.Any("error", err))
		})
	}
	checks.Wait()
	return status, report
}

func answerJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may have closed the connection
}
