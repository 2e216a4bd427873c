package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"outreach"
	"outreach/rest"
	"outreach/session"
	"outreach/ui"
)

// handler is everything that the role api serves.
func (a *app) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/docs", a.api)
	mux.Handle("/docs/", a.api)
	mux.Handle("/graphql", a.signedIn(limitGraphQL(a.limiter, a.config.GraphQLRate, a.graphql)))
	mux.Handle("/ops/queues", a.signedIn(adminOnly(a.board)))
	mux.Handle("/ops/queues/", a.signedIn(adminOnly(a.board)))
	for _, prefix := range []string{"/t/", "/u/", "/o/"} {
		mux.Handle(prefix, a.signedIn(a.public))
	}
	a.health(mux)
	mux.Handle("/", ui.Handler())
	return behindProxies(a.config.Proxies, a.tracing.requests(a.observe(aside("/api/", a.api, mux))))
}

// aside takes a tree of paths from next as they were sent: a mux answers one
// that is not in its cleanest form with a redirect, where the API knows no path.
func aside(prefix string, handler, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, prefix) {
			handler.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// operations is what a process without the role api serves.
func (a *app) operations() http.Handler {
	mux := http.NewServeMux()
	a.health(mux)
	return mux
}

// adminOnly keeps everybody but instance administrators out.
func adminOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		actor, ok := outreach.ActorFrom(r.Context())
		if !ok || actor.User == nil || !actor.User.Admin || actor.User.TOTPRequired && !actor.User.TOTP {
			http.Error(w, "Only a signed-in instance administrator may see the queues.", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (a *app) health(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		answerJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	mux.HandleFunc("GET /readyz", a.ready)
}

// ready tells, part by part, whether the process can do its work. Redis away
// makes it unready for the load balancer of a worker's jobs, while the API
// answers on. Each part has its own time, so that one that hangs is not taken for
// all.
func (a *app) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
	defer cancel()
	parts := map[string]func(context.Context) error{
		"database":   a.store.Ping,
		"redis":      func(ctx context.Context) error { return a.redis.Ping(ctx).Err() },
		"migrations": a.store.CheckSchema,
	}
	status, words := http.StatusOK, map[string]string{}
	var all sync.WaitGroup
	var mu sync.Mutex
	for part, check := range parts {
		all.Go(func() {
			err := check(ctx)
			mu.Lock()
			defer mu.Unlock()
			words[part] = "ok"
			if err != nil {
				words[part], status = "not ready", http.StatusServiceUnavailable
				a.logger.WarnContext(ctx, "not ready", slog.String("part", part), slog.Any("error", err))
			}
		})
	}
	all.Wait()
	answerJSON(w, status, words)
}

func answerJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may have gone
}

// observe gives each request an id, counts it and logs it.
func (a *app) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		id := rest.RequestID(r.Header.Get("X-Request-Id"))
		r.Header.Set("X-Request-Id", id)
		w.Header().Set("X-Request-Id", id)
		seen := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		about := &request{id: id}
		ctx := outreach.WithClient(context.WithValue(r.Context(), requestKey{}, about), session.ClientOf(r.RemoteAddr))
		next.ServeHTTP(seen, r.WithContext(ctx))
		took := time.Since(started)
		a.requests.observe(r, seen.status, took)
		a.logRequest(r, seen.status, about, slog.Duration("took", took), slog.String("request_id", seen.Header().Get("X-Request-Id")))
	})
}

// logPath leaves the tokens of public links out of the logs, wherever in a path
// they are asked for: //u/ and /x/../u/ lead to /u/.
func logPath(path string) string {
	for _, link := range []string{"/t/c/", "/t/o/", "/u/", "/o/"} {
		if before, token, found := strings.Cut(path, link); found && token != "" {
			return before + link + "…"
		}
	}
	return path
}

// statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader notes the status and passes it on.
func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the writer below.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
