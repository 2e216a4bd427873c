package tracking

import (
	"context"
	"net/http"
	"strings"
	"unicode/utf8"

	"outreach"
	"outreach/tracking/hit"
)

type letterStore interface {
	Letter(ctx context.Context, message outreach.Ref, host string) (hit.Letter, error)
	Unsubscribe(ctx context.Context, message outreach.Ref, by hit.Visitor) error
}

// askUnsubscribe shows the page with one button and changes nothing: scanners
// follow every link.
func (s *Site) askUnsubscribe(w http.ResponseWriter, r *http.Request) {
	if _, letter, ok := s.letter(w, r); ok {
		s.unsubscribePage(w, r, letter)
	}
}

// unsubscribe acts on a POST, whether the mail program sends it (RFC 8058, section
// 3.2) or the page's button. What the body says does not matter: nobody POSTs to
// this address for another purpose, and a wish must not fail over its form. The
// answer, never a redirect, comes after the commit; a process that dies before it
// has answered nothing, and the next press acts.
func (s *Site) unsubscribe(w http.ResponseWriter, r *http.Request) {
	message, letter, ok := s.letter(w, r)
	if !ok {
		return
	}
	by := s.visitor(r)
	by.Scanner = ""
	err := s.Store.Unsubscribe(r.Context(), message, by)
	if s.found(w, r, false, "unsubscribe", err) {
		letter.Done = true
		s.unsubscribePage(w, r, letter)
	}
}

// letter reads the message behind the token. It serves on any host that leads
// here, so that a wish outlives a change of the domain, but for the domain of
// another workspace.
func (s *Site) letter(w http.ResponseWriter, r *http.Request) (message outreach.Ref, l hit.Letter, ok bool) {
	message, _, _, ok = outreach.OpenLink(s.Keyring, outreach.LinkUnsubscribe, r.PathValue("token"))
	if !ok {
		s.notFound(w, r)
		return message, l, false
	}
	l, err := s.Store.Letter(r.Context(), message, requestHost(r))
	return message, l, s.found(w, r, l.Foreign, "read message", err)
}

// found answers for what is gone, foreign or out of reach, and reports whether the
// page can be shown.
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

// masked shows enough of an address for its owner to know it, and no more to
// somebody who was forwarded the mail.
func masked(address string) string {
	local, domain, ok := strings.Cut(address, "@")
	if !ok || local == "" {
		return address
	}
	_, first := utf8.DecodeRuneInString(local)
	return local[:first] + "…@" + domain
}
