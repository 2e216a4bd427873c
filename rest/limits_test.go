package rest_test

import (
	"net/http"
	"testing"
	"time"

	"outreach"
	"outreach/devstack"
	"outreach/rest"
	"outreach/storage"
)

// What cannot be a token is refused without a look at the database.
func TestTokensThatCannotBe(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.workspace()
	token := s.bearers[ws]
	before := s.sent.Load()
	for at := range token {
		broken := []byte(token)
		if broken[at] = '0'; token[at] == '0' {
			broken[at] = '1'
		}
		s.bearers[ws] = string(broken)
		if w := s.call(s.checked, ws, http.MethodGet, "/me", ""); w.Code != http.StatusUnauthorized ||
			w.Header().Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: %d", broken, w.Code)
		}
	}
	if asked := s.sent.Load() - before; asked != 0 {
		t.Errorf("the database was asked %d times", asked)
	}
	s.bearers[ws] = string(rest.NewToken())
	if w := s.call(s.checked, ws, http.MethodGet, "/me", ""); w.Code != http.StatusUnauthorized || s.sent.Load() == before {
		t.Errorf("an unknown token: %d, asked %d", w.Code, s.sent.Load()-before)
	}
}

// From the next request on, a replaced or revoked token is refused.
func TestTokensEndAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.workspace()
	status := func(token string) int {
		s.bearers[ws] = token
		return s.call(s.checked, ws, http.MethodGet, "/me", "").Code
	}
	old, fresh := s.bearers[ws], rest.NewToken()
	if got := status(old); got != http.StatusOK {
		t.Fatal(got)
	}
	must(t, s.db.SetToken(t.Context(), ws, outreach.TokenRecord{Hash: fresh.Hash(), Prefix: fresh.Visible()}))
	if got, now := status(old), status(string(fresh)); got != http.StatusUnauthorized || now != http.StatusOK {
		t.Errorf("after rotation: old %d, new %d", got, now)
	}
	must(t, s.db.RevokeToken(t.Context(), ws))
	if got := status(string(fresh)); got != http.StatusUnauthorized {
		t.Errorf("revoked: %d", got)
	}
	if n := s.count(`SELECT count(*) FROM tokens WHERE hash = $1 OR prefix LIKE '%' || $2`, []byte(fresh), string(fresh[12:])); n != 0 {
		t.Error("a token is stored in the clear")
	}
}

// The last-used date is written once a minute, however many ask.
func TestLastUseOnceAMinute(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.workspace()
	use := func() (at time.Time) {
		if w := s.call(s.checked, ws, http.MethodGet, "/me", ""); w.Code != http.StatusOK {
			t.Fatal(w.Code)
		}
		must(t, s.sql.QueryRow(t.Context(), `SELECT last_used_at FROM tokens WHERE workspace_id = $1`, ws).Scan(&at))
		return at
	}
	first := use()
	for range 5 {
		if again := use(); !again.Equal(first) {
			t.Errorf("written again after %s", again.Sub(first))
		}
	}
	s.ahead.Add(int64(61 * time.Second))
	if later := use(); later.Sub(first) < time.Minute {
		t.Errorf("after a minute it still is %s", later)
	}
}

// Without Postgres the API answers 503 at once, with Retry-After. It works again when Postgres
// does.
func TestPostgresIsAway(t *testing.T) {
	t.Parallel()
	postgres, err := devstack.StartPostgres(t.Context(), devstack.PostgresConfig{Dir: t.TempDir(), Disposable: true})
	must(t, err)
	closed := false
	t.Cleanup(func() {
		if !closed {
			_ = postgres.Close()
		}
	})
	must(t, storage.Migrate(t.Context(), postgres.URL()))
	s := newStageOn(t, postgres.URL())
	ws := s.workspace()
	must(t, postgres.Restart(t.Context()))
	deadline := time.Now().Add(time.Minute)
	for {
		w := s.call(s.checked, ws, http.MethodGet, "/prospects", "")
		if w.Code == http.StatusOK {
			break
		}
		if w.Code != http.StatusServiceUnavailable || time.Now().After(deadline) {
			t.Fatalf("after a restart: %d %s", w.Code, w.Body)
		}
	}
	closed = true
	must(t, postgres.Close())
	for _, call := range []struct{ method, path, body string }{{"GET", "/prospects", ""},
		{"POST", "/prospects", `{"email":"a@b.example"}`}, {"GET", "/me", ""}} {
		w := s.call(s.checked, ws, call.method, call.path, call.body, "Idempotency-Key", "k")
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || !jsonHas(w, "code", "unavailable") {
			t.Errorf("%s %s: %d %s", call.method, call.path, w.Code, w.Body)
		}
	}
}
