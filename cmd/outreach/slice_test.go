package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	stripe "github.com/stripe/stripe-go/v82/webhook"

	"outreach/sandbox"
)

func itoa(n int) string { return strconv.Itoa(n) }

// The main job of the service, driven over REST alone: a mail leaves, the event
// is recorded, the signed webhook arrives.
func TestSlice(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.start()
	campaign, secret := s.slice()
	enrolled := s.call(http.StatusCreated, http.MethodPost, "/enrollments", object{
		"campaign_id": campaign, "prospect": object{"email": "ada@customer.example", "first_name": "Ada", "company_name": "Customer"}})
	prospect := enrolled["prospect"].(object)["id"]

	var hook sandbox.ReceivedHook
	s.eventually(30*time.Second, "a webhook arrives", func() bool {
		got := s.receiver.Received()
		if len(got) > 0 {
			hook = got[0]
		}
		return len(got) > 0
	})

	messages := s.inbox()
	if len(messages) != 1 || !strings.Contains(messages[0], "Subject: Hello Ada\n") ||
		!strings.Contains(messages[0], "Would a call suit you?") {
		t.Errorf("the prospect's inbox holds %q", messages)
	}
	if err := stripe.ValidatePayload([]byte(hook.Body), hook.Headers["X-Service-Signature"], secret); err != nil {
		t.Errorf("stripe's verifier: %v", err)
	}
	message := s.list("/messages?prospect_id=" + prospect.(string))[0]
	var payload map[string]any
	if err := json.Unmarshal([]byte(hook.Body), &payload); err != nil {
		t.Fatal(err)
	}
	delete(payload, "id")
	delete(payload, "occurred_at")
	want := map[string]any{
		"type": "sent", "workspace_id": s.workspace, "prospect_id": prospect, "prospect_email": "ada@customer.example",
		"campaign_id": campaign, "campaign_name": "Stage",
		"metadata": map[string]any{"step": 1.0, "messageId": message["message_id"]},
	}
	if diff := cmp.Diff(want, payload); diff != "" {
		t.Errorf("payload (-want +got):\n%s", diff)
	}
	s.checkLists(prospect.(string), hook.DeliveryID)
	s.checkGraphQL(prospect.(string))
}

// checkLists looks at the same facts through the API.
func (s *stage) checkLists(prospect, delivery string) {
	s.t.Helper()
	if row := s.list("/prospects")[0]; row["id"] != prospect || row["status"] != "in_sequence" || row["last_contacted_at"] == nil {
		s.t.Errorf("/prospects shows %v", row)
	}
	s.eventually(10*time.Second, "the delivery is delivered", func() bool {
		row := s.list("/deliveries")[0]
		return row["id"] == delivery && row["status"] == "delivered" && row["http_status"] == 200.0 && row["attempts"] == 1.0
	})
	one := s.call(http.StatusOK, http.MethodGet, "/deliveries/"+delivery, nil)
	if log := one["attempt_log"].([]any); len(log) != 1 || log[0].(object)["number"] != 1.0 {
		s.t.Errorf("attempt_log is %v", log)
	}
}

// checkGraphQL asks the same questions after signIn, as the application does.
func (s *stage) checkGraphQL(prospect string) {
	s.t.Helper()
	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar, Timeout: time.Minute}
	ask := func(query string) map[string]any {
		text, _ := json.Marshal(object{"query": query})
		response, err := browser.Post(s.base+"/graphql", "application/json", bytes.NewReader(text))
		if err != nil {
			s.t.Fatal(err)
		}
		defer response.Body.Close()
		var out map[string]any
		if err := json.NewDecoder(response.Body).Decode(&out); err != nil {
			s.t.Fatal(err)
		}
		return out
	}
	if out := ask(`{ prospects { nodes { id } } }`); out["data"] != nil || !strings.Contains(toText(out["errors"]), "unauthorized") {
		s.t.Errorf("without a session: %v", out)
	}
	if status := statusOf(s.t, browser, s.base+"/ops/queues"); status != http.StatusForbidden {
		s.t.Errorf("/ops/queues without a session answered %d", status)
	}
	ask(`mutation { signIn(email: "` + s.email + `", password: "` + s.password + `") { id } }`)
	got := ask(`{ prospects { nodes { id email } } messages { nodes { status prospect { email } campaign { name } } } ` +
		`deliveries { nodes { status attemptLog { number } } } }`)
	want := map[string]any{"data": map[string]any{
		"prospects": map[string]any{"nodes": []any{map[string]any{"id": prospect, "email": "ada@customer.example"}}},
		"messages": map[string]any{
			"nodes": []any{map[string]any{"status": "sent", "prospect": map[string]any{"email": "ada@customer.example"},
				"campaign": map[string]any{"name": "Stage"}}}},
		"deliveries": map[string]any{"nodes": []any{map[string]any{"status": "delivered", "attemptLog": []any{map[string]any{"number": 1.0}}}}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		s.t.Errorf("GraphQL (-want +got):\n%s", diff)
	}
	if status := statusOf(s.t, browser, s.base+"/ops/queues/"); status != http.StatusOK {
		s.t.Errorf("/ops/queues for an administrator answered %d", status)
	}
}

func toText(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

func statusOf(t *testing.T, client *http.Client, url string) int {
	t.Helper()
	response, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

// What integrators meet first when something is wrong.
func TestClearAnswers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.start()
	box := mailboxOf(s.mail.Mailbox(), "Stage")
	box.SMTP.Port = 1
	for _, c := range []struct {
		name, method, path string
		body               any
		status             int
		code, says         string
	}{
		{"an unknown id", http.MethodGet, "/prospects/0197a5a0-0000-7000-8000-000000000000", nil, 404, "not_found", ""},
		{"an id that is none", http.MethodGet, "/prospects/7", nil, 404, "not_found", ""},
		{"a path that is none", http.MethodGet, "/prospect", nil, 404, "not_found", ""},
		{"an unreachable mail server", http.MethodPost, "/mailboxes", box, 422, "mailbox_unreachable", "connection refused"},
		{"a private webhook URL", http.MethodPost, "/subscriptions",
			object{"url": "https://10.0.0.1/", "events": []string{"sent"}}, 422, "url_not_allowed", ""},
		{"a parameter that is none", http.MethodGet, "/prospects?updated_since=2026-01-01", nil, 400, "invalid_parameter", "updated_since"},
		{"a limit out of range", http.MethodGet, "/prospects?limit=101", nil, 400, "invalid_parameter", "limit"},
		{"a cursor of somebody else", http.MethodGet, "/prospects?cursor=abc", nil, 400, "invalid_cursor", "cursor is not valid"},
	} {
		out := s.call(c.status, c.method, c.path, c.body)
		if out["code"] != c.code || !strings.Contains(toText(out), c.says) {
			t.Errorf("%s: %v", c.name, out)
		}
	}
	s.checkRaw("{", 400, "invalid_json")
	s.checkRaw(`{"email":"a@b.example","email":"c@d.example"}`, 400, "invalid_json")
	s.token = "ort_wrong"
	if out := s.call(http.StatusUnauthorized, http.MethodGet, "/me", nil); out["code"] != "unauthorized" {
		t.Errorf("a wrong token: %v", out)
	}
}

func (s *stage) checkRaw(body string, status int, code string) {
	s.t.Helper()
	request, _ := http.NewRequest(http.MethodPost, s.base+"/api/v1/prospects", strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(response.Body).Decode(&out); err != nil || response.StatusCode != status || out["code"] != code {
		s.t.Errorf("%s answered %d %v (%v)", body, response.StatusCode, out, err)
	}
}
