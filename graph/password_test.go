package graph_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"outreach"
	"outreach/graph"
)

// attempts makes a schema that allows so many attempts to sign in.
func (s *stage) attempts(left int) {
	config := s.config()
	config.Attempts = &guesses{left: left}
	s.schema = graph.NewSchema(config)
}

// in signs a user in and returns what adds the session to a request.
func (s *stage) in(h http.Handler, email, password string) func(*http.Request) {
	s.t.Helper()
	a := s.post(h, fmt.Sprintf(`mutation { signIn(email: %q, password: %q) { id } }`, email, password), nil)
	if len(a.Errors) > 0 {
		s.t.Fatalf("%s cannot sign in: %v", email, a.Errors)
	}
	cookie, err := http.ParseSetCookie(a.Header.Get("Set-Cookie"))
	must(s.t, err)
	return func(r *http.Request) { r.AddCookie(cookie) }
}

func (s *stage) signedIn(h http.Handler, as func(*http.Request)) bool {
	return s.post(h, `{ viewer { email } }`, as).Data["viewer"] != nil
}

func changePassword(from, to string) string {
	return fmt.Sprintf(`mutation { changePassword(currentPassword: %q, newPassword: %q) }`, from, to)
}

// A new password ends all sessions of the user except the present one, and none of other
// users.
func TestChangePassword(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.user("ann@x.test", outreach.RoleMember)
	s.user("bob@x.test", outreach.RoleOwner)
	h := s.handler(graph.HandlerConfig{})
	here, elsewhere, bob := s.in(h, "ann@x.test", "correct horse"), s.in(h, "ann@x.test", "correct horse"),
		s.in(h, "bob@x.test", "correct horse")

	a := s.post(h, changePassword("correct horse", "battery staple 9"), here)
	same(t, "answer", a.Data["changePassword"], any(true))
	same(t, "signed in here, elsewhere, and Bob",
		[]bool{s.signedIn(h, here), s.signedIn(h, elsewhere), s.signedIn(h, bob)}, []bool{true, false, true})
	same(t, "the old password", s.post(h, signIn, nil).Errors[0].Extensions["code"], any("unauthorized"))
	s.in(h, "ann@x.test", "battery staple 9")
	s.in(h, "bob@x.test", "correct horse")
	if strings.Contains(s.log.String(), "battery") {
		t.Errorf("the log holds the password: %s", s.log)
	}
}

func TestChangePasswordRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.attempts(4) // two to sign in, two to try
	s.user("ann@x.test", outreach.RoleMember)
	h := s.handler(graph.HandlerConfig{})
	here, elsewhere := s.in(h, "ann@x.test", "correct horse"), s.in(h, "ann@x.test", "correct horse")
	for _, c := range []struct {
		name, from, to string
		as             func(*http.Request)
		want           string
	}{
		{"nobody", "correct horse", "battery staple 9", nil, "unauthorized: Sign in first."},
		{"short", "correct horse", "elevenchars", here, "validation_failed /new_password invalid: new_password must have " +
			"at least 12 characters."},
		{"short and wrong", "wrong", "", here, "validation_failed /new_password invalid: new_password must have at least 12 characters."},
		{"characters, not bytes", "correct horse", "ééééééééééé", here,
			"validation_failed /new_password invalid: new_password must have at least 12 characters."},
		{"long", "correct horse", strings.Repeat("x", 1001), here,
			"validation_failed /new_password too_long: new_password must have at most 1000 characters."},
		{"wrong", "wrong horse", "battery staple 9", here, "validation_failed /current_password invalid: This is not your current password."},
		{"empty", "", "battery staple 9", here, "validation_failed /current_password invalid: This is not your current password."},
		{"too often", "correct horse", "battery staple 9", here, "rate_limited: Too many attempts. Try again in a minute."},
	} {
		same(t, c.name, refusal(s.post(h, changePassword(c.from, c.to), c.as)), c.want)
	}
	same(t, "nothing happened", []bool{s.signedIn(h, here), s.signedIn(h, elsewhere)}, []bool{true, true})
	s.attempts(1)
	s.in(s.handler(graph.HandlerConfig{}), "ann@x.test", "correct horse")
}

// A token belongs to no user, so it has no password to change.
func TestTokenHasNoPassword(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	_, err := s.run(changePassword("correct horse", "battery staple 9"), nil)
	same(t, "as a token", outreach.CodeOf(err), outreach.CodeForbidden)
}

// refusal writes the first error of an answer in one line.
func refusal(a answer) string {
	if len(a.Errors) == 0 {
		return "none"
	}
	e := a.Errors[0]
	line := fmt.Sprint(e.Extensions["code"])
	if fields, ok := e.Extensions["fields"].([]any); ok {
		for _, field := range fields {
			f := field.(map[string]any)
			line += fmt.Sprintf(" %s %s", f["pointer"], f["code"])
		}
	}
	return line + ": " + e.Message
}
