package graph_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph"
	"outreach/session"
)

func (s *stage) user(email string, role outreach.Role) {
	s.t.Helper()
	_, err := s.db.AddUser(s.ctx, s.ws, email, session.HashPassword("correct horse"), role, false)
	must(s.t, err)
}

const signIn = `mutation { signIn(email: "Ann@x.test", password: "correct horse") { email role workspaceName } }`

func TestSignIn(t *testing.T) {
	t.Parallel()
	for _, https := range []bool{false, true} {
		t.Run(fmt.Sprintf("https %v", https), func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.https = https
			s.user("ann@x.test", outreach.RoleOwner)
			s.schema = graph.NewSchema(s.config())
			h := s.handler(graph.HandlerConfig{})
			in := s.post(h, signIn, nil)
			same(t, "viewer", in.Data["signIn"], any(map[string]any{"email": "ann@x.test", "role": "owner", "workspaceName": "Acme"}))
			cookie, err := http.ParseSetCookie(in.Header.Get("Set-Cookie"))
			must(t, err)
			same(t, "flags", []any{cookie.HttpOnly, cookie.Secure, cookie.SameSite, cookie.Path, cookie.MaxAge},
				[]any{true, https, http.SameSiteLaxMode, "/", 3600})
			same(t, "not to be kept", in.Header.Get("Cache-Control"), "private, no-store")
			same(t, "not to be guessed", in.Header.Get("X-Content-Type-Options"), "nosniff")
			as := func(r *http.Request) { r.AddCookie(cookie) }
			same(t, "with it", s.post(h, "{ viewer { email } }", as).Data["viewer"], any(map[string]any{"email": "ann@x.test"}))
			same(t, "without it", s.post(h, "{ viewer { email } }", nil).Data["viewer"], nil)
			same(t, "without it, a list", s.post(h, "{ prospects { nodes { id } } }", nil).Errors[0].Extensions["code"], any("unauthorized"))
			out := s.post(h, "mutation { signOut }", as)
			gone, err := http.ParseSetCookie(out.Header.Get("Set-Cookie"))
			must(t, err)
			same(t, "taken away", []any{gone.Value, gone.MaxAge < 0}, []any{"", true})
			same(t, "signed out", s.post(h, "{ viewer { email } }", as).Data["viewer"], nil)
		})
	}
}

// An unknown address and a wrong password get the same answer, and attempts are limited.
func TestSignInRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.user("ann@x.test", outreach.RoleMember)
	s.attempts(3)
	h := s.handler(graph.HandlerConfig{})
	var answers []string
	for _, text := range []string{strings.Replace(signIn, "correct", "wrong", 1),
		strings.Replace(signIn, "Ann", "Bob", 1), `mutation { signIn(email: "", password: "") { email } }`, signIn} {
		a := s.post(h, text, nil)
		same(t, "no cookie", a.Header.Get("Set-Cookie"), "")
		answers = append(answers, fmt.Sprint(a.Errors[0].Extensions["code"], ": ", a.Errors[0].Message))
	}
	no := "unauthorized: The address or the password is wrong."
	same(t, "answers", answers, []string{no, no, no, "rate_limited: Too many attempts. Try again in a minute."})
}

func TestOtherOriginsCannotWrite(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.handler(graph.HandlerConfig{})
	for name, c := range map[string]struct {
		headers map[string]string
		status  int
	}{
		"a program":           {nil, 200},
		"the application":     {map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": "http://outreach.test"}, 200},
		"its own origin, old": {map[string]string{"Origin": "http://outreach.test"}, 200},
		"another site":        {map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.test"}, 403},
		"another site, old":   {map[string]string{"Origin": "https://evil.test"}, 403},
		"a sibling":           {map[string]string{"Sec-Fetch-Site": "same-site", "Origin": "http://other.outreach.test"}, 403},
		"nowhere":             {map[string]string{"Origin": "null"}, 403},
	} {
		a := s.post(h, "mutation { signOut }", func(r *http.Request) {
			for key, value := range c.headers {
				r.Header.Set(key, value)
			}
		})
		same(t, name, a.Status, c.status)
	}
	form := s.post(h, "mutation { signOut }", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") })
	if form.Status == 200 && form.Errors == nil {
		t.Error("a form's content type was accepted")
	}
}

func TestErrorsSayWhatClientsNeed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.user("ann@x.test", outreach.RoleMember)
	h := s.handler(graph.HandlerConfig{})
	ann := s.in(h, "ann@x.test", "correct horse")
	taken, err := s.db.CreateProspect(s.ctx, outreach.Prospect{WorkspaceID: s.ws, Email: "a@x.test"})
	must(t, err)
	for name, c := range map[string]struct {
		document string
		want     map[string]any
	}{
		"a domain error": {fmt.Sprintf(`{ prospect(id: %q) { id } }`, uuid.NewString()), map[string]any{"code": "not_found"}},
		"fields": {`mutation { createProspect(input: {email: "nobody"}) { id } }`,
			map[string]any{"code": "validation_failed",
				"fields": []any{
					map[string]any{"pointer": "/email", "code": "invalid", "detail": "email must be an e-mail address, such as ann@example.com."}}}},
		"extras": {`mutation { createProspect(input: {email: "A@x.test"}) { id } }`,
			map[string]any{"code": "prospect_exists", "prospect_id": taken.ID.String()}},
		"an owner's":    {`mutation { setTrackingDomain(host: "x.test") { host } }`, map[string]any{"code": "forbidden"}},
		"no such field": {`{ nothing }`, map[string]any{"code": "invalid_query"}},
		"no query":      {`{`, map[string]any{"code": "invalid_query"}},
		"a bad id":      {`{ prospect(id: "x") { id } }`, map[string]any{"code": "invalid_parameter"}},
		"a bad time":    {`{ prospects(createdSince: "2026-11") { nextCursor } }`, map[string]any{"code": "invalid_parameter"}},
		"no such value": {`{ prospects(status: sleepy) { nextCursor } }`, map[string]any{"code": "invalid_query"}},
	} {
		a := s.post(h, c.document, ann)
		if len(a.Errors) == 0 {
			t.Errorf("%s: no error", name)
			continue
		}
		c.want["request_id"] = "req-1"
		same(t, name, a.Errors[0].Extensions, c.want)
	}
	same(t, "none of them is ours", s.log.String(), "")

	s.exec(`ALTER TABLE prospects RENAME TO hidden`)
	a := s.post(h, `{ prospects { nextCursor } }`, ann)
	same(t, "ours", a.Errors[0].Extensions, map[string]any{"code": "internal", "request_id": "req-1"})
	same(t, "tells nothing", a.Errors[0].Message, "An internal error occurred. Try again in a moment.")
	if !strings.Contains(s.log.String(), "req-1") || !strings.Contains(s.log.String(), "hidden") &&
		!strings.Contains(s.log.String(), "prospects") {
		t.Errorf("the log does not name it: %s", s.log)
	}
}

// A document with an error may contain a password, which no message repeats.
func TestMessagesOmitLiterals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.handler(graph.HandlerConfig{})
	for document, want := range map[string]string{
		`mutation { signIn(email: "x" password "tu\"lips") { id } }`:             "Expected :, found String",
		`mutation { signIn(email: "x" password: """tulips""" "tulips") { id } }`: "Expected Name, found String",
		`mutation { signIn(email: "x", password: tulips) { id } }`:               "String cannot represent a non string value",
	} {
		if a := s.post(h, document, nil); len(a.Errors) == 0 || a.Errors[0].Message != want {
			t.Errorf("%s: %+v, want %q", document, a.Errors, want)
		}
	}
}

func TestOperationsAreBounded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.handler(graph.HandlerConfig{})
	deep := "{ " + strings.Repeat("... { ", 3) + "prospects { nodes { id } }" + strings.Repeat(" }", 3) + " }"
	var wide strings.Builder
	for i := range 140 {
		fmt.Fprintf(&wide, "a%d: prospects { nodes { id } } ", i)
	}
	var doubling strings.Builder
	for i := range 60 {
		fmt.Fprintf(&doubling, "fragment F%d on Query { ...F%d ...F%d } ", i, i+1, i+1)
	}
	for name, c := range map[string]struct {
		document string
		refused  string
	}{
		"more than can be written":  {"{ ...F0 } " + doubling.String() + "fragment F60 on Query { viewer { id } }", "more than 5000 selections"},
		"what the application asks": {"{ enrollments { nodes { id prospect { id } campaign { steps { id } } } } }", "unauthorized"},
		"fragments do not count":    {deep, "unauthorized"},
		"deeper than any screen": {"{ __type(name: \"Query\") { fields { type { ofType { ofType { ofType { ofType { " +
			"ofType { name } } } } } } } } }", "deeper than 8"},
		"wider than any screen": {"{ " + wide.String() + " }", "complexity"},
		"more requests in one":  {"{ " + roots(11) + " }", "more than 10 fields at its root"},
		"as many as may be":     {"{ " + roots(10) + " }", "unauthorized"},
		"and in one change": {"mutation { " + strings.ReplaceAll(roots(11), "me { workspaceName }", "signOut") + " }",
			"more than 10 fields"},
		"longer than any screen":  {"{ " + strings.Repeat("viewer{id}", 400) + " }", "token"},
		"longer than can be kept": {"{ viewer { id } } #" + strings.Repeat("x", 16<<10), "more than 16384 bytes"},
		"no suggestions":          {"{ viewr { id } }", "Cannot query field \"viewr\" on type \"Query\".map"},
		"no introspection":        {"{ __schema { queryType { name } } }", "does not answer introspection"},
	} {
		a := s.post(h, c.document, nil)
		if len(a.Errors) == 0 || !strings.Contains(fmt.Sprint(a.Errors[0].Message, a.Errors[0].Extensions), c.refused) {
			t.Errorf("%s: %v", name, a.Errors)
		}
	}
	open := s.handler(graph.HandlerConfig{Introspection: true})
	tool := s.post(open, `query IntrospectionQuery { __schema { queryType { name } types { ...T } directives { name `+
		`locations args { ...V } } } }
		fragment T on __Type { kind name fields(includeDeprecated: true) { name args { ...V } type { ...R } }
			inputFields { ...V } interfaces { ...R } possibleTypes { ...R } }
		fragment V on __InputValue { name type { ...R } defaultValue }
		fragment R on __Type { kind name ofType { kind name ofType { kind name ofType { kind name
			ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } }`, nil)
	if tool.Errors != nil || tool.Data["__schema"] == nil {
		t.Errorf("what tools ask for: %v", tool.Errors)
	}
	same(t, "introspection for dev", s.post(open, "{ __schema { queryType { name } } }", nil).Data["__schema"],
		any(map[string]any{"queryType": map[string]any{"name": "Query"}}))
}

// roots asks for so many fields at the root.
func roots(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "a%d: me { workspaceName }\n", i)
	}
	return text.String()
}

// A name that is almost right is refused without the right one: a stranger could read
// the schema by guessing.
func TestNamesAreNotSuggested(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.handler(graph.HandlerConfig{})
	for name, document := range map[string]string{
		"a field":               "{ viewr { id } }",
		"a field of fields":     "{ viewer }",
		"an argument":           "{ prospects(firs: 1) { nextCursor } }",
		"a directive's":         "{ viewer @include(iff: true) { id } }",
		"an enum value":         "{ prospects(status: newx) { nextCursor } }",
		"an enum value in text": `{ prospects(status: "new") { nextCursor } }`,
		"a type":                "query($input: PreviewInpu) { viewer { id } }",
		"a fragment's type":     "{ ... on Quer { viewer { id } } }",
		"a field of an input":   `mutation { createSnippet(input: { nam: "x" }) { id } }`,
	} {
		a := s.post(h, document, nil)
		if len(a.Errors) == 0 {
			t.Errorf("%s: %q is answered", name, document)
		}
		for _, e := range a.Errors {
			if strings.Contains(e.Message, "Did you mean") {
				t.Errorf("%s: %q is refused with a suggestion: %s", name, document, e.Message)
			}
		}
	}
}

// An operation that hangs is given up, and the client is told to try again.
func TestOperationsEnd(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.user("ann@x.test", outreach.RoleMember)
	h := s.handler(graph.HandlerConfig{Timeout: 200 * time.Millisecond})
	ann := s.in(s.handler(graph.HandlerConfig{}), "ann@x.test", "correct horse")
	tx, err := s.sql.Begin(t.Context())
	must(t, err)
	_, err = tx.Exec(t.Context(), `LOCK TABLE prospects`)
	must(t, err)
	a := s.post(h, `{ prospects { nextCursor } }`, ann)
	must(t, tx.Rollback(t.Context()))
	same(t, "given up", a.Errors[0].Extensions, map[string]any{"code": "unavailable", "request_id": "req-1"})
}

// What cannot be read is not repeated: a password may be in there.
func TestUnreadableBodiesAreNotRepeated(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.handler(graph.HandlerConfig{})
	for _, body := range []string{`[{"query":"mutation { signIn(email: \"a\", password: \"correct horse\") { id } }"}]`,
		`{"query": correct horse`} {
		a := s.post(h, "", func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(body)) })
		if len(a.Errors) != 1 || a.Errors[0].Message != "The body must be a JSON object with a query." {
			t.Errorf("%s: %v", body, a.Errors)
		}
	}
}

// What Postgres cannot hold is an error of the client, in every text that
// a query takes.
func TestQueriesRefuseWhatCannotBeStored(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.user("ann@x.test", outreach.RoleOwner)
	h := s.handler(graph.HandlerConfig{})
	ann := s.in(h, "ann@x.test", "correct horse")
	draft := outreach.NewCampaign()
	draft.WorkspaceID, draft.Name = s.ws, "C"
	campaign, err := s.db.CreateCampaign(s.ctx, draft)
	must(t, err)
	asked := 0
	for _, field := range s.schema.Schema().Query.Fields {
		for _, argument := range field.Arguments {
			if argument.Type.Name() != "String" || strings.HasPrefix(field.Name, "__") || field.Name == "invitation" {
				continue
			}
			asked++
			selected := "nextCursor"
			if s.schema.Schema().Types[field.Type.Name()].Fields.ForName(selected) == nil {
				selected = "__typename"
			}
			document := fmt.Sprintf(`{ %s(%s: "a\u0000b") { %s } }`, field.Name, argument.Name, selected)
			if argument.Name == "after" && field.Name == "history" {
				document = fmt.Sprintf(`{ history(prospectId: %q, after: "a\u0000b") { nextCursor } }`, uuid.NewString())
			}
			if argument.Name == "after" && field.Name == "checkCampaign" {
				document = fmt.Sprintf(`{ checkCampaign(id: %q, after: "a\u0000b") { nextCursor } }`, campaign.ID)
			}
			if field.Name == "enrollmentCounts" {
				document = fmt.Sprintf(`{ enrollmentCounts(campaignId: %q, search: "a\u0000b") { status } }`, campaign.ID)
			}
			if field.Name == "mail" && argument.Name == "after" {
				document = `{ mail(search: "a", after: "a\u0000b") { nextCursor } }`
			}
			a := s.post(h, document, ann)
			if code := fmt.Sprint(a.Errors[0].Extensions["code"]); code != "validation_failed" && code != "invalid_cursor" &&
				code != "invalid_parameter" {
				t.Errorf("%s: %s, %s", document, code, a.Errors[0].Message)
			}
		}
	}
	if asked < 10 {
		t.Errorf("only %d texts were tried", asked)
	}
	same(t, "none of it is ours", s.log.String(), "")
	long := s.post(h, fmt.Sprintf(`{ prospects(search: %q) { nextCursor } }`, strings.Repeat("x", 501)), ann)
	same(t, "too long to be found", long.Errors[0].Extensions["code"], any("invalid_parameter"))
}

// A client that has not signed in cannot make the service hold large bodies.
func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.user("ann@x.test", outreach.RoleMember)
	h := s.handler(graph.HandlerConfig{})
	ann := s.in(h, "ann@x.test", "correct horse")
	for size, known := range map[int]bool{1 << 10: true, 100 << 10: true, 6 << 20: false} {
		body := `{"query": "{ viewer { id } }", "variables": {"x": "` + strings.Repeat("x", size) + `"}}`
		fill := func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(body)) }
		stranger := s.post(h, "", fill)
		if size > 1<<10 {
			same(t, fmt.Sprint("nobody, ", size), stranger.Errors[0].Extensions["code"], any("unauthorized"))
		}
		member := s.post(h, "", func(r *http.Request) { fill(r); ann(r) })
		if same(t, fmt.Sprint("a member, ", size), member.Errors == nil, known); !known {
			same(t, "too much", member.Errors[0].Extensions["code"], any("payload_too_large"))
		}
	}
}
