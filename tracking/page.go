package tracking

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"strings"
	"unicode/utf8"

	"outreach/internal/plainpage"
	"outreach/tracking/hit"
)

//go:embed pages/page.html
var pageSource string

var pages = plainpage.Parse(pageSource)

// A page has one form, which comes back here. An offer may also show images from other hosts.
var (
	policy      = plainpage.Policy("img-src 'self' data:", "form-action 'self'")
	offerPolicy = plainpage.Policy("img-src 'self' https:", "form-action 'self'")
)

// page is the data of a template.
type page struct {
	Lang, Title, Button, Note string
	Text, Address, After      string // one sentence, with or without an address in it
	Whole                     bool   // the address is short enough for one line
	Body                      template.HTML
}

func (s *Site) unsubscribePage(w http.ResponseWriter, r *http.Request, l hit.UnsubscribePage) {
	t, name := wordsFor(r), "ask"
	p := page{Lang: t.lang, Title: t.askTitle, Text: t.askText, Button: t.askButton, Note: t.askNote}
	if l.Done {
		name, p = "done", page{Lang: t.lang, Title: t.doneTitle, Text: t.doneText, Note: t.doneNote}
	}
	p.Text, p.After, _ = strings.Cut(p.Text, "%s")
	p.Address = masked(l.Recipient)
	p.Whole = utf8.RuneCountInString(p.Address) <= 30
	s.show(w, r, http.StatusOK, name, p)
}

// offerPage shows sanitised HTML. Its language is unknown.
func (s *Site) offerPage(w http.ResponseWriter, r *http.Request, title, safe string) {
	w.Header().Set("Content-Security-Policy", offerPolicy)
	s.show(w, r, http.StatusOK, "offer", page{Title: title, Body: template.HTML(safe)}) //nolint:gosec // sanitised when it was stored
}

// notFound answers links that are invalid, of another workspace, or whose target was deleted.
func (s *Site) notFound(w http.ResponseWriter, r *http.Request) {
	t := wordsFor(r)
	s.show(w, r, http.StatusNotFound, "notice", page{Lang: t.lang, Title: t.missingTitle, Text: t.missingText})
}

// busy asks the visitor to try again. It logs the error, unless the visitor closed the connection.
func (s *Site) busy(w http.ResponseWriter, r *http.Request, doing string, err error) {
	if !errors.Is(err, context.Canceled) {
		s.Logger.LogAttrs(r.Context(), slog.LevelError, "public page failed", slog.String("doing", doing), slog.Any("error", err))
	}
	t := wordsFor(r)
	w.Header().Set("Retry-After", "5")
	s.show(w, r, http.StatusServiceUnavailable, "notice", page{Lang: t.lang, Title: t.busyTitle, Text: t.busyText})
}

func (s *Site) show(w http.ResponseWriter, r *http.Request, status int, name string, p page) {
	var out bytes.Buffer
	if err := pages.ExecuteTemplate(&out, name, p); err != nil {
		s.Logger.LogAttrs(r.Context(), slog.LevelError, "page could not be written", slog.String("page", name), slog.Any("error", err))
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Vary", "Accept-Language")
	w.WriteHeader(status)
	_, _ = out.WriteTo(w) // the visitor may have closed the connection
}
