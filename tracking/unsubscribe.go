package tracking

import (
	"context"
	"net/http"
	"strings"
	"unicode/utf8"

	"outreach"
	"outreach/tracking/hit"
)

type unsubscribeStore interface {
	UnsubscribePage(ctx context.Context, message outreach.Ref, host string) (hit.UnsubscribePage, error)
	Unsubscribe(ctx context.Context, message outreach.Ref, by hit.Visitor) error
}

// askUnsubscribe shows a page with one button and changes nothing, because scanners follow every
// link.
func (s *Site) askUnsubscribe(w http.ResponseWriter, r *http.Request) {
	if _, shown, ok := s.readMessage(w, r); ok {
		s.unsubscribePage(w, r, shown)
	}
}

// unsubscribe handles a POST from a mail program (RFC 8058, section 3.2) or from the page's
// button. It ignores the body: a POST to this address has no other purpose, and an unsubscribe
// must not fail because of its form. The answer, never a redirect, is sent after the commit. If
// the process dies before it, nothing was answered, and the next attempt succeeds.
func (s *Site) unsubscribe(w http.ResponseWriter, r *http.Request) {
	message, shown, ok := s.readMessage(w, r)
	if !ok {
		return
	}
	by := s.visitor(r)
	by.Scanner = ""
	err := s.Store.Unsubscribe(r.Context(), message, by)
	if s.found(w, r, false, "unsubscribe", err) {
		shown.Done = true
		s.unsubscribePage(w, r, shown)
	}
}

// readMessage returns the message of the token and the data of its page. It works on every host of
// the service, so that people can unsubscribe after a change of the domain, except on the tracking
// domain of another workspace.
func (s *Site) readMessage(w http.ResponseWriter, r *http.Request) (message outreach.Ref, l hit.UnsubscribePage, ok bool) {
	message, _, _, ok = outreach.OpenLink(s.Keyring, outreach.LinkUnsubscribe, r.PathValue("token"))
	if !ok {
		s.notFound(w, r)
		return message, l, false
	}
	l, err := s.Store.UnsubscribePage(r.Context(), message, requestHost(r))
	return message, l, s.found(w, r, l.Foreign, "read message", err)
}

// found answers the request if the message is unknown, of another workspace or cannot be read, and
// reports whether the page can be shown.
func (s *Site) found(w http.ResponseWriter, r *http.Request, foreign bool, doing string, err error) bool {
	switch {
	case outreach.CodeOf(err) == outreach.CodeNotFound, foreign && requestHost(r) != s.baseHost:
		s.notFound(w, r)
		return false
	case err != nil:
		s.busy(w, r, doing, err)
		return false
	}
	return true
}

// masked returns an address of which its owner recognises enough, and a person who got the mail
// forwarded does not learn the rest.
func masked(address string) string {
	local, domain, ok := strings.Cut(address, "@")
	if !ok || local == "" {
		return address
	}
	_, first := utf8.DecodeRuneInString(local)
	return local[:first] + "…@" + domain
}
