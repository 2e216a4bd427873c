package rest

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"outreach"
)

func TestIdempotencyKeyReplaysTheAnswer(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		queries *recorder
		status  int
	}{
		"created":  {answers(`{"body":` + string(exampleOf(t, "SubscriptionWithSecret")) + `}`), 201},
		"conflict": {refuses(outreach.Errorf(outreach.CodeConflict, "No.")), 409},
		"invalid":  {refuses(outreach.Errorf(outreach.CodeValidation, "No.")), 422},
	} {
		s := newService(t, test.queries)
		first := s.do("POST", "/api/v1/subscriptions", `{"enabled":true}`, "Idempotency-Key", "k")
		again := s.do("POST", "/api/v1/subscriptions", `{"enabled":true}`, "Idempotency-Key", "k")
		want, got := text(t, first), text(t, again)
		if first.StatusCode != test.status || again.StatusCode != test.status || want != got {
			t.Errorf("%s: %s, then %s\n%s\n%s", name, first.Status, again.Status, want, got)
		}
		for _, header := range []string{"Location", "Content-Type"} {
			if first.Header.Get(header) != again.Header.Get(header) {
				t.Errorf("%s: %s %q, then %q", name, header, first.Header.Get(header), again.Header.Get(header))
			}
		}
		if first.Header.Get("Idempotency-Replayed") != "" || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("%s: Idempotency-Replayed %q, then %q", name, first.Header.Get("Idempotency-Replayed"),
				again.Header.Get("Idempotency-Replayed"))
		}
		if test.queries.calls != 1 {
			t.Errorf("%s: carried out %d times", name, test.queries.calls)
		}
	}
}

func TestIdempotencyKeyBelongsToOneRequest(t *testing.T) {
	t.Parallel()
	s := newService(t, answers(`{"body":`+string(exampleOf(t, "Prospect"))+`}`))
	s.do("POST", "/api/v1/prospects", `{"email":"a@b.example"}`, "Idempotency-Key", "k")
	for _, other := range []*http.Response{
		s.do("POST", "/api/v1/prospects", `{"email":"c@d.example"}`, "Idempotency-Key", "k"),
		s.do("PATCH", "/api/v1/prospects/"+anID, `{"email":"a@b.example"}`, "Idempotency-Key", "k"),
	} {
		if p := problemOf(t, other); other.StatusCode != 422 || p.Code != outreach.CodeIdempotencyReused {
			t.Errorf("%s %s", other.Status, p.Code)
		}
	}
	if s.queries.calls != 1 {
		t.Errorf("carried out %d times", s.queries.calls)
	}
}

func TestAnswersThatMayDifferAreNotKept(t *testing.T) {
	t.Parallel()
	for _, err := range []error{errors.New("broken"), context.DeadlineExceeded, outreach.Errorf(outreach.CodeInvalidParameter, "No.")} {
		s := newService(t, refuses(err))
		s.do("POST", "/api/v1/prospects", `{}`, "Idempotency-Key", "k")
		again := s.do("POST", "/api/v1/prospects", `{}`, "Idempotency-Key", "k")
		if s.queries.calls != 2 || again.Header.Get("Idempotency-Replayed") != "" {
			t.Errorf("%v: carried out %d times, then %s", err, s.queries.calls, again.Status)
		}
	}
}

func TestUnreadableRequestsTakeNoKey(t *testing.T) {
	t.Parallel()
	store := newMemory()
	s := newService(t, &recorder{}, func(c *Config) { c.Idempotency = store })
	s.do("POST", "/api/v1/prospects", `{`, "Idempotency-Key", "k")
	s.do("GET", "/api/v1/prospects", ``, "Idempotency-Key", "k")
	s.do("POST", "/api/v1/prospects", `{}`, "Idempotency-Key", "k", "Authorization", "")
	if len(store.rows) != 0 {
		t.Errorf("%d keys taken", len(store.rows))
	}
	for _, key := range []string{strings.Repeat("x", 256), strings.Repeat("é", 256)} {
		if got := s.do("POST", "/api/v1/prospects", `{}`, "Idempotency-Key", key); got.StatusCode != 400 {
			t.Errorf("a key of %d bytes: %s", len(key), got.Status)
		}
	}
}

// effect notes what becomes of a transaction.
type effect struct{ committed, rolledBack int }

func (e *effect) Commit(context.Context) error   { e.committed++; return nil }
func (e *effect) Rollback(context.Context) error { e.rolledBack++; return nil }

// holding makes a recorder whose operation hands its transaction to the keyed request.
func holding(e *effect, data string, err error) *recorder {
	return &recorder{answer: func(ctx context.Context, _ string, _ map[string]any) (string, error) {
		if request, ok := outreach.KeyedRequestFrom(ctx); ok {
			request.Keep(e)
		}
		return data, err
	}}
}

func TestEffectCommitsWithItsAnswerOnly(t *testing.T) {
	t.Parallel()
	prospect := `{"body":` + string(exampleOf(t, "Prospect")) + `}`
	for name, test := range map[string]struct {
		data string
		err  error
		want effect
	}{
		"answered":            {prospect, nil, effect{committed: 1}},
		"failed":              {"", errors.New("broken"), effect{rolledBack: 1}},
		"answer not readable": {`{"odd":1}`, nil, effect{rolledBack: 1}},
	} {
		var e effect
		s := newService(t, holding(&e, test.data, test.err))
		s.do("POST", "/api/v1/prospects", `{}`, "Idempotency-Key", "k")
		if e != test.want {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func TestLostKeyDoesNothing(t *testing.T) {
	t.Parallel()
	store := newMemory()
	var e effect
	queries := holding(&e, `{"body":`+string(exampleOf(t, "Prospect"))+`}`, nil)
	s := newService(t, queries, func(c *Config) { c.Idempotency = store })
	slow := queries.answer
	queries.answer = func(ctx context.Context, operation string, variables map[string]any) (string, error) {
		store.now = store.now.Add(outreach.IdempotencyLease + time.Second)
		request, _ := outreach.KeyedRequestFrom(ctx)
		row := store.rows[request.WorkspaceID.String()+request.Key]
		if _, _, err := store.Reserve(ctx, request.WorkspaceID, request.Key, []byte(row.hash)); err != nil {
			t.Errorf("the key is not free after its lease: %v", err)
		}
		return slow(ctx, operation, variables)
	}
	got := s.do("POST", "/api/v1/prospects", `{}`, "Idempotency-Key", "k")
	if p := problemOf(t, got); got.StatusCode != 409 || p.Code != outreach.CodeIdempotencyRunning {
		t.Errorf("%s %s", got.Status, p.Code)
	}
	if e.committed != 0 || e.rolledBack != 1 {
		t.Errorf("%+v", e)
	}
}

func TestRunningRequestIsNotStartedTwice(t *testing.T) {
	t.Parallel()
	inside := answers(`{"body":` + string(exampleOf(t, "Prospect")) + `}`)
	data := inside.answer
	inside.answer = func(ctx context.Context, operation string, variables map[string]any) (string, error) {
		request, _ := outreach.KeyedRequestFrom(ctx)
		twin := newMemory()
		twin.rows[request.WorkspaceID.String()+request.Key] = &memoryRow{hash: "h", until: twin.now.Add(time.Second)}
		_, _, err := twin.Reserve(ctx, request.WorkspaceID, request.Key, []byte("h"))
		if outreach.CodeOf(err) != outreach.CodeIdempotencyRunning {
			t.Errorf("a second reservation: %v", err)
		}
		return data(ctx, operation, variables)
	}
	s := newService(t, inside)
	if got := s.do("POST", "/api/v1/prospects", `{}`, "Idempotency-Key", "k"); got.StatusCode != 201 {
		t.Error(got.Status)
	}
}
