package sparselog_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"outreach/internal/sparselog"
)

func TestOneWarningAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := sparselog.New(slog.New(slog.NewTextHandler(&out, nil)))
		for range 25 * 10 { // two a second for 125 s
			log.Warn(t.Context(), "redis", "redis is away")
			<-time.After(500 * time.Millisecond)
		}
		log.Warn(t.Context(), "database", "database is away")
		if n := strings.Count(out.String(), "redis is away"); n != 3 {
			t.Errorf("%d warnings in 125 s, want 3:\n%s", n, out.String())
		}
		if n := strings.Count(out.String(), "left_out=119"); n != 2 {
			t.Errorf("warnings do not tell how many were left out:\n%s", out.String())
		}
		if !strings.Contains(out.String(), "database is away") {
			t.Errorf("one topic silenced another:\n%s", out.String())
		}
	})
}
