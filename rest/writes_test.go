package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
)

// Writes on the real query layer and database, most of them under an
// Idempotency-Key: what is answered twice has happened once.

func idIn(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	var body struct{ ID string }
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || body.ID == "" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return body.ID
}

func TestWritesUnderAKeyHappenOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.workspace()
	campaign := s.some("campaign", ws, 0)
	prospect := idIn(t, s.call(s.checked, ws, "POST", "/prospects", `{"email":"first@a.example"}`))
	for i, test := range []struct {
		method, path, body string
		want               int
		table              string
	}{
		{"POST", "/prospects", `{"email":"ada@a.example","custom_fields":{"n":1}}`, 201, "prospects"},
		{"POST", "/prospects", `{"email":"ADA@a.example"}`, 409, "prospects"},
		{"PATCH", "/prospects/" + prospect, `{"first_name":"Ada","custom_fields":{"a":true}}`, 200, "prospects"},
		{"PATCH", "/prospects/" + uuid.NewString(), `{"first_name":"Ada"}`, 404, "prospects"},
		{"POST", "/prospects/bulk", `{"prospects":[{"email":"b@a.example"},{"email":5},{"email":"no"}]}`, 200, "prospects"},
		{"POST", "/suppressions", `{"email":"gone@a.example"}`, 201, "suppressions"},
		{"POST", "/suppressions", `{"email":"gone@a.example"}`, 200, "suppressions"},
		{"POST", "/suppressions", `{}`, 422, "suppressions"},
		{"POST", "/enrollments", fmt.Sprintf(`{"campaign_id":%q,"prospect":{"email":"new@a.example"}}`, campaign), 201, "enrollments"},
		{"POST", "/enrollments", fmt.Sprintf(`{"campaign_id":%q,"prospect":{"email":"new@a.example"}}`, campaign), 200, "enrollments"},
		{"POST", "/enrollments", fmt.Sprintf(`{"campaign_id":%q,"prospect_id":%q}`, uuid.New(), prospect), 422, "enrollments"},
	} {
		key := fmt.Sprint("key ", i)
		first := s.call(s.checked, ws, test.method, test.path, test.body, "Idempotency-Key", key)
		rows := s.count(`SELECT count(*) FROM ` + test.table)
		again := s.call(s.checked, ws, test.method, test.path, test.body, "Idempotency-Key", key)
		if first.Code != test.want || again.Code != test.want || first.Body.String() != again.Body.String() {
			t.Errorf("%s %s %s: %d, then %d\n%s\n%s", test.method, test.path, test.body, first.Code, again.Code, first.Body, again.Body)
		}
		if first.Header().Get("Location") != again.Header().Get("Location") || (test.want == 201) != (again.Header().Get("Location") != "") {
			t.Errorf("%s %s: Location %q, then %q", test.method, test.path, first.Header().Get("Location"), again.Header().Get("Location"))
		}
		if again.Header().Get("Idempotency-Replayed") != "true" || s.count(`SELECT count(*) FROM `+test.table) != rows {
			t.Errorf("%s %s happened twice", test.method, test.path)
		}
	}
	if first := s.call(s.checked, ws, "GET", "/prospects/"+prospect, ""); !jsonHas(first, "first_name", "Ada") {
		t.Errorf("the change was not stored: %s", first.Body)
	}
}

func jsonHas(w *httptest.ResponseRecorder, key, value string) bool {
	var body map[string]any
	return json.Unmarshal(w.Body.Bytes(), &body) == nil && body[key] == value
}

// Many at once under one key: one is carried out, the others are told so or get
// its answer.
func TestRacingRequestsUnderOneKey(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.workspace()
	answers := make([]*httptest.ResponseRecorder, 12)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			answers[i] = s.call(s.checked, ws, "POST", "/prospects", `{"email":"ada@a.example"}`, "Idempotency-Key", "k")
		})
	}
	all.Wait()
	carriedOut := 0
	for _, w := range answers {
		switch replayed := w.Header().Get("Idempotency-Replayed") == "true"; {
		case w.Code == 201 && !replayed:
			carriedOut++
		case w.Code == 201, w.Code == 409 && jsonHas(w, "code", "idempotency_key_in_progress"):
		default:
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
	if carriedOut != 1 || s.count(`SELECT count(*) FROM prospects`) != 1 {
		t.Errorf("carried out %d times, %d prospects", carriedOut, s.count(`SELECT count(*) FROM prospects`))
	}
}

// A row whose process died is free again when its minute is over; until then the
// request is said to be running.
func TestKeyOfADeadProcess(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.workspace()
	post := func() *httptest.ResponseRecorder {
		return s.call(s.checked, ws, "POST", "/prospects", `{"email":"ada@a.example"}`, "Idempotency-Key", "k")
	}
	post()
	s.exec(`UPDATE idempotency_keys SET answer = NULL, status = NULL`)
	s.exec(`DELETE FROM prospects`) // its transaction died with it
	if w := post(); w.Code != 409 || !jsonHas(w, "code", "idempotency_key_in_progress") {
		t.Errorf("within the minute: %d %s", w.Code, w.Body)
	}
	s.exec(`UPDATE idempotency_keys SET claimed_until = claimed_until - interval '61 seconds'`)
	if w := post(); w.Code != 201 || w.Header().Get("Idempotency-Replayed") != "" {
		t.Errorf("after the minute: %d %s", w.Code, w.Body)
	}
}

func TestKeysAndIdsOfAnotherWorkspace(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ours, theirs := s.workspace(), s.workspace()
	post := func(ws uuid.UUID, body string) *httptest.ResponseRecorder {
		return s.call(s.checked, ws, "POST", "/prospects", body, "Idempotency-Key", "k")
	}
	foreign := idIn(t, post(theirs, `{"email":"ada@a.example"}`))
	if w := post(ours, `{"email":"bea@a.example"}`); w.Code != 201 {
		t.Errorf("a key of another workspace is in the way: %d %s", w.Code, w.Body)
	}
	for _, method := range []string{"GET", "PATCH", "DELETE"} {
		body := ""
		if method == "PATCH" {
			body = `{"first_name":"X"}`
		}
		if w := s.call(s.checked, ours, method, "/prospects/"+foreign, body); w.Code != 404 {
			t.Errorf("%s of another workspace's prospect: %d %s", method, w.Code, w.Body)
		}
	}
	campaign := s.some("campaign", ours, 0)
	for _, id := range []string{foreign, uuid.NewString(), "7"} {
		w := s.call(s.checked, ours, "POST", "/enrollments", fmt.Sprintf(`{"campaign_id":%q,"prospect_id":%q}`, campaign, id))
		if w.Code != 422 || !jsonHas(w, "code", "unknown_reference") {
			t.Errorf("prospect_id %s: %d %s", id, w.Code, w.Body)
		}
	}
}

// Every answer of a single resource is described: create, read, change, delete.
func TestLifeOfAProspect(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.workspace()
	made := s.call(s.checked, ws, "POST", "/prospects", `{"email":" Ada@A.example `+
		`","timezone":"Europe/Paris","custom_fields":{"a":1,"b":"x","c":true}}`)
	path := made.Header().Get("Location")[len("/api/v1"):]
	read := s.call(s.checked, ws, "GET", path, "")
	if made.Body.String() != read.Body.String() {
		t.Errorf("made %s\nread %s", made.Body, read.Body)
	}
	changed := s.call(s.checked, ws, "PATCH", path, `{"timezone":null,"custom_fields":{"a":null,"d":2.5}}`,
		"Content-Type", "application/merge-patch+json")
	var p struct {
		Timezone     *string
		CustomFields map[string]any `json:"custom_fields"`
	}
	must(t, json.Unmarshal(changed.Body.Bytes(), &p))
	if want := fmt.Sprint(map[string]any{"b": "x", "c": true, "d": 2.5}); changed.Code != 200 || p.Timezone != nil ||
		fmt.Sprint(p.CustomFields) != want {
		t.Errorf("%d %s", changed.Code, changed.Body)
	}
	if again := s.call(s.checked, ws, "GET", path, "", "If-None-Match", read.Header().Get("ETag")); again.Code != 200 {
		t.Errorf("changed, but %d", again.Code)
	}
	if w := s.call(s.checked, ws, "DELETE", path, ""); w.Code != 204 {
		t.Errorf("delete: %d %s", w.Code, w.Body)
	}
	for _, method := range []string{"GET", "DELETE"} {
		if w := s.call(s.checked, ws, method, path, ""); w.Code != 404 {
			t.Errorf("%s after delete: %d", method, w.Code)
		}
	}
}

// An unmatched reply has no prospect. Only unmatched=true lists it, and its id finds it.
func TestUnmatchedReply(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws, id := s.workspace(), uuid.New()
	s.exec(`
INSERT INTO replies (id, workspace_id, mailbox_id, sender, body_text, automatic, received_at, words)
VALUES ($1, $2, $3, 'a@b.example', 'T', false, now(), '')`, id, ws, s.some("mailbox", ws, 0))
	for query, want := range map[string]int{"": 0, "?unmatched=false": 0, "?unmatched=true": 1} {
		if p := readPage(t, s.call(s.checked, ws, "GET", "/replies"+query, "")); len(p.Data) != want {
			t.Errorf("/replies%s lists %d, want %d", query, len(p.Data), want)
		}
	}
	w := s.call(s.checked, ws, "GET", "/replies/"+id.String(), "")
	if !strings.Contains(w.Body.String(), `"prospect_id":null`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := s.call(s.checked, ws, "POST", "/replies/"+id.String()+"/dismiss", ""); w.Code != 200 {
		t.Errorf("dismiss: %d %s", w.Code, w.Body)
	}
}

func TestMailboxesHaveOnePage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws, other := s.workspace(), s.workspace()
	for i := range 150 {
		s.exec(`
INSERT INTO mailboxes (id, workspace_id, email, email_key, smtp_host, smtp_port, smtp_username, smtp_password,
	smtp_security, imap_host, imap_port, imap_username, imap_password, imap_security, daily_limit, min_gap_seconds, created_at)
			VALUES ($1, $2, $3, $3, 'h', 1, 'u', '\x00', 'tls', 'h', 1, 'u', '\x00', 'none', 50, 60, $4)`, uuid.New(), ws,
			fmt.Sprintf("m%d@a.example", i), instantOf(i))
	}
	for query, status := range map[string]int{"": 200, "?limit=1": 200, "?limit=100": 200, "?limit=0": 400,
		"?cursor=x": 400, "?status=error": 400} {
		w := s.call(s.checked, ws, "GET", "/mailboxes"+query, "")
		if w.Code != status {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
			continue
		}
		if status != 200 {
			continue
		}
		p := readPage(t, w)
		for i := 1; i < len(p.Data); i++ {
			newer, older := p.Data[i-1], p.Data[i]
			if a, b := newer["created_at"].(string), older["created_at"].(string); a < b || a == b && newer["id"].(string) < older["id"].(string) {
				t.Errorf("row %d is out of order", i)
			}
		}
		if len(p.Data) != 150 || p.NextCursor != nil {
			t.Errorf("%s: %d mailboxes, next_cursor %v", query, len(p.Data), p.NextCursor)
		}
	}
	if p := readPage(t, s.call(s.checked, other, "GET", "/mailboxes", "")); len(p.Data) != 0 {
		t.Errorf("another workspace sees %d mailboxes", len(p.Data))
	}
}
