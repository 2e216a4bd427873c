// Package session signs people in: passwords (argon2id, RFC 9106) and the cookie
// that carries a session. It knows neither storage nor GraphQL; what it needs of
// them is one small interface.
package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"

	"outreach"
)

// The cost of a password hash: 19 MiB and two passes on one lane, which is OWASP's
// least for argon2id and about 20 ms of one core.
const (
	memoryKiB = 19 * 1024
	passes    = 2
	lanes     = 1
	saltBytes = 16
	keyBytes  = 32
)

// turns bounds the memory that passwords take: that of 8 at once, in a process.
// The others wait for their turn.
var turns = make(chan struct{}, 8)

func derive(password string, salt []byte, passes, memoryKiB uint32, lanes uint8, length uint32) []byte {
	turns <- struct{}{}
	defer func() { <-turns }()
	return argon2.IDKey([]byte(password), salt, passes, memoryKiB, lanes, length)
}

// HashPassword gives the PHC string of a password.
func HashPassword(password string) string {
	salt := make([]byte, saltBytes)
	rand.Read(salt)
	key := derive(password, salt, passes, memoryKiB, lanes, keyBytes)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memoryKiB, passes, lanes,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// CheckPassword reports whether password is the one that hash was made of. It
// takes as long for a hash that is none, so that an unknown user is not told
// from a wrong password by the clock.
func CheckPassword(hash, password string) bool {
	var version int
	var memory, time uint32
	var threads uint8
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		derive(password, make([]byte, saltBytes), passes, memoryKiB, lanes, keyBytes)
		return false
	}
	_, errVersion := fmt.Sscanf(parts[2], "v=%d", &version)
	_, errCost := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &threads)
	salt, errSalt := base64.RawStdEncoding.DecodeString(parts[4])
	want, errKey := base64.RawStdEncoding.DecodeString(parts[5])
	if errors.Join(errVersion, errCost, errSalt, errKey) != nil || version != argon2.Version || time == 0 || threads == 0 {
		return false
	}
	got := derive(password, salt, time, memory, threads, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1
}

// NewPassword makes a password of 120 random bits, to be shown once.
func NewPassword() string { return rand.Text()[:24] }

// Store keeps sessions by the hash of their cookie.
type Store interface {
	StartSession(ctx context.Context, hash [32]byte, v outreach.Viewer, passwordHash string) error
	ViewerBySession(ctx context.Context, hash [32]byte) (*outreach.Viewer, error)
	EndSession(ctx context.Context, hash [32]byte) error
}

// Sessions reads and writes session cookies.
type Sessions struct {
	Store  Store
	Length time.Duration
	// Secure marks cookies for https only; set it when the base URL is https.
	Secure bool
}

// cookieName has the prefix by which browsers keep a cookie to this very host and
// to https: else a page under a neighbouring name could plant one of its own.
func (s *Sessions) cookieName() string {
	if s.Secure {
		return "__Host-outreach_session"
	}
	return "outreach_session"
}

// exchange is a request with the cookie that it came with, empty without one, and
// its answer.
type exchange struct {
	w      http.ResponseWriter
	r      *http.Request
	cookie string
}

// present is the hash under which the session of the request is stored.
func (x exchange) present() [32]byte { return sha256.Sum256([]byte(x.cookie)) }

type exchangeKey struct{}

// Middleware identifies who asks by the cookie, and lets Start and End write one.
// A request without a session goes on with nobody identified.
func (s *Sessions) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := exchange{w: w, r: r}
		if cookie, err := r.Cookie(s.cookieName()); err == nil {
			x.cookie = cookie.Value
		}
		ctx := context.WithValue(r.Context(), exchangeKey{}, x)
		if x.cookie != "" {
			viewer, err := s.Store.ViewerBySession(ctx, x.present())
			if err != nil {
				http.Error(w, "The service cannot look up sessions right now.", http.StatusServiceUnavailable)
				return
			}
			if viewer != nil {
				ctx = outreach.WithActor(ctx, outreach.Actor{WorkspaceID: viewer.WorkspaceID, User: viewer})
			}
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Start begins a session of v, whose password was checked against passwordHash,
// and sets its cookie on the answer. A session that the request came with ends, as
// nobody has its cookie any more.
func (s *Sessions) Start(ctx context.Context, v outreach.Viewer, passwordHash string) error {
	x, ok := ctx.Value(exchangeKey{}).(exchange)
	if !ok {
		return outreach.Errorf(outreach.CodeForbidden, "Signing in needs a browser's session.")
	}
	secret := rand.Text() + rand.Text()
	if err := s.Store.StartSession(ctx, sha256.Sum256([]byte(secret)), v, passwordHash); err != nil {
		return err
	}
	if err := s.forget(ctx, x); err != nil {
		return err
	}
	http.SetCookie(x.w, s.cookie(secret, int(s.Length.Seconds())))
	return nil
}

// End forgets the session of the request and takes its cookie away.
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

// forget ends the session that a request came with, if any.
func (s *Sessions) forget(ctx context.Context, x exchange) error {
	if x.cookie == "" {
		return nil
	}
	return s.Store.EndSession(ctx, x.present())
}

// Present gives the hash of the cookie that a request came with; that of an empty
// one when it came with none.
func Present(ctx context.Context) [32]byte {
	x, _ := ctx.Value(exchangeKey{}).(exchange)
	return x.present()
}

// networkBits is how much of an IPv6 address tells who has it: the rest is for
// everybody at home to choose.
const networkBits = 64

// Client names where a request comes from, for limits on signing in: an IPv4
// address, or the network of an IPv6 address.
func Client(ctx context.Context) string {
	x, ok := ctx.Value(exchangeKey{}).(exchange)
	if !ok {
		return ""
	}
	peer, err := netip.ParseAddrPort(x.r.RemoteAddr)
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
