package bench

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"outreach/bench/data"
	"outreach/devstack/testdb"
	"outreach/storage"
)

// The two that are compared answer the same, and the generator fills every list
// that is measured.
func TestBothAnswerTheSame(t *testing.T) {
	t.Parallel()
	url := testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate})
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	small := data.Scale{Prospects: 4000, Events: 20_000, Schema: storage.SchemaKey()}
	must(t, data.Fill(t.Context(), conn, small, func(string, time.Duration) {}))
	if filled, err := data.Filled(t.Context(), conn, small); err != nil || !filled {
		t.Errorf("filled %v, %v", filled, err)
	}
	for _, other := range []data.Scale{{Prospects: 1, Events: 1, Schema: small.Schema},
		{Prospects: small.Prospects, Events: small.Events, Schema: "older"}} {
		if filled, err := data.Filled(t.Context(), conn, other); err != nil || filled {
			t.Errorf("%+v: filled %v, %v", other, filled, err)
		}
	}
	s := newStage(t, url)
	for _, target := range []string{"/prospects?limit=50", "/prospects/70000000-0000-7000-8000-000000000007"} {
		direct, service := s.call(t, s.direct, target), s.call(t, s.service, target)
		if diff := cmp.Diff(decoded(t, direct.Body.Bytes()), decoded(t, service.Body.Bytes())); diff != "" {
			t.Errorf("%s, direct and service:\n%s", target, diff)
		}
	}
	for _, list := range keysets {
		s.deep(t, list)
	}
}

// decoded leaves out the cursor, which is the service's own.
func decoded(t *testing.T, body []byte) (out map[string]any) {
	must(t, json.Unmarshal(body, &out))
	if out["next_cursor"] != nil {
		out["next_cursor"] = "sealed"
	}
	return out
}
