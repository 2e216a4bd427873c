package oauth

import (
	"crypto/sha256"
	"crypto/subtle"
	_ "embed"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/plainpage"
)

//go:embed pages/page.html
var pageSource string

var pages = plainpage.Parse(pageSource)

// policy allows a page its form, which continues at a provider.
func policy(provider string) string {
	return plainpage.Policy(strings.TrimSpace("form-action 'self' " + provider))
}

// page is the data of a template.
type page struct {
	Title, Text, Button, Note string
	Back                      bool
}

// Handler serves the pages.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+StartPath+"{secret}", s.open)
	mux.HandleFunc("POST "+StartPath+"{secret}", s.agree)
	mux.HandleFunc("GET "+CallbackPath, s.callback)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { s.show(w, http.StatusNotFound, unknownLink) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "private, no-store")
		h.Set("Content-Security-Policy", policy(""))
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Robots-Tag", "noindex, nofollow")
		mux.ServeHTTP(w, r)
	})
}

var (
	unknownLink = page{Title: "This link cannot be used", Text: "It was used before, its ten minutes are over, or it is not complete.",
		Note: "Begin again where you got the link."}
	unknownAnswer = page{Title: "This answer cannot be used", Text: "It was used before, or it belongs to no connection that was begun here.",
		Note: "Begin again where you wanted to connect the mailbox."}
	// Microsoft sends an administrator here who has approved the client without a connection.
	approved = page{Title: "The application is approved", Text: "Mailboxes of the directory can be connected now.",
		Note: "Begin where you want to connect the mailbox."}
	otherBrowser = page{Title: "This is another browser", Text: "The connection was begun in another browser, or this one keeps no cookies.",
		Note: "Begin again in this browser."}
	busy = page{Title: "Try again in a moment", Text: "The service is not available right now.", Note: "Load this page again."}
)

func (s *Service) show(w http.ResponseWriter, status int, p page) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_ = pages.ExecuteTemplate(w, "page", p) // the visitor may have closed the connection
}

// find returns the attempt of a link, or answers the request if there is none.
func (s *Service) find(w http.ResponseWriter, r *http.Request) (a outreach.Authorization, ok bool) {
	a, err := s.Store.ConnectionBySecret(r.Context(), sha256.Sum256([]byte(r.PathValue("secret"))))
	return a, s.known(w, r, err, unknownLink)
}

func (s *Service) known(w http.ResponseWriter, r *http.Request, err error, unknown page) bool {
	switch {
	case err == nil:
		return true
	case outreach.CodeOf(err) == outreach.CodeNotFound:
		s.show(w, http.StatusBadRequest, unknown)
	default:
		s.Logger.ErrorContext(r.Context(), "connection could not be read", slog.Any("error", err))
		s.show(w, http.StatusServiceUnavailable, busy)
	}
	return false
}

// open redirects the session that began an attempt at once, and asks every other visitor: the
// sender of the link may want access to another person's mailbox.
func (s *Service) open(w http.ResponseWriter, r *http.Request) {
	a, ok := s.find(w, r)
	if !ok {
		return
	}
	if viewer := viewerOf(r, a); viewer != nil && a.SessionID != nil && viewer.SessionID == *a.SessionID {
		s.lead(w, r, a)
		return
	}
	w.Header().Set("Content-Security-Policy", policy(s.authorizeOrigin(r, a)))
	question := page{Title: "Connect your mailbox to " + a.WorkspaceName + "?", Button: "Continue to " + a.Provider.Name(),
		Text: a.WorkspaceName + " will send mail from your " + a.Provider.Name() + " account and read what arrives in it.",
		Note: "If you did not expect this, close this page: nothing has happened."}
	if account := accountOf(a); account != "" {
		question.Text = a.WorkspaceName + " will send mail from " + account + " and read what arrives there."
	}
	s.show(w, http.StatusOK, question)
}

// authorizeOrigin returns the origin to which the form of the question leads, for the policy of
// the page; empty while the provider is unavailable.
func (s *Service) authorizeOrigin(r *http.Request, a outreach.Authorization) string {
	client, err := s.client(r.Context(), a.WorkspaceID, a.Provider)
	if err != nil {
		return ""
	}
	found, err := s.discover(r.Context(), client)
	if err != nil {
		return ""
	}
	u, err := url.Parse(found.provider.Endpoint().AuthURL)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// agree handles the button of the question. A form of another site cannot submit it.
func (s *Service) agree(w http.ResponseWriter, r *http.Request) {
	if err := new(http.CrossOriginProtection).Check(r); err != nil {
		s.show(w, http.StatusForbidden, unknownLink)
		return
	}
	if a, ok := s.find(w, r); ok {
		s.lead(w, r, a)
	}
}

// lead uses up the link and redirects the browser to the provider.
func (s *Service) lead(w http.ResponseWriter, r *http.Request, a outreach.Authorization) {
	address, value, err := s.start(r.Context(), a)
	if refused, ok := errors.AsType[*outreach.Error](err); ok && refused.Code == outreach.CodePrecondition {
		s.show(w, http.StatusConflict, page{Title: "The mailbox cannot be connected", Text: refused.Message, Back: true})
		return
	}
	if err != nil && outreach.CodeOf(err) == outreach.CodeInternal {
		s.Logger.WarnContext(r.Context(), "provider does not answer", slog.String("provider", string(a.Provider)),
			slog.String("answer", codeOf(err)))
		s.show(w, http.StatusServiceUnavailable, busy)
		return
	}
	if !s.known(w, r, err, unknownLink) {
		return
	}
	http.SetCookie(w, s.cookie(a.ID, value, int(outreach.ConnectionLength.Seconds())))
	http.Redirect(w, r, address, http.StatusSeeOther)
}

// callback handles a provider's answer, once, from the browser that was sent there.
func (s *Service) callback(w http.ResponseWriter, r *http.Request) {
	answer := r.URL.Query()
	if answer.Get("admin_consent") == "True" && !answer.Has("state") && !answer.Has("error") {
		s.show(w, http.StatusOK, approved)
		return
	}
	a, err := s.Store.ConnectionByState(r.Context(), sha256.Sum256([]byte(answer.Get("state"))))
	if !s.known(w, r, err, unknownAnswer) {
		return
	}
	// An answer in another browser changes nothing: a person who has learnt the state of an attempt
	// cannot end it.
	cookie, err := r.Cookie(s.cookieName(a.ID))
	if err != nil || !matches(cookie.Value, a.Browser) {
		s.show(w, http.StatusBadRequest, otherBrowser)
		return
	}
	if !s.known(w, r, s.Store.TakeConnection(r.Context(), a.WorkspaceID, a.ID), unknownAnswer) {
		return
	}
	http.SetCookie(w, s.cookie(a.ID, "", -1))
	box, err := s.finish(audited(r, a), a, answer)
	if err != nil {
		s.show(w, http.StatusUnprocessableEntity,
			page{Title: "The mailbox is not connected", Text: s.fail(r.Context(), a, err), Back: viewerOf(r, a) != nil})
		return
	}
	if viewerOf(r, a) != nil {
		http.Redirect(w, r, s.BaseURL+"/mailboxes/"+box.ID.String(), http.StatusSeeOther)
		return
	}
	s.show(w, http.StatusOK,
		page{Title: "The mailbox is connected", Text: box.Email + " is connected to " + a.WorkspaceName + ".", Note: "You can close this page."})
}

func matches(cookie string, browser []byte) bool {
	sum := sha256.Sum256([]byte(cookie))
	return subtle.ConstantTimeCompare(sum[:], browser) == 1
}

func (s *Service) secure() bool { return strings.HasPrefix(s.BaseURL, "https://") }

// cookieName returns the cookie's name for one attempt, so that two attempts in one browser do not
// interfere. Its prefix prevents other hosts of the domain from setting it.
func (s *Service) cookieName(attempt uuid.UUID) string {
	name := "outreach_oauth_" + attempt.String()
	if s.secure() {
		return "__Host-" + name
	}
	return name
}

func (s *Service) cookie(attempt uuid.UUID, value string, maxAge int) *http.Cookie {
	return &http.Cookie{Name: s.cookieName(attempt), Value: value, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: s.secure(), SameSite: http.SameSiteLaxMode}
}
