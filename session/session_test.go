package session_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/session"
)

func TestPasswords(t *testing.T) {
	t.Parallel()
	password := session.NewPassword()
	hash := session.HashPassword(password)
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") || strings.Contains(hash, password) {
		t.Errorf("the hash is %s", hash)
	}
	if session.HashPassword(password) == hash {
		t.Error("two hashes of one password are the same: there is no salt")
	}
	if !session.CheckPassword(hash, password) {
		t.Error("the password is refused")
	}
	for _, wrong := range []string{"", password + "x", password[1:]} {
		if session.CheckPassword(hash, wrong) {
			t.Errorf("%q is accepted", wrong)
		}
	}
	for _, broken := range []string{"", "x", "$argon2id$v=19$m=19456,t=0,p=1$AAAA$AAAA", "$argon2id$$$AAAA$AAAA",
		"$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA", hash[:len(hash)-4]} {
		if session.CheckPassword(broken, password) {
			t.Errorf("a password fits the broken hash %q", broken)
		}
	}
}

// memory keeps sessions as storage does.
type memory struct {
	viewers map[[32]byte]outreach.Viewer
	last    outreach.NewSession
	err     error
	asked   int // for sessions
}

func (m *memory) StartSession(_ context.Context, s outreach.NewSession) error {
	m.viewers[s.Hash] = outreach.Viewer{ID: s.User, WorkspaceID: s.Workspace}
	m.last = s
	return nil
}

func (m *memory) ViewerBySession(_ context.Context, hash [32]byte) (*outreach.Viewer, error) {
	m.asked++
	if m.err != nil {
		return nil, m.err
	}
	if v, ok := m.viewers[hash]; ok {
		return &v, nil
	}
	return nil, nil
}

func (m *memory) EndSession(_ context.Context, hash [32]byte) error {
	delete(m.viewers, hash)
	return nil
}

func TestCookie(t *testing.T) {
	t.Parallel()
	store := &memory{viewers: map[[32]byte]outreach.Viewer{}}
	sessions := &session.Sessions{Store: store, Length: time.Hour, Secure: true}
	ann := outreach.Viewer{ID: uuid.New(), WorkspaceID: uuid.New()}
	var seen *outreach.Viewer
	handler := sessions.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		actor, _ := outreach.ActorFrom(r.Context())
		seen = actor.User
		switch r.URL.Path {
		case "/in":
			if err := sessions.Start(r.Context(), ann, "hash"); err != nil {
				t.Error(err)
			}
		case "/out":
			if err := sessions.End(r.Context()); err != nil {
				t.Error(err)
			}
		}
	}))
	ask := func(path string, cookies ...*http.Cookie) *http.Response {
		seen = nil
		request := httptest.NewRequest(http.MethodPost, path, nil)
		request.Header.Set("User-Agent", "Fire\x01fox \xff"+strings.Repeat("é", 400))
		for _, cookie := range cookies {
			request.AddCookie(cookie)
		}
		recorded := httptest.NewRecorder()
		handler.ServeHTTP(recorded, request)
		return recorded.Result()
	}

	cookie := ask("/in").Cookies()[0]
	if !cookie.HttpOnly || !cookie.Secure || cookie.SameSite != http.SameSiteLaxMode || cookie.MaxAge != 3600 || cookie.Path != "/" {
		t.Errorf("the cookie is %s", cookie)
	}
	if client, agent := *store.last.Client, *store.last.Agent; client != "192.0.2.1" ||
		!strings.HasPrefix(agent, "Firefox \ufffdéé") || len(agent) > 300 {
		t.Errorf("the session is from %q, %q", client, agent)
	}
	if ask("/", cookie); seen == nil || seen.ID != ann.ID {
		t.Errorf("the cookie identifies %v", seen)
	}
	if ask("/", &http.Cookie{Name: cookie.Name, Value: cookie.Value + "x"}); seen != nil {
		t.Errorf("a wrong cookie identifies %v", seen)
	}
	if !strings.HasPrefix(cookie.Name, "__Host-") {
		t.Errorf("over https the cookie is named %s", cookie.Name)
	}
	again := ask("/in", cookie).Cookies()[0]
	if ask("/", cookie); seen != nil || again.Value == cookie.Value {
		t.Errorf("after signing in anew the old cookie identifies %v", seen)
	}
	cookie = again
	if gone := ask("/out", cookie).Cookies()[0]; gone.MaxAge >= 0 {
		t.Errorf("signing out leaves the cookie %s", gone)
	}
	if ask("/", cookie); seen != nil {
		t.Errorf("after signing out the cookie identifies %v", seen)
	}
	for status, err := range map[int]error{
		http.StatusServiceUnavailable: errors.New("away"),
		http.StatusTooManyRequests:    outreach.Errorf(outreach.CodeRateLimited, "Too many."),
	} {
		store.err = err
		if got := ask("/", cookie); got.StatusCode != status || got.Header.Get("Retry-After") == "" {
			t.Errorf("with the error %v the answer is %d %v", err, got.StatusCode, got.Header)
		}
	}
	if err := sessions.Start(context.Background(), ann, "hash"); outreach.CodeOf(err) != outreach.CodeForbidden {
		t.Errorf("outside a request a session starts with %v", err)
	}
}

// A cookie that no session can have is ignored without a question to the store.
func TestStrangeCookies(t *testing.T) {
	t.Parallel()
	good := strings.Repeat("A2", 26)
	for value, asked := range map[string]int{
		good: 1, good + "A": 0, good[1:]: 0, strings.ToLower(good): 0, good[:51] + "1": 0, "": 0, "secret": 0,
	} {
		store, reached := &memory{}, false
		handler := (&session.Sessions{Store: store}).Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, known := outreach.ActorFrom(r.Context())
			reached = !known
		}))
		request := httptest.NewRequest(http.MethodGet, "/", nil)
		request.AddCookie(&http.Cookie{Name: "outreach_session", Value: value})
		handler.ServeHTTP(httptest.NewRecorder(), request)
		if store.asked != asked || !reached {
			t.Errorf("%q: the store is asked %d times, want %d; served as a stranger: %v", value, store.asked, asked, reached)
		}
	}
}

// A limit on a visitor is one on all addresses that are the visitor's to choose.
func TestClient(t *testing.T) {
	t.Parallel()
	sessions := &session.Sessions{Store: &memory{}}
	for peer, want := range map[string]string{
		"203.0.113.9:1234":            "203.0.113.9",
		"[::ffff:203.0.113.9]:1234":   "203.0.113.9",
		"[2001:db8:1:2:3:4:5:6]:1234": "2001:db8:1:2::/64",
		"[2001:db8:1:2:ffff::1]:99":   "2001:db8:1:2::/64",
		"[2001:db8:1:3::1]:99":        "2001:db8:1:3::/64",
		"[fe80::1%eth0]:99":           "fe80::/64",
		"@":                           "",
	} {
		var got string
		handler := sessions.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = session.Client(r.Context()) }))
		request := httptest.NewRequest(http.MethodPost, "/", nil)
		request.RemoteAddr = peer
		handler.ServeHTTP(httptest.NewRecorder(), request)
		if got != want {
			t.Errorf("%s is %q, want %q", peer, got, want)
		}
	}
}

// hanging is a store that does not answer.
type hanging struct{ *memory }

func (hanging) ViewerBySession(ctx context.Context, _ [32]byte) (*outreach.Viewer, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// A store that hangs does not keep requests for ever.
func TestHangingStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler := (&session.Sessions{Store: hanging{}, Length: time.Hour}).Middleware(http.NotFoundHandler())
		r := httptest.NewRequest(http.MethodPost, "/graphql", nil)
		r.AddCookie(&http.Cookie{Name: "outreach_session", Value: strings.Repeat("A", 52)})
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
			t.Errorf("%d %v", w.Code, w.Header())
		}
	})
}
