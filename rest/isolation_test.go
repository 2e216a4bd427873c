package rest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach/rest"
)

// Another workspace's id is answered as one that exists nowhere: wherever an id
// may stand (path, query, body) both are asked for, and the answers are the same
// but for the request's own id.

// bodies are what the calls of one resource need before they look at its id.
var bodies = map[string]string{
	"PATCH /prospects/{id}": `{"first_name":"X"}`, "PATCH /campaigns/{id}": `{"name":"X"}`,
	"PATCH /offers/{id}": `{"title":"X"}`, "PATCH /snippets/{id}": `{"name":"X"}`, "PATCH /mailboxes/{id}": `{"display_name":"X"}`,
	"PATCH /messages/{id}": `{"body_text":"X"}`, "POST /replies/{id}/answer": `{"body_text":"X"}`,
	"POST /messages/{id}/resolve":          `{"as":"sent"}`,
	"POST /mailboxes/{id}/placement_check": `{"to_mailbox_id":"00000000-0000-7000-8000-000000000000"}`,
	"POST /replies/{id}/assign":            `{"prospect_id":"00000000-0000-7000-8000-000000000000"}`,
	"PATCH /replies/{id}":                  `{"interest":"positive"}`, "PATCH /subscriptions/{id}": `{"enabled":false}`,
}

// references are bodies whose %s is an id that leads to another row, by call and
// pointer; OURS is a campaign of one's own.
var references = map[string]string{
	"POST /enrollments /campaign_id":                      `{"campaign_id":%q,"prospect":{"email":"new@a.example"}}`,
	"POST /enrollments /prospect_id":                      `{"campaign_id":"OURS","prospect_id":%q}`,
	"POST /offers /prospect_id":                           `{"title":"T","target_url":"https://a.example/","prospect_id":%q}`,
	"POST /offers /company_id":                            `{"title":"T","target_url":"https://a.example/","company_id":%q}`,
	"POST /offers /campaign_id":                           `{"title":"T","target_url":"https://a.example/","campaign_id":%q}`,
	"PATCH /offers/{id} /prospect_id":                     `{"prospect_id":%q}`,
	"PATCH /offers/{id} /company_id":                      `{"company_id":%q}`,
	"PATCH /offers/{id} /campaign_id":                     `{"campaign_id":%q}`,
	"POST /mailbox_connections /mailbox_id":               `{"provider":"google","mailbox_id":%q}`,
	"POST /mailboxes/{id}/placement_check /to_mailbox_id": `{"to_mailbox_id":%q}`,
	"POST /campaigns /mailbox_ids/-":                      `{"name":"N","mailbox_ids":[%q]}`,
	"POST /campaigns /steps/-/id":                         `{"name":"N","steps":[{"id":%q,"subject":"S","body_text":"T"}]}`,
	"PATCH /campaigns/{id} /mailbox_ids/-":                `{"mailbox_ids":[%q]}`,
	"POST /replies/{id}/assign /prospect_id":              `{"prospect_id":%q}`,
	"PATCH /campaigns/{id} /steps/-/id":                   `{"steps":[{"id":%q,"subject":"S","body_text":"T"}]}`,
}

// furnish puts one row into every list of a workspace and returns the ids by
// collection ("prospects"); "steps" is the step of its campaign.
func (s *stage) furnish(ws uuid.UUID) map[string]string {
	s.t.Helper()
	ids := map[string]string{}
	for _, l := range listings {
		id := uuid.New()
		l.insert(s, ws, id, time.Now(), 3) // a message of that number is unknown
		ids[l.path[1:]] = id.String()
	}
	mailbox, step, attempt, placement := uuid.New(), uuid.New(), uuid.New(), uuid.New()
	s.exec(`
INSERT INTO mailboxes (id, workspace_id, email, email_key, smtp_host, smtp_port, smtp_username, smtp_password,
	smtp_security, imap_host, imap_port, imap_username, imap_password, imap_security, daily_limit, min_gap_seconds)
		VALUES ($1, $2, 'm@a.example', 'm@a.example', 'h', 1, 'u', '\x00', 'tls', 'h', 1, 'u', '\x00', 'none', 50, 60)`, mailbox, ws)
	s.exec(`
INSERT INTO steps (id, workspace_id, campaign_id, position, delay_minutes, subject, body_text)
VALUES ($1, $2, $3, 1, 0, 'S', 'T')`, step, ws, ids["campaigns"])
	s.exec(`
INSERT INTO mailbox_connections (id, workspace_id, provider, expires_at, created_at)
VALUES ($1, $2, 'google', now() + interval '1 hour', now())`, attempt, ws)
	s.exec(`INSERT INTO placement_checks (workspace_id, id, mailbox_id, to_mailbox_id, status, created_at)
		VALUES ($2, $1, $3, $3, 'missing', now())`, placement, ws, mailbox)
	ids["mailboxes"], ids["steps"], ids["mailbox_connections"] = mailbox.String(), step.String(), attempt.String()
	ids["placement_checks"] = placement.String()
	return ids
}

// answered is an answer without what differs from request to request.
func answered(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	body := map[string]any{}
	if w.Body.Len() > 0 {
		must(t, json.Unmarshal(w.Body.Bytes(), &body))
	}
	delete(body, "request_id")
	text, err := json.Marshal(body)
	must(t, err)
	return fmt.Sprint(w.Code, " ", string(text))
}

// collectionOf names the collection that a parameter or a member leads to.
func collectionOf(name string) string {
	switch name = name[strings.LastIndex(strings.TrimSuffix(name, "/-"), "/")+1:]; name {
	case "company_id":
		return "companies"
	case "mailbox_id", "to_mailbox_id", "mailbox_ids/-":
		return "mailboxes"
	case "id":
		return "steps"
	}
	return strings.TrimSuffix(name, "_id") + "s"
}

func TestAnotherWorkspaceIsNowhere(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ours, theirs := s.workspace(), s.workspace()
	own, foreign := s.furnish(ours), s.furnish(theirs)
	before := s.everything(theirs)
	asked, used := 0, map[string]bool{}
	// same asks for both ids; want is what the answer begins with.
	same := func(c rest.Call, id string, want string, target, body func(id string) string) {
		t.Helper()
		nowhere := uuid.NewString()
		known := answered(t, s.call(s.checked, ours, c.Method, target(id), body(id)))
		unknown := answered(t, s.call(s.checked, ours, c.Method, target(nowhere), body(nowhere)))
		if known = strings.ReplaceAll(known, id, nowhere); known != unknown || !strings.HasPrefix(known, want) {
			t.Errorf("%s %s\ntheirs  %s\nnowhere %s", c.Method, target(id), known, unknown)
		}
		asked++
	}
	constantly := func(text string) func(string) string { return func(string) string { return text } }
	for _, c := range rest.Calls(schema(t)) {
		name, collection := c.Method+" "+c.Path, strings.Split(c.Path, "/")[1]
		if strings.Contains(c.Path, "{id}") {
			at := func(id string) string { return strings.ReplaceAll(c.Path, "{id}", id) }
			same(c, foreign[collection], "404 ", at, constantly(bodies[name]))
		}
		for _, parameter := range c.IDParameters {
			id := foreign[collectionOf(parameter)]
			if id == "" {
				t.Fatalf("%s: nothing for ?%s", name, parameter)
			}
			same(c, id, `200 {"data":[],"next_cursor":null}`, func(id string) string { return c.Path + "?" + parameter + "=" + id }, constantly(""))
		}
		for _, pointer := range c.IDPointers {
			template, ok := references[name+" "+pointer]
			if !ok {
				t.Errorf("no body tries %s in %s", pointer, name)
				continue
			}
			used[name+" "+pointer] = true
			template = strings.ReplaceAll(template, "OURS", own["campaigns"])
			id := foreign[collectionOf(pointer)]
			target := constantly(strings.ReplaceAll(c.Path, "{id}", own[collection]))
			same(c, id, "422 ", target, func(id string) string { return fmt.Sprintf(template, id) })
			w := s.call(s.checked, ours, c.Method, target(""), fmt.Sprintf(template, id))
			if !strings.Contains(w.Body.String(), `"unknown_reference"`) {
				t.Errorf("%s with their %s: %s", name, pointer, w.Body)
			}
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(references)), slices.Sorted(maps.Keys(used))); diff != "" {
		t.Error(diff)
	}
	if asked < 60 {
		t.Errorf("only %d ids were tried", asked)
	}
	if after := s.everything(theirs); after != before {
		t.Error("something of theirs has changed")
	}
}

// A list shows only the workspace's own rows, and the single resource is there for its owner.
func TestListsShowOnesOwn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ours, theirs := s.workspace(), s.workspace()
	s.furnish(theirs)
	for _, l := range append(slices.Clone(rest.Lists()), "/mailboxes") {
		if p := readPage(t, s.call(s.checked, ours, http.MethodGet, l, "")); len(p.Data) != 0 || p.NextCursor != nil {
			t.Errorf("%s shows %d rows of another workspace", l, len(p.Data))
		}
		if p := readPage(t, s.call(s.checked, theirs, http.MethodGet, l, "")); len(p.Data) == 0 {
			t.Errorf("%s does not show its owner's rows", l)
		}
	}
}

// everything is a digest of all rows of a workspace, or of all there is for
// uuid.Nil: what has not changed has the same. Tokens (whose use is noted) and
// kept answers are left out.
func (s *stage) everything(ws uuid.UUID) string {
	s.t.Helper()
	var digest strings.Builder
	for _, table := range s.tables() {
		var sum *string
		must(s.t, s.sql.QueryRow(s.t.Context(), `
SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM `+table+` t
WHERE $1 = '00000000-0000-0000-0000-000000000000' OR to_jsonb(t)->>'workspace_id' = $1::text`, ws.String()).Scan(&sum))
		if sum != nil {
			digest.WriteString(table + " " + *sum + "\n")
		}
	}
	return digest.String()
}

func (s *stage) tables() (names []string) {
	s.t.Helper()
	rows, err := s.sql.Query(s.t.Context(), `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
			AND c.relname NOT IN ('tokens', 'idempotency_keys', 'goose_db_version') ORDER BY 1`)
	must(s.t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		must(s.t, rows.Scan(&name))
		names = append(names, name)
	}
	must(s.t, rows.Err())
	return names
}
