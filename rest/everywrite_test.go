package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach/rest"
	"outreach/sandbox"
)

// world is a workspace with all that its writes need: servers for its mailbox,
// a receiver for its subscription, rows that other rows lead to.
type world struct {
	*stage
	ws                    uuid.UUID
	mail                  sandbox.Mailbox
	mailbox, subscription string
	hook                  string
	made                  int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{stage: newStage(t)}
	w.ws = w.workspace()
	w.mail, w.hook = w.mailServer().Mailbox(), w.receiver().URL()
	w.mailbox = w.make("/mailboxes", w.mailboxBody("first@a.example"))
	w.subscription = w.make("/subscriptions", fmt.Sprintf(`{"url":%q,"events":["sent"]}`, w.hook))
	return w
}

// mailboxBody is that of another address on the same account.
func (w *world) mailboxBody(email string) string {
	server := func(host string, port int, user, password, security string) map[string]any {
		return map[string]any{"host": host, "port": port, "username": user, "password": password, "security": security}
	}
	smtp, imap := w.mail.SMTP, w.mail.IMAP
	text, err := json.Marshal(map[string]any{"email": email,
		"smtp": server(smtp.Host, smtp.Port, smtp.Username, smtp.Password, string(smtp.Security)),
		"imap": server(imap.Host, imap.Port, imap.Username, imap.Password, string(imap.Security))})
	must(w.t, err)
	return string(text)
}

// make creates something and gives its id.
func (w *world) make(path, body string) string {
	w.t.Helper()
	return idIn(w.t, w.call(w.checked, w.ws, http.MethodPost, path, body))
}

func (w *world) act(path string) {
	w.t.Helper()
	if got := w.call(w.checked, w.ws, http.MethodPost, path, ""); got.Code != http.StatusOK {
		w.t.Fatalf("%s: %d %s", path, got.Code, got.Body)
	}
}

func (w *world) prospect() string {
	w.made++
	return w.make("/prospects", fmt.Sprintf(`{"email":"p%d@a.example"}`, w.made))
}

func (w *world) campaign() string {
	return w.make("/campaigns", fmt.Sprintf(`{"name":"C","mailbox_ids":[%q],"steps":[{"subject":"S","body_text":"T"}]}`, w.mailbox))
}

func (w *world) enrollment() string {
	w.t.Helper()
	got := w.call(w.checked, w.ws, http.MethodPost, "/enrollments",
		fmt.Sprintf(`{"campaign_id":%q,"prospect_id":%q}`, w.campaign(), w.prospect()))
	var body struct{ Enrollment struct{ ID string } }
	must(w.t, json.Unmarshal(got.Body.Bytes(), &body))
	return body.Enrollment.ID
}

// oneFinished is an active campaign of two steps with one person who finished after the first.
func (w *world) oneFinished() string {
	w.t.Helper()
	campaign := w.make("/campaigns",
		fmt.Sprintf(`{"name":"C","mailbox_ids":[%q],"steps":[{"subject":"S","body_text":"T"},{"body_text":"U"}]}`, w.mailbox))
	w.act("/campaigns/" + campaign + "/activate")
	w.call(w.checked, w.ws, http.MethodPost, "/enrollments", fmt.Sprintf(`{"campaign_id":%q,"prospect_id":%q}`, campaign, w.prospect()))
	w.exec(`UPDATE enrollments e SET status = 'finished', last_step_id = s.id, last_step_at = now() FROM steps s
		WHERE e.campaign_id = $1 AND s.campaign_id = e.campaign_id AND s.position = 1`, campaign)
	return campaign
}

// row puts one row into a list, past the API: what only mail or queues make.
func (w *world) row(path string, i int) string {
	id := uuid.New()
	for _, l := range listings {
		if l.path == path {
			l.insert(w.stage, w.ws, id, time.Now(), i)
		}
	}
	return id.String()
}

// unknownMessage is a message that may or may not have been sent.
func (w *world) unknownMessage() string {
	enrollment, id := w.enrollment(), w.row("/messages", 3)
	w.exec(`
UPDATE messages m SET enrollment_id = e.id, campaign_id = e.campaign_id, prospect_id = e.prospect_id, mailbox_id = $3
FROM enrollments e WHERE e.id = $2 AND m.id = $1`, id, enrollment, w.mailbox)
	return id
}

// open is a reply of the mailbox that can be answered.
func (w *world) open() string {
	id := w.row("/replies", 1)
	w.exec(`UPDATE replies SET prospect_id = $2, mailbox_id = $3 WHERE id = $1`, id, w.prospect(), w.mailbox)
	return id
}

// unmatched is a reply that waits to be assigned.
func (w *world) unmatched() string {
	id := w.row("/replies", 1)
	w.exec(`UPDATE replies SET prospect_id = NULL, campaign_id = NULL, done = false WHERE id = $1`, id)
	return id
}

// writes are all POST and PATCH calls: what makes the path, and the body.
var writes = map[string]func(w *world) (path, body string){
	"POST /prospects": func(*world) (string, string) { return "/prospects", `{"email":"ada@b.example"}` },
	"POST /prospects/bulk": func(*world) (string, string) {
		return "/prospects/bulk", `{"prospects":[{"email":"b@b.example"},{"email":"no"}]}`
	},
	"PATCH /prospects/{id}": func(w *world) (string, string) { return "/prospects/" + w.prospect(), `{"first_name":"Ada"}` },
	"POST /enrollments": func(w *world) (string, string) {
		return "/enrollments", fmt.Sprintf(`{"campaign_id":%q,"prospect":{"email":"e@b.example"}}`, w.campaign())
	},
	"POST /enrollments/{id}/stop":  func(w *world) (string, string) { return "/enrollments/" + w.enrollment() + "/stop", "" },
	"POST /enrollments/{id}/pause": func(w *world) (string, string) { return "/enrollments/" + w.enrollment() + "/pause", "" },
	"POST /enrollments/{id}/resume": func(w *world) (string, string) {
		id := w.enrollment()
		w.act("/enrollments/" + id + "/pause")
		return "/enrollments/" + id + "/resume", ""
	},
	"POST /campaigns/{id}/continue_finished": func(w *world) (string, string) {
		return "/campaigns/" + w.oneFinished() + "/continue_finished", ""
	},
	"POST /campaigns":               func(*world) (string, string) { return "/campaigns", `{"name":"N"}` },
	"PATCH /campaigns/{id}":         func(w *world) (string, string) { return "/campaigns/" + w.campaign(), `{"name":"Other"}` },
	"POST /campaigns/{id}/activate": func(w *world) (string, string) { return "/campaigns/" + w.campaign() + "/activate", "" },
	"POST /campaigns/{id}/pause": func(w *world) (string, string) {
		id := w.campaign()
		w.act("/campaigns/" + id + "/activate")
		return "/campaigns/" + id + "/pause", ""
	},
	"POST /campaigns/{id}/archive": func(w *world) (string, string) { return "/campaigns/" + w.campaign() + "/archive", "" },
	"POST /snippets":               func(*world) (string, string) { return "/snippets", `{"name":"N","body_text":"T"}` },
	"PATCH /snippets/{id}": func(w *world) (string, string) {
		return "/snippets/" + w.make("/snippets", `{"name":"O","body_text":"T"}`), `{"name":"P"}`
	},
	"POST /offers": func(*world) (string, string) { return "/offers", `{"title":"T","target_url":"https://a.example/"}` },
	"PATCH /offers/{id}": func(w *world) (string, string) {
		return "/offers/" + w.make("/offers", `{"title":"T","target_url":"https://a.example/"}`), `{"title":"U"}`
	},
	"POST /mailbox_connections": func(*world) (string, string) { return "/mailbox_connections", `{"provider":"google"}` },
	"POST /mailboxes":           func(w *world) (string, string) { return "/mailboxes", w.mailboxBody("second@a.example") },
	"PATCH /mailboxes/{id}":     func(w *world) (string, string) { return "/mailboxes/" + w.mailbox, `{"display_name":"Ada"}` },
	"POST /mailboxes/{id}/pause": func(w *world) (string, string) {
		return "/mailboxes/" + w.make("/mailboxes", w.mailboxBody("third@a.example")) + "/pause", ""
	},
	"POST /mailboxes/{id}/resume": func(w *world) (string, string) {
		id := w.make("/mailboxes", w.mailboxBody("fourth@a.example"))
		w.act("/mailboxes/" + id + "/pause")
		return "/mailboxes/" + id + "/resume", ""
	},
	"POST /mailboxes/{id}/placement_check": func(w *world) (string, string) {
		id := w.make("/mailboxes", w.mailboxBody("fifth@a.example"))
		return "/mailboxes/" + id + "/placement_check", `{"to_mailbox_id":"` + w.mailbox + `"}`
	},
	"POST /sending_domains/{id}/check": func(w *world) (string, string) {
		return "/sending_domains/" + w.row("/sending_domains", 1) + "/check", ""
	},
	"POST /mailboxes/{id}/check": func(w *world) (string, string) { return "/mailboxes/" + w.mailbox + "/check", "" },
	"PATCH /messages/{id}": func(w *world) (string, string) {
		path := "/replies/" + w.open() + "/answer"
		got := w.call(w.checked, w.ws, http.MethodPost, path, `{"body_text":"Hello"}`)
		var made struct{ ID string }
		must(w.t, json.Unmarshal(got.Body.Bytes(), &made))
		return "/messages/" + made.ID, `{"body_text":"Goodbye"}`
	},
	"PATCH /me": func(*world) (string, string) { return "/me", `{"contact_gap_hours":48}` },
	"POST /messages/{id}/resolve": func(w *world) (string, string) {
		return "/messages/" + w.unknownMessage() + "/resolve", `{"as":"sent"}`
	},
	"PATCH /replies/{id}":       func(w *world) (string, string) { return "/replies/" + w.row("/replies", 1), `{"interest":"positive"}` },
	"POST /replies/{id}/answer": func(w *world) (string, string) { return "/replies/" + w.open() + "/answer", `{"body_text":"Hello"}` },
	"POST /replies/{id}/assign": func(w *world) (string, string) {
		return "/replies/" + w.unmatched() + "/assign", fmt.Sprintf(`{"prospect_id":%q}`, w.row("/prospects", 1))
	},
	"POST /replies/{id}/dismiss": func(w *world) (string, string) { return "/replies/" + w.unmatched() + "/dismiss", "" },
	"POST /suppressions":         func(*world) (string, string) { return "/suppressions", `{"domain":"gone.example"}` },
	"POST /subscriptions": func(w *world) (string, string) {
		return "/subscriptions", fmt.Sprintf(`{"url":%q,"events":["replied"]}`, w.hook)
	},
	"PATCH /subscriptions/{id}": func(w *world) (string, string) {
		return "/subscriptions/" + w.subscription, `{"events":["sent","clicked"]}`
	},
	"POST /subscriptions/{id}/test": func(w *world) (string, string) { return "/subscriptions/" + w.subscription + "/test", "" },
	"POST /subscriptions/{id}/rotate_secret": func(w *world) (string,
		string) {
		return "/subscriptions/" + w.subscription + "/rotate_secret", ""
	},
	"POST /deliveries/{id}/redeliver": func(w *world) (string, string) { return "/deliveries/" + w.row("/deliveries", 1) + "/redeliver", "" },
}

// Every write under a key happens once: the second time the answer is that of the
// first to the byte and nothing anywhere in the database has changed; another
// body under the key is refused.
func TestEveryWriteUnderAKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tried := 0
	for i, c := range rest.Calls(schema(t)) {
		if c.Method != http.MethodPost && c.Method != http.MethodPatch {
			continue
		}
		tried++
		prepare := writes[c.Method+" "+c.Path]
		if prepare == nil {
			t.Errorf("nothing tries %s %s", c.Method, c.Path)
			continue
		}
		path, body := prepare(w)
		key := fmt.Sprint("key-", i)
		send := func(body string) *httptest.ResponseRecorder {
			return w.call(w.checked, w.ws, c.Method, path, body, "Idempotency-Key", key)
		}
		before := w.everything(uuid.Nil)
		first := send(body)
		after := w.everything(uuid.Nil)
		again := send(body)
		if first.Code/100 != 2 || first.Header().Get("Idempotency-Replayed") != "" || before == after {
			t.Errorf("%s %s: %d %s, changed %v", c.Method, path, first.Code, first.Body, before != after)
		}
		if again.Code != first.Code || again.Body.String() != first.Body.String() ||
			again.Header().Get("Location") != first.Header().Get("Location") || again.Header().Get("Idempotency-Replayed") != "true" {
			t.Errorf("%s %s again: %d %s\nfirst: %d %s", c.Method, path, again.Code, again.Body, first.Code, first.Body)
		}
		if w.everything(uuid.Nil) != after {
			t.Errorf("%s %s happened twice", c.Method, path)
		}
		other := strings.TrimSpace(body + " {}")
		if body != "" {
			other = strings.Replace(body, "{", "{ ", 1)
		}
		if got := send(other); got.Code != http.StatusUnprocessableEntity || !jsonHas(got, "code", "idempotency_key_reused") {
			t.Errorf("%s %s with another body: %d %s", c.Method, path, got.Code, got.Body)
		}
	}
	if tried != len(writes) {
		t.Errorf("%d writes described, %d exist", len(writes), tried)
	}
	if kept := w.count(`SELECT count(*) FROM idempotency_keys WHERE position(convert_to('whsec_', 'UTF8') IN answer) > 0`); kept != 0 {
		t.Errorf("%d kept answers hold a secret in the clear", kept)
	}
}

// A single resource is validated by its ETag: 304 while it stands, for every
// route that has one.
func TestEveryETag(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.workspace()
	ids, tried := s.furnish(ws), 0
	s.call(s.checked, ws, http.MethodGet, "/me", "") // notes the token's use, which /me shows
	for _, c := range rest.Calls(schema(t)) {
		if !c.Found {
			continue
		}
		tried++
		path := strings.ReplaceAll(c.Path, "{id}", ids[strings.Split(c.Path, "/")[1]])
		first := s.call(s.checked, ws, http.MethodGet, path, "")
		tag := first.Header().Get("ETag")
		if first.Code != http.StatusOK || len(tag) < 10 {
			t.Errorf("%s: %d, ETag %q", path, first.Code, tag)
		}
		for condition, want := range map[string]int{tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200} {
			got := s.call(s.checked, ws, http.MethodGet, path, "", "If-None-Match", condition)
			if got.Code != want || want == 304 && (got.Body.Len() != 0 || got.Header().Get("ETag") != tag) {
				t.Errorf("%s, If-None-Match %s: %d %s", path, condition, got.Code, got.Body)
			}
		}
	}
	if tried < 12 {
		t.Errorf("only %d routes have an ETag", tried)
	}
	path := "/prospects/" + ids["prospects"]
	tag := s.call(s.checked, ws, http.MethodGet, path, "").Header().Get("ETag")
	s.call(s.checked, ws, http.MethodPatch, path, `{"first_name":"Bea"}`)
	if got := s.call(s.checked, ws, http.MethodGet, path, "", "If-None-Match", tag); got.Code != http.StatusOK ||
		got.Header().Get("ETag") == tag {
		t.Errorf("after a change: %d", got.Code)
	}
}
