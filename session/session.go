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
	"net"
	"net/http"
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

// HashPassword gives the PHC string of a password.
func HashPassword(password string) string {
	salt := make([]byte, saltBytes)
	rand.Read(salt)
	key := argon2.IDKey([]byte(password), salt, passes, memoryKiB, lanes, keyBytes)
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
		argon2.IDKey([]byte(password), make([]byte, saltBytes), passes, memoryKiB, lanes, keyBytes)
		return false
	}
	_, errVersion := fmt.Sscanf(parts[2], "v=%d", &version)
	_, errCost := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &threads)
	salt, errSalt := base64.RawStdEncoding.DecodeString(parts[4])
	want, errKey := base64.RawStdEncoding.DecodeString(parts[5])
	if errors.Join(errVersion, errCost, errSalt, errKey) != nil || version != argon2.Version || time == 0 || threads == 0 {
		return false
	}
	got := argon2.IDKey([]byte(password), salt, time, memory, threads, uint32(len(want)))
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

const cookieName = "outreach_session"

type exchange struct {
	w http.ResponseWriter
	r *http.Request
}

type exchangeKey struct{}

// Middleware identifies who asks by the cookie, and lets Start and End write one.
// A request without a session goes on with nobody identified.
func (s *Sessions) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := context.WithValue(r.Context(), exchangeKey{}, exchange{w, r})
		if cookie, err := r.Cookie(cookieName); err == nil {
			viewer, err := s.Store.ViewerBySession(ctx, sha256.Sum256([]byte(cookie.Value)))
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
// and sets its cookie on the answer.
func (s *Sessions) Start(ctx context.Context, v outreach.Viewer, passwordHash string) error {
	x, ok := ctx.Value(exchangeKey{}).(exchange)
	if !ok {
		return outreach.Errorf(outreach.CodeForbidden, "Signing in needs a browser's session.")
	}
	secret := rand.Text() + rand.Text()
	if err := s.Store.StartSession(ctx, sha256.Sum256([]byte(secret)), v, passwordHash); err != nil {
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
	if cookie, err := x.r.Cookie(cookieName); err == nil {
		if err := s.Store.EndSession(ctx, sha256.Sum256([]byte(cookie.Value))); err != nil {
			return err
		}
	}
	http.SetCookie(x.w, s.cookie("", -1))
	return nil
}

// Present gives the hash of the cookie that a request came with; that of an empty
// one when it came with none.
func Present(ctx context.Context) [32]byte {
	var value string
	if x, ok := ctx.Value(exchangeKey{}).(exchange); ok {
		if cookie, err := x.r.Cookie(cookieName); err == nil {
			value = cookie.Value
		}
	}
	return sha256.Sum256([]byte(value))
}

// Client names where a request comes from, for limits on signing in.
func Client(ctx context.Context) string {
	if x, ok := ctx.Value(exchangeKey{}).(exchange); ok {
		host, _, _ := net.SplitHostPort(x.r.RemoteAddr)
		return host
	}
	return ""
}

func (s *Sessions) cookie(value string, maxAge int) *http.Cookie {
	return &http.Cookie{Name: cookieName, Value: value, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: s.Secure, SameSite: http.SameSiteLaxMode}
}
