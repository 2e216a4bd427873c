package main

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"net/http"

	"github.com/google/uuid"

	"outreach"
	"outreach/rest"
)

// request holds the logged values of a request. The handler that identifies the workspace sets it,
// in the goroutine of the request.
type request struct {
	id        string
	workspace uuid.UUID
}

type requestKey struct{}

func requestID(ctx context.Context) string {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r.id
	}
	return ""
}

func noteWorkspace(ctx context.Context, workspace uuid.UUID) {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		r.workspace = workspace
	}
}

// logRequest writes one line: at level error if the service failed, debug for probes of a load
// balancer.
func (a *app) logRequest(r *http.Request, status int, about *request, attrs ...slog.Attr) {
	level := slog.LevelInfo
	switch {
	case r.URL.Path == "/healthz" || r.URL.Path == "/readyz" && status == http.StatusOK:
		level = slog.LevelDebug
	case status >= 500:
		level = slog.LevelError
	}
	attrs = append(attrs, slog.String("method", methodOf(r.Method)), slog.String("path", logPath(r.URL.Path)), slog.Int("status", status))
	if about.workspace != uuid.Nil {
		attrs = append(attrs, slog.String("workspace_id", about.workspace.String()))
	}
	a.logger.LogAttrs(r.Context(), level, "request", attrs...)
}

// tokens notes the workspace of a request's token.
type tokens struct{ rest.Tokens }

// WorkspaceByToken asks the store and notes the workspace.
func (t tokens) WorkspaceByToken(ctx context.Context, hash [sha256.Size]byte) (uuid.UUID, []byte, error) {
	workspace, stored, err := t.Tokens.WorkspaceByToken(ctx, hash)
	if err == nil {
		noteWorkspace(ctx, workspace)
	}
	return workspace, stored, err
}

// member returns the signed-in user of a request with the workspace. It reports false without one, and
// for a user who lacks the second factor that the workspace requires.
func member(r *http.Request) (outreach.Actor, bool) {
	actor, ok := outreach.ActorFrom(r.Context())
	return actor, ok && actor.User != nil && !actor.User.LacksFactor()
}

// signedIn identifies the user by the session cookie and notes the workspace.
func (a *app) signedIn(next http.Handler) http.Handler {
	return a.sessions.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if actor, ok := outreach.ActorFrom(r.Context()); ok {
			noteWorkspace(r.Context(), actor.WorkspaceID)
		}
		next.ServeHTTP(w, r)
	}))
}
