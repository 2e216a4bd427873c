package rest_test

import (
	"net/http"
	"testing"
	"time"

	"outreach/rest"
)

// A read that waits for Postgres ends with the deadline of its request: while the token is looked up,
// and while the list is read.
func TestReadWhilePostgresHangs(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(c *rest.Config) { c.Timeout = 100 * time.Millisecond })
	ws := s.workspace()
	for _, table := range []string{"tokens", "prospects"} {
		tx, err := s.sql.Begin(t.Context())
		must(t, err)
		_, err = tx.Exec(t.Context(), `LOCK TABLE `+table+` IN ACCESS EXCLUSIVE MODE`)
		must(t, err)
		got := s.call(s.checked, ws, http.MethodGet, "/prospects", "")
		if got.Code != http.StatusServiceUnavailable || got.Header().Get("Retry-After") == "" {
			t.Errorf("%s is locked: %d, Retry-After %q", table, got.Code, got.Header().Get("Retry-After"))
		}
		must(t, tx.Rollback(t.Context()))
	}
}
