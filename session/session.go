// Package session signs people in: passwords (argon2id, RFC 9106), one-time codes (RFC 6238) and
// the session cookie. It must not know storage or GraphQL; it uses its store through one small
// interface.
package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"time"
	"unicode/utf8"

	"outreach"
)

// Store keeps sessions by the hash of their cookie.
type Store interface {
	StartSession(ctx context.Context, s outreach.NewSession) error
	// ViewerBySession returns nil for an unknown hash. CodeRateLimited means that the client of the
	// request has sent too many of those.
	ViewerBySession(ctx context.Context, hash [32]byte) (*outreach.Viewer, error)
	EndSession(ctx context.Context, hash [32]byte) error
}

// Sessions reads and writes session cookies.
type Sessions struct {
	Store  Store
	Length time.Duration
	// Secure restricts cookies to https; set it if the base URL is https.
	Secure bool
}

// cookieName returns a name with the prefix that binds a cookie to this host and to https, so that
// another host of the same domain cannot set it.
func (s *Sessions) cookieName() string {
	if s.Secure {
		return "__Host-outreach_session"
	}
	return "outreach_session"
}

// newSecret returns the value of a cookie: 260 random bits.
func newSecret() string { return rand.Text() + rand.Text() }

// isSecret reports whether newSecret can return a text: 52 characters of base 32 (RFC 4648, section
// 6). Any other cookie is ignored, without asking the store.
func isSecret(text string) bool {
	return len(text) == 52 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// exchange is a request, its cookie (empty without one, or with one that newSecret cannot return) and
// its answer.
type exchange struct {
	w      http.ResponseWriter
	r      *http.Request
	cookie string
}

// present returns the hash of the session of the request.
func (x exchange) present() [32]byte { return sha256.Sum256([]byte(x.cookie)) }

type exchangeKey struct{}

// lookupLimit is how long the lookup of a session may take: a database that hangs must not keep the
// requests of all users.
const lookupLimit = 10 * time.Second

// Middleware identifies the user of a request by the cookie, and lets Start and End write one. A
// request without a session continues without a user.
func (s *Sessions) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := exchange{w: w, r: r}
		if cookie, err := r.Cookie(s.cookieName()); err == nil && isSecret(cookie.Value) {
			x.cookie = cookie.Value
		}
		ctx := context.WithValue(r.Context(), exchangeKey{}, x)
		if x.cookie != "" {
			viewer, err := s.lookUp(ctx, x)
			if err != nil {
				refuse(w, err)
				return
			}
			if viewer != nil {
				ctx = outreach.WithActor(ctx, outreach.Actor{WorkspaceID: viewer.WorkspaceID, User: viewer})
			}
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// refuse answers a request whose session was not looked up: the client has sent too many unknown
// cookies, or the store does not answer.
func refuse(w http.ResponseWriter, err error) {
	if told, ok := errors.AsType[*outreach.Error](err); ok && told.Code == outreach.CodeRateLimited {
		w.Header().Set("Retry-After", "60")
		http.Error(w, told.Message, http.StatusTooManyRequests)
		return
	}
	w.Header().Set("Retry-After", "5")
	http.Error(w, "The service cannot look up sessions right now.", http.StatusServiceUnavailable)
}

// lookUp returns the user of a session, or an error after lookupLimit.
func (s *Sessions) lookUp(ctx context.Context, x exchange) (*outreach.Viewer, error) {
	ctx, cancel := context.WithTimeout(ctx, lookupLimit)
	defer cancel()
	return s.Store.ViewerBySession(ctx, x.present())
}

// Viewer returns the user of the request's session, as stored now; nil once the session has ended.
func (s *Sessions) Viewer(ctx context.Context) (*outreach.Viewer, error) {
	x, ok := ctx.Value(exchangeKey{}).(exchange)
	if !ok || x.cookie == "" {
		return nil, nil
	}
	return s.lookUp(ctx, x)
}

// Start begins a session of v, whose password was checked against passwordHash, and sets its
// cookie. It ends the request's previous session, whose cookie is overwritten.
func (s *Sessions) Start(ctx context.Context, v outreach.Viewer, passwordHash string) error {
	x, ok := ctx.Value(exchangeKey{}).(exchange)
	if !ok {
		return outreach.Errorf(outreach.CodeForbidden, "Only a browser can sign in.")
	}
	secret := newSecret()
	started := outreach.NewSession{
		Hash: sha256.Sum256([]byte(secret)), User: v.ID, Workspace: v.WorkspaceID, PasswordHash: passwordHash,
		Client: nonEmpty(Client(ctx)), Agent: nonEmpty(shortened(x.r.UserAgent())),
	}
	if err := s.Store.StartSession(ctx, started); err != nil {
		return err
	}
	if err := s.forget(ctx, x); err != nil {
		return err
	}
	http.SetCookie(x.w, s.cookie(secret, int(s.Length.Seconds())))
	return nil
}

func nonEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// maxAgent is the stored length of a User-Agent header, in bytes.
const maxAgent = 300

// shortened returns text as valid UTF-8 without control characters, cut to maxAgent.
func shortened(text string) string {
	var kept []byte
	for _, r := range text {
		if len(kept)+utf8.RuneLen(r) > maxAgent {
			break
		}
		if r >= ' ' {
			kept = utf8.AppendRune(kept, r)
		}
	}
	return string(kept)
}

// End ends the session of the request and removes its cookie.
func (s *Sessions) End(ctx context.Context) error {
	x, ok := ctx.Value(exchangeKey{}).(exchange)
	if !ok {
		return nil
	}
	if err := s.forget(ctx, x); err != nil {
		return err
	}
	http.SetCookie(x.w, s.cookie("", -1))
	return nil
}

// forget ends the session of a request, if any.
func (s *Sessions) forget(ctx context.Context, x exchange) error {
	if x.cookie == "" {
		return nil
	}
	return s.Store.EndSession(ctx, x.present())
}

// Present returns the hash of the request's cookie; without a cookie, the hash of an empty text.
func Present(ctx context.Context) [32]byte {
	x, _ := ctx.Value(exchangeKey{}).(exchange)
	return x.present()
}

// networkBits is the part of an IPv6 address that identifies a client: the owner can choose the
// rest.
const networkBits = 64

// Client returns the client of a request, for limits on signing in and for lists of sessions: an
// IPv4 address, or the network of an IPv6 address.
func Client(ctx context.Context) string {
	if x, ok := ctx.Value(exchangeKey{}).(exchange); ok {
		return ClientOf(x.r.RemoteAddr)
	}
	return ""
}

// ClientOf returns the client of a remote address, host:port.
func ClientOf(remote string) string {
	peer, err := netip.ParseAddrPort(remote)
	if err != nil {
		return ""
	}
	address := peer.Addr().Unmap().WithZone("")
	if address.Is6() {
		return netip.PrefixFrom(address, networkBits).Masked().String()
	}
	return address.String()
}

func (s *Sessions) cookie(value string, maxAge int) *http.Cookie {
	return &http.Cookie{Name: s.cookieName(), Value: value, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: s.Secure, SameSite: http.SameSiteLaxMode}
}
