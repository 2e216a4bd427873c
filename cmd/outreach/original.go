package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"github.com/google/uuid"

	"outreach"
	"outreach/rest"
)

// originals serves the original mail of replies, to signed-in users.
func (a *app) originals() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /mail/replies/{id}/attachments/{attachment}", a.attachment)
	mux.HandleFunc("GET /mail/replies/{id}/original", a.original)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		actor, ok := member(r)
		if !ok {
			tellProblem(w, http.StatusUnauthorized, "Sign in first.")
			return
		}
		w.Header().Set("Cache-Control", "private, no-store")
		done, err := a.mails.Begin(actor.WorkspaceID)
		if err != nil {
			a.refuseMail(w, r, err)
			return
		}
		defer done()
		mux.ServeHTTP(w, r)
	})
}

func (a *app) attachment(w http.ResponseWriter, r *http.Request) {
	var file outreach.File
	err := a.ofReply(r, func(ctx context.Context, workspace, reply uuid.UUID) (err error) {
		file, err = a.mails.Attachment(ctx, workspace, reply, r.PathValue("attachment"))
		return err
	})
	if err != nil {
		a.refuseMail(w, r, err)
		return
	}
	rest.SendFile(w, file)
}

func (a *app) original(w http.ResponseWriter, r *http.Request) {
	var page outreach.Original
	err := a.ofReply(r, func(ctx context.Context, workspace, reply uuid.UUID) (err error) {
		page, err = a.mails.Original(ctx, workspace, reply)
		return err
	})
	if err != nil {
		a.refuseMail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"html": page.HTML, "remote": page.Remote})
}

// ofReply calls read with the workspace of the session and the reply of the path.
func (a *app) ofReply(r *http.Request, read func(ctx context.Context, workspace, reply uuid.UUID) error) error {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		return outreach.ErrNotFound
	}
	actor, _ := outreach.ActorFrom(r.Context())
	return read(r.Context(), actor.WorkspaceID, id)
}

// refuseMail answers with a text for the user.
func (a *app) refuseMail(w http.ResponseWriter, r *http.Request, err error) {
	told, ok := errors.AsType[*outreach.Error](err)
	if !ok {
		if r.Context().Err() == nil {
			a.logger.ErrorContext(r.Context(), "mail could not be read again", slog.Any("error", err))
		}
		tellProblem(w, http.StatusServiceUnavailable, "The mail could not be read. Try again later.")
		return
	}
	status := http.StatusUnprocessableEntity
	switch told.Code {
	case outreach.CodeNotFound:
		status = http.StatusNotFound
	case outreach.CodeInvalidState:
		status = http.StatusConflict
	case outreach.CodeRateLimited:
		status = http.StatusTooManyRequests
		w.Header().Set("Retry-After", "5")
	}
	tellProblem(w, status, told.Message)
}

func tellProblem(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"detail": detail})
}
