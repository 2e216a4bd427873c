package rest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"outreach"
)

// theSchema is the one that the executor serves.
var theSchema = sync.OnceValue(func() *ast.Schema {
	text, err := os.ReadFile("../schema.graphqls")
	if err != nil {
		panic(err)
	}
	return gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphqls", Input: string(text)})
})

// recorder is a Queries that notes what it is asked and answers as it is told.
type recorder struct {
	mu        sync.Mutex
	operation string
	variables map[string]any
	calls     int
	answer    func(ctx context.Context, operation string, variables map[string]any) (string, error)
}

func (q *recorder) Run(ctx context.Context, operation string, variables map[string]any) ([]byte, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !outreach.EffectAllowed(ctx) {
		return nil, outreach.ErrWithoutEffect
	}
	q.operation, q.variables, q.calls = operation, variables, q.calls+1
	if q.answer == nil {
		return []byte(`{"page":{"data":[],"next_cursor":null}}`), nil
	}
	data, err := q.answer(ctx, operation, variables)
	return []byte(data), err
}

// answers makes a recorder that always prints data.
func answers(data string) *recorder {
	return &recorder{answer: func(context.Context, string, map[string]any) (string, error) { return data, nil }}
}

// refuses makes a recorder that always fails with err.
func refuses(err error) *recorder {
	return &recorder{answer: func(context.Context, string, map[string]any) (string, error) { return "", err }}
}

// oneToken knows a single token and its workspace.
type oneToken struct {
	token     Token
	workspace uuid.UUID
	asked     int
}

func (t *oneToken) WorkspaceByToken(_ context.Context, hash [32]byte) (uuid.UUID, []byte, error) {
	t.asked++
	if hash != t.token.Hash() {
		return uuid.Nil, nil, outreach.ErrNotFound
	}
	return t.workspace, hash[:], nil
}

// service is an API on a recorder, with a client that checks every answer
// against the OpenAPI document.
type service struct {
	handler http.Handler
	tokens  *oneToken
	queries *recorder
}

func newService(t testing.TB, queries *recorder, change ...func(*Config)) *service {
	t.Helper()
	s := &service{tokens: &oneToken{token: NewToken(), workspace: uuid.New()}, queries: queries}
	config := Config{Schema: theSchema(), Queries: queries, Tokens: s.tokens, Idempotency: newMemory()}
	for _, f := range change {
		f(&config)
	}
	handler, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	s.handler = validated(t, handler)
	return s
}

// do sends a request with the token; headers are given as name, value pairs.
func (s *service) do(method, target, body string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+string(s.tokens.token))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Del(headers[i])
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w.Result()
}

func text(t testing.TB, r *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func marshal(t testing.TB, value any) []byte {
	t.Helper()
	body, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

var codeLine = regexp.MustCompile(`Code\w+ +Code = "(\w+)"`)

// codesIn finds the codes that a Go file declares for whole errors.
func codesIn(source string) (codes []outreach.Code) {
	for _, match := range codeLine.FindAllStringSubmatch(source, -1) {
		codes = append(codes, outreach.Code(match[1]))
	}
	return codes
}

func codeOf(value any) outreach.Code { return outreach.Code(value.(string)) }

func fuzzAnswer(context.Context, string, map[string]any) (string, error) {
	return "", outreach.Errorf(outreach.CodeConflict, "Read without a fault.")
}
