package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"outreach"
	"outreach/internal/panics"
	"outreach/rest"
	"outreach/session"
	"outreach/ui"
)

// handler returns everything that the role api serves.
func (a *app) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/docs", a.api)
	mux.Handle("/docs/", a.api)
	mux.Handle("/graphql", a.signedIn(limitGraphQL(a.limiter, a.config.GraphQLRate, limitGraphQLBodies(a.graphql))))
	mux.Handle("GET "+livePath, a.signedIn(http.HandlerFunc(a.news)))
	mux.Handle("/mail/", a.signedIn(a.originals()))
	mux.Handle("/oauth/", a.signedIn(limitPages(a.limiter, a.oauth.Handler())))
	mux.Handle("/ops/queues", a.signedIn(adminOnly(a.board)))
	mux.Handle("/ops/queues/", a.signedIn(adminOnly(a.board)))
	links := http.NewServeMux() // all paths that the tracking hosts of customers serve
	for _, prefix := range []string{"/t/", "/u/", "/o/"} {
		mux.Handle(prefix, a.signedIn(a.public))
		links.Handle(prefix, a.public)
	}
	a.health(mux)
	if a.config.Contact != "" {
		mux.Handle("GET /.well-known/security.txt", securityText(string(a.config.Contact), string(a.config.BaseURL), time.Now))
	}
	mux.Handle("/", pages(ui.Handler()))
	served := a.trackingHosts(links, aside("/api/", a.api, mux))
	return behindProxies(a.config.Proxies, securityHeaders(a.config.BaseURL.secure(), a.tracing.requests(a.observe(served))))
}

// ownNames are the first elements of the service's own paths.
var ownNames = []string{".well-known", "api", "docs", "graphql", "healthz", "live", "mail", "metrics", "o", "oauth", "ops",
	"readyz", "t", "u"}

// pages serves the application, whose page opens at any path, but answers 404 for the paths that begin
// like the service's own and are not among them. A page with status 200 would tell a probe of /readyz/
// that all is well.
func pages(application http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if (r.Method == http.MethodGet || r.Method == http.MethodHead) && slices.Contains(ownNames, strings.ToLower(first)) {
			http.NotFound(w, r)
			return
		}
		application.ServeHTTP(w, r)
	})
}

// aside serves the paths below prefix with handler, without cleaning them: a mux would redirect a
// path that is not clean, while the API answers 404.
func aside(prefix string, handler, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, prefix) {
			handler.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// operations returns what a process without the role api serves.
func (a *app) operations() http.Handler {
	mux := http.NewServeMux()
	a.health(mux)
	return securityHeaders(false, mux)
}

// adminOnly allows only instance administrators.
func adminOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if actor, ok := member(r); !ok || !actor.User.Admin {
			http.Error(w, "Only a signed-in instance administrator may see the queues.", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// observe adds an id to each request, counts it and logs it.
func (a *app) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		id := rest.RequestID(r.Header.Get("X-Request-Id"))
		r.Header.Set("X-Request-Id", id)
		w.Header().Set("X-Request-Id", id)
		seen := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		about := &request{id: id}
		ctx := outreach.WithClient(context.WithValue(r.Context(), requestKey{}, about), session.ClientOf(r.RemoteAddr))
		panicked := a.panics(next, seen, r.WithContext(ctx))
		took := time.Since(started)
		if r.URL.Path != livePath { // a stream lasts as long as its page
			a.requests.observe(r, seen.status, took)
		}
		a.logRequest(r, seen.status, about, slog.Float64("took_ms", float64(took.Microseconds())/1000),
			slog.String("request_id", seen.Header().Get("X-Request-Id")))
		if panicked {
			panic(http.ErrAbortHandler) // closes the connection
		}
	})
}

// panics calls a handler, and reports whether it panicked. It logs the panic, because net/http would
// log its text, which may hold a secret.
func (a *app) panics(next http.Handler, w *statusWriter, r *http.Request) (panicked bool) {
	defer func() {
		value := recover()
		panicked = value != nil
		if err, _ := value.(error); !panicked || errors.Is(err, http.ErrAbortHandler) {
			return
		}
		w.status = http.StatusInternalServerError
		a.logger.ErrorContext(r.Context(), "handler panicked", slog.String("request_id", requestID(r.Context())),
			slog.String("panic", panics.Text(value)), slog.String("stack", string(debug.Stack())))
	}()
	next.ServeHTTP(w, r)
	return false
}

// logPath removes the tokens of public links from logged paths, in any spelling: //u/ and /x/../u/
// are also /u/. Of a long element of any other path it keeps the beginning: it may be a token that
// a client put in the wrong place.
func logPath(path string) string {
	for _, link := range []string{"/oauth/start/", "/t/c/", "/t/o/", "/u/", "/o/"} {
		if before, token, found := strings.Cut(path, link); found && token != "" {
			return shortened(before) + link + "…"
		}
	}
	return shortened(path)
}

func shortened(path string) string {
	if len(path) <= longestID {
		return path
	}
	elements := strings.Split(path, "/")
	for i, element := range elements {
		if len(element) > longestID {
			elements[i] = element[:rest.TokenVisible] + "…"
		}
	}
	shown := strings.Join(elements, "/")
	if len(shown) > longestPath {
		return strings.ToValidUTF8(shown[:longestPath], "") + "…"
	}
	return shown
}

// longestID is the length of a UUID, the longest element of a path apart from tokens.
const longestID = 36

// longestPath is more than the longest path of the service, without tokens. The rest of a path, which
// may have 64 KiB, is not logged.
const longestPath = 300

// statusWriter remembers the status of a response.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader notes the status and passes it on.
func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
