package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"outreach"
)

// problemOf decodes a refusal.
func problemOf(t testing.TB, r *http.Response) problem {
	t.Helper()
	var p problem
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
		t.Fatalf("%s: %v", r.Status, err)
	}
	return p
}

// where lists the places that a refusal names, with their codes.
func (p problem) where() (places []string) {
	for _, fault := range p.Errors {
		place := ""
		if fault.Pointer != nil {
			place = *fault.Pointer
		} else if fault.Parameter != nil {
			place = "?" + *fault.Parameter
		}
		places = append(places, place+" "+string(fault.Code))
	}
	return places
}

const anID = "0199f3a2-5c1e-7b44-9a01-3f6d1c2b7e10"

func TestQueryBecomesVariables(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]map[string]any{
		"":                         {"limit": 50},
		"&":                        {"limit": 50},
		"limit=1":                  {"limit": 1},
		"limit=100&cursor=abc%3D":  {"limit": 100, "cursor": "abc="},
		"status=replied":           {"limit": 50, "status": "replied"},
		"email=a%2Bb%40c.d":        {"limit": 50, "email": "a+b@c.d"},
		"campaign_id=" + anID:      {"limit": 50, "campaign_id": anID},
		"created_since=2026-11-20": {"limit": 50, "created_since": "2026-11-20T00:00:00.000000+00:00"},
		"created_since=2026-11-20T10:00:00+02:00": {"limit": 50, "created_since": "2026-11-20T08:00:00.000000+00:00"},
		"company_id=" + strings.ToUpper(anID):     {"limit": 50, "company_id": anID},
	} {
		queries := &recorder{}
		got := newService(t, queries).do("GET", "/api/v1/prospects?"+query, "")
		if diff := cmp.Diff(want, queries.variables); diff != "" || got.StatusCode != 200 {
			t.Errorf("%q: %s %s", query, got.Status, diff)
		}
	}
}

func TestQueriesRefused(t *testing.T) {
	t.Parallel()
	s := newService(t, &recorder{})
	limits := []string{"", "0", "101", "-1", "+5", "5.0", "0x10", "050", "%20 5", "5%20", "ten", "1e1", "9999999999999999999999", "%D9%A5"}
	for _, value := range limits {
		refusedWith(t, s, "/prospects?limit="+value, "invalid_parameter", "?limit")
		refusedWith(t, s, "/mailboxes?limit="+value, "invalid_parameter", "?limit")
	}
	for query, name := range map[string]string{
		"/prospects?updated_since=2026-11-20": "updated_since", "/campaigns?updated_since=x": "updated_since",
		"/prospects?sort=email": "sort", "/prospects?page=2": "page", "/prospects?search=x": "search", "/prospects?Limit=5": "Limit",
		"/prospects?limit=5&limit=5": "limit", "/prospects?status=new&status=": "status", "/prospects?first=1": "first",
		"/prospects?status=open": "status", "/prospects?status=": "status", "/prospects?status=NEW": "status", "/prospects?email=": "email",
		"/prospects?email=a%00b": "email", "/prospects?email=%FF": "email", "/prospects?email=%zz": "email", "/prospects?%zz=1": "%zz",
		"/prospects?campaign_id=7": "campaign_id", "/prospects?campaign_id=%7B" + anID + "%7D": "campaign_id",
		"/prospects?created_since=2026-11": "created_since", "/prospects?created_since=2026-11-20T10:00:00": "created_since",
		"/prospects?created_since=2026-02-30": "created_since", "/prospects?created_since=": "created_since",
		"/prospects?since=2026-11-20": "since",
		"/messages?step=0":            "step", "/messages?step=01": "step", "/messages?step=one": "step", "/messages?step=4294967297": "step",
		"/replies?automatic=1": "automatic", "/replies?done=true": "done", "/companies?temperature=tepid": "temperature",
		"/me?limit=5": "limit", "/prospects/" + anID + "?fields=id": "fields", "/prospects/" + anID + "?id=" + anID: "id",
		"/prospects?a;b": "a;b", "/subscriptions?status=x": "status",
	} {
		refusedWith(t, s, query, "invalid_parameter", "?"+name)
	}
	refusedWith(t, s, "/prospects?cursor=", "invalid_cursor", "?cursor")
	for _, bytes := range []string{"%00", "%FF", "%zz"} {
		refusedWith(t, s, "/prospects?cursor="+bytes, "invalid_cursor", "?cursor")
		refusedWith(t, s, "/me?cursor="+bytes, "invalid_parameter", "?cursor")
	}
	refusedWith(t, s, "/mailboxes?cursor=abc", "invalid_cursor", "?cursor")
	refusedWith(t, s, "/mailboxes?cursor=", "invalid_cursor", "?cursor")
	for target, why := range map[string]string{
		"/prospects?cursor=":    "cursor is empty: leave it out for the first page.",
		"/prospects?cursor=%FF": "cursor is malformed: send the next_cursor of a page unchanged.",
		"/mailboxes?cursor=abc": "This list has one page: leave cursor out.",
	} {
		if p := problemOf(t, s.do("GET", Base+target, "")); p.Errors[0].Detail != why {
			t.Errorf("GET %s: %q, want %q", target, p.Errors[0].Detail, why)
		}
	}
	if s.queries.calls != 0 {
		t.Errorf("%d refused requests reached an operation", s.queries.calls)
	}
}

// A connection is offered the providers that can be connected.
func TestProvidersOfConnections(t *testing.T) {
	t.Parallel()
	p := problemOf(t, newService(t, &recorder{}).do("POST", "/api/v1/mailbox_connections", `{"provider":"custom"}`))
	if p.Detail != "provider must be one of google, microsoft." {
		t.Error(p.Detail)
	}
}

// What is wrong with an id that is no UUID is told in the same words wherever it stands.
func TestNoUUID(t *testing.T) {
	t.Parallel()
	s := newService(t, &recorder{})
	for _, test := range []struct {
		method, target, body string
		status               int
		name                 string
	}{
		{"GET", "/prospects?campaign_id=7", "", 400, "campaign_id"},
		{"GET", "/prospects/7", "", 404, "id"},
		{"POST", "/enrollments", `{"campaign_id":"7"}`, 422, "campaign_id"},
		{"POST", "/campaigns", `{"mailbox_ids":["7"]}`, 422, "mailbox_ids[0]"},
	} {
		got := s.do(test.method, Base+test.target, test.body)
		if p := problemOf(t, got); got.StatusCode != test.status || p.Detail != test.name+" must be a UUID of 36 characters." {
			t.Errorf("%s %s: %s %s", test.method, test.target, got.Status, p.Detail)
		}
	}
}

func refusedWith(t *testing.T, s *service, target, code, place string) {
	t.Helper()
	got := s.do("GET", Base+strings.ReplaceAll(target, " ", "%20"), "")
	p := problemOf(t, got)
	if diff := cmp.Diff([]string{place + " " + code}, p.where()); got.StatusCode != 400 || string(p.Code) != code || diff != "" {
		t.Errorf("GET %s: %s %s %s", target, got.Status, p.Code, diff)
	}
	if code == "invalid_cursor" && p.Detail != "cursor is not valid" {
		t.Errorf("GET %s: detail %q", target, p.Detail)
	}
}

func TestBodyBecomesInput(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		method, path, body string
		want               map[string]any
	}{
		{"POST", "/prospects",
			`{"email":"a@b.example","first_name":null,"linkedin_url":"x","custom_fields":{"a":1,"b":1.5,"c":"é","d":true,"e":null}}`,
			map[string]any{"email": "a@b.example", "firstName": nil, "linkedinUrl": "x",
				"customFields": map[string]any{"a": 1.0, "b": 1.5, "c": "é", "d": true, "e": nil}}},
		{"PATCH", "/prospects/" + anID, "\t{ }\n", map[string]any{}},
		{"POST", "/campaigns", `{"name":"A","send_days":["mon"],"mailbox_ids":["` + strings.ToUpper(anID) +
			`"],"daily_new_limit":5.0,"steps":[{"delay_minutes":1e1,"body_html":"b"}]}`,
			map[string]any{"name": "A", "sendDays": []any{"mon"}, "mailboxIds": []any{anID}, "dailyNewLimit": 5,
				"steps": []any{map[string]any{"delayMinutes": 10, "bodyHtml": "b"}}}},
		{"POST", "/enrollments",
			`{"campaign_id":"` + anID + `","prospect":{"email":"a@b.example"},"on_existing":"update","force":true,"prospect_id":null}`,
			map[string]any{"campaignId": anID, "prospect": map[string]any{"email": "a@b.example"}, "onExisting": "update",
				"force": true, "prospectId": nil}},
		{"PATCH", "/mailboxes/" + anID, `{"smtp":{"password":"p"},"min_gap_seconds":0}`,
			map[string]any{"smtp": map[string]any{"password": "p"}, "minGapSeconds": 0}},
		{"POST", "/messages/" + anID + "/resolve", `{"as":"not_sent"}`, map[string]any{"as": "not_sent"}},
		{"POST", "/prospects/bulk",
			`{"prospects":[{"email":"a@b.example"},{"email":5,"id":"x"},7,null,{"custom_fields":{"a\u0000":"x"}},` +
				`{"emial":1},{"email":"a","email":"b"},{"custom_fields":{"a":1,"a":2}}]}`,
			map[string]any{"prospects": []any{map[string]any{"email": "a@b.example"}, map[string]any{}, map[string]any{},
				map[string]any{}, map[string]any{}, map[string]any{}, map[string]any{}, map[string]any{}}, "unreadable": []any{
				map[string]any{"index": 1, "path": []any{"email"}, "code": "invalid_type", "detail": "email must be a string."},
				map[string]any{"index": 1, "path": []any{"id"}, "code": "read_only_field", "detail": "id is read-only."},
				map[string]any{"index": 2, "path": []any{}, "code": "invalid_type", "detail": "The element must be an object."},
				map[string]any{"index": 3, "path": []any{}, "code": "invalid_type", "detail": "The element must be an object."},
				map[string]any{"index": 4, "path": []any{"custom_fields", "a\x00"}, "code": "invalid",
					"detail": "custom_fields.a must not contain a NUL character."},
				map[string]any{"index": 5, "path": []any{"emial"}, "code": "invalid_json",
					"detail": "At byte 101: \"emial\" is an unknown key; the nearest name is \"email\"."},
				map[string]any{"index": 6, "path": []any{"email"}, "code": "invalid_json", "detail": "At byte 125: the key appears twice."},
				map[string]any{"index": 7, "path": []any{"custom_fields", "a"}, "code": "invalid_json",
					"detail": "At byte 162: the key appears twice."},
			}}},
	} {
		queries := refuses(outreach.Errorf(outreach.CodeConflict, "No.")) // the answer does not matter here
		newService(t, queries).do(test.method, Base+test.path, test.body)
		if diff := cmp.Diff(any(test.want), queries.variables["input"]); diff != "" {
			t.Errorf("%s %s %s: %s", test.method, test.path, test.body, diff)
		}
	}
}

func TestBodiesRefused(t *testing.T) {
	t.Parallel()
	s := newService(t, &recorder{})
	for _, test := range []struct {
		path, body string
		status     int
		code       string
		places     []string
	}{
		{"/prospects", ``, 400, "invalid_json", []string{" invalid_json"}},
		{"/prospects", ` `, 400, "invalid_json", []string{" invalid_json"}},
		{"/prospects", `{`, 400, "invalid_json", []string{" invalid_json"}},
		{"/prospects", `{"email":"a"}{}`, 400, "invalid_json", []string{" invalid_json"}},
		{"/prospects", `{"email":"a"} x`, 400, "invalid_json", []string{" invalid_json"}},
		{"/prospects", `{"email":"a","email":"b"}`, 400, "invalid_json", []string{"/email invalid_json"}},
		{"/prospects", `{"custom_fields":{"a/b":1,"a\/b":2}}`, 400, "invalid_json", []string{"/custom_fields/a~1b invalid_json"}},
		{"/prospects", `{"emial":"a"}`, 400, "invalid_json", []string{"/emial invalid_json"}},
		{"/prospects", `{"firstName":"a"}`, 400, "invalid_json", []string{"/firstName invalid_json"}},
		{"/prospects", "{\"email\":\"\xff\"}", 400, "invalid_json", []string{"/email invalid_json"}},
		{"/prospects", `{"email":"\ud800"}`, 400, "invalid_json", []string{"/email invalid_json"}},
		{"/prospects", "\ufeff{}", 400, "invalid_json", []string{" invalid_json"}},
		{"/prospects", `{"email":'a'}`, 400, "invalid_json", []string{"/email invalid_json"}},
		{"/prospects", `{"email":NaN}`, 400, "invalid_json", []string{"/email invalid_json"}},
		{"/prospects", `[]`, 422, "validation_failed", []string{" invalid_type"}},
		{"/prospects", `null`, 422, "validation_failed", []string{" invalid_type"}},
		{"/prospects", `"x"`, 422, "validation_failed", []string{" invalid_type"}},
		{"/prospects", `{"email":5,"first_name":[1,{"a":2}],"custom_fields":[]}`, 422, "validation_failed",
			[]string{"/email invalid_type", "/first_name invalid_type", "/custom_fields invalid_type"}},
		{"/prospects", `{"email":"a","status":"new"}`, 422, "read_only_field", []string{"/status read_only_field"}},
		{"/prospects", `{"email":"a\u0000b"}`, 422, "validation_failed", []string{"/email invalid"}},
		{"/prospects", `{"custom_fields":{"a":1e999,"b":9007199254740993,"c":0.1,` +
			`"d":1e-400,"e":-0.0,"f":19.90,"g":0.10000000000000000001}}`, 422, "validation_failed",
			[]string{"/custom_fields/a invalid", "/custom_fields/b invalid", "/custom_fields/d invalid", "/custom_fields/g invalid"}},
		{"/enrollments", `{"campaign_id":"7"}`, 422, "unknown_reference", []string{"/campaign_id unknown_reference"}},
		{"/enrollments", `{"prospect":{"id":"7"},"status":"active","on_existing":"merge"}`, 422, "validation_failed",
			[]string{"/prospect/id read_only_field", "/status read_only_field", "/on_existing invalid"}},
		{"/campaigns", `{"steps":[{"id":null,"delay_minutes":1.5},{"subject":1}],"send_days":["monday",null]}`, 422, "validation_failed",
			[]string{"/steps/0/delay_minutes invalid_type", "/steps/1/subject invalid_type", "/send_days/0 invalid", "/send_days/1 invalid_type"}},
		{"/campaigns", `{"daily_new_limit":4294967296}`, 422, "validation_failed", []string{"/daily_new_limit invalid"}},
		{"/mailbox_connections", `{"provider":"custom"}`, 422, "validation_failed", []string{"/provider invalid"}},
		{"/subscriptions", `{"secret":"whsec_mine"}`, 422, "read_only_field", []string{"/secret read_only_field"}},
		{"/messages/" + anID + "/resolve", `{"as":"sent","sent_at":null}`, 422, "read_only_field", []string{"/sent_at read_only_field"}},
		{"/messages/" + anID + "/resolve", `{"as":"sent","first_name":"Ann"}`, 400, "invalid_json", []string{"/first_name invalid_json"}},
		{"/replies/" + anID + "/answer", `{"body_text":"a","kind":"step","to":"b"}`, 422, "read_only_field",
			[]string{"/kind read_only_field", "/to read_only_field"}},
		{"/enrollments/" + anID + "/resume", `{"next_step":2}`, 422, "read_only_field", []string{"/next_step read_only_field"}},
		{"/messages/" + anID + "/resolve", `{}`, 422, "validation_failed", []string{"/as required"}},
		{"/messages/" + anID + "/resolve", `{"as":null}`, 422, "validation_failed", []string{"/as invalid_type"}},
		{"/prospects/bulk", `{}`, 422, "validation_failed", []string{"/prospects required"}},
		{"/prospects/bulk", `{"prospects":null}`, 422, "validation_failed", []string{"/prospects required"}},
		{"/prospects/bulk", `{"prospects":[` + strings.Repeat(`{},`, 1000) + `{}]}`, 422, "validation_failed", []string{"/prospects too_long"}},
		{"/prospects/bulk", `{"prospects":[{"email":1}}`, 400, "invalid_json", []string{"/prospects invalid_json"}},
		{"/prospects/bulk", `{"prospects":[],"emial":1}`, 400, "invalid_json", []string{"/emial invalid_json"}},
		{"/prospects/bulk", `{"prospects":[],"prospects":[]}`, 400, "invalid_json", []string{"/prospects invalid_json"}},
		{"/prospects/bulk", "{\"prospects\":[{\"email\":\"\xff\"}]}", 400, "invalid_json", []string{"/prospects/0/email invalid_json"}},
		{"/prospects/bulk", `{"unreadable":[]}`, 400, "invalid_json", []string{"/unreadable invalid_json"}},
		{"/campaigns/" + anID + "/pause", `{"a":1}`, 400, "invalid_json", []string{"/a invalid_json"}},
		{"/campaigns/" + anID + "/pause", `[]`, 422, "validation_failed", []string{" invalid_type"}},
	} {
		got := s.do("POST", Base+test.path, test.body)
		p := problemOf(t, got)
		if diff := cmp.Diff(test.places, p.where()); got.StatusCode != test.status || string(p.Code) != test.code || diff != "" {
			t.Errorf("POST %s %.80s: %s %s %s", test.path, test.body, got.Status, p.Code, diff)
		}
	}
	if s.queries.calls != 0 {
		t.Errorf("%d refused requests reached an operation", s.queries.calls)
	}
}

func TestInvalidJSONNamesItsPlace(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"email":"a" "b"}`:                       "At byte 13:",
		`{"email":"a", "emial":1}`:                `At byte 14: "emial" is an unknown key; the nearest name is "email".`,
		`{"firstName":1}`:                         `At byte 1: "firstName" is an unknown key; the nearest name is "first_name".`,
		`{"a":1}`:                                 `At byte 1: "a" is an unknown key.`,
		`{"` + strings.Repeat("b", 1000) + `":1}`: `At byte 1: "` + strings.Repeat("b", 100) + `" is an unknown key.`,
	} {
		p := problemOf(t, newService(t, &recorder{}).do("POST", "/api/v1/prospects", body))
		if !strings.HasPrefix(p.Detail, want) || p.Title != "The JSON of the body is not accepted" || p.Errors[0].Detail != p.Detail {
			t.Errorf("%s: %s %s", body, p.Detail, p.Title)
		}
	}
	p := problemOf(t, newService(t, &recorder{}).do("POST", "/api/v1/campaigns/"+anID+"/pause", `{"force":true}`))
	if p.Detail != `At byte 1: "force" is an unknown key: this call takes none.` {
		t.Errorf("a call without keys: %s", p.Detail)
	}
}

func TestMediaTypesAndSizes(t *testing.T) {
	t.Parallel()
	s := newService(t, answers(`{"body":`+string(exampleOf(t, "Prospect"))+`}`))
	big := func(n int) string { return `{"email":"` + strings.Repeat("a", n-len(`{"email":""}`)) + `"}` }
	for _, test := range []struct {
		method, media, body string
		want                int
	}{
		{"POST", "application/json", `{}`, 201},
		{"POST", "application/json; charset=UTF-8", `{}`, 201},
		{"POST", "application/json; charset=latin1", `{}`, 415},
		{"POST", "application/merge-patch+json", `{}`, 415},
		{"POST", "text/plain", `{}`, 415},
		{"POST", "application/x-www-form-urlencoded", `a=b`, 415},
		{"POST", "", `{}`, 415},
		{"POST", "json", `{}`, 415},
		{"PATCH", "application/merge-patch+json", `{}`, 200},
		{"PATCH", "application/json-patch+json", `[]`, 415},
		{"POST", "application/json", big(1 << 20), 201},
		{"POST", "application/json", big(1<<20 + 1), 413},
	} {
		path := "/api/v1/prospects"
		if test.method == "PATCH" {
			path += "/" + anID
		}
		if got := s.do(test.method, path, test.body, "Content-Type", test.media); got.StatusCode != test.want {
			t.Errorf("%s %q, %d bytes: %s", test.method, test.media, len(test.body), got.Status)
		}
	}
	if got := s.do("POST", "/api/v1/prospects", `{}`, "Content-Encoding", "gzip"); got.StatusCode != 415 {
		t.Errorf("gzip: %s", got.Status)
	}
	bulk := newService(t, answers(`{"body":{"results":[]}}`))
	for size, want := range map[int]int{5 << 20: 200, 5<<20 + 1: 413} {
		body := `{"prospects":[]` + strings.Repeat(" ", size-16) + `}`
		if got := bulk.do("POST", "/api/v1/prospects/bulk", body); got.StatusCode != want {
			t.Errorf("bulk of %d bytes: %s", len(body), got.Status)
		}
	}
}

// exampleOf returns the value of an example of the document.
func exampleOf(t testing.TB, name string) []byte {
	t.Helper()
	return marshal(t, validator(t).Document().Components.Examples[name].Value.Value)
}

func TestActionsNeedNoBody(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "{}"} {
		queries := answers(`{"body":` + string(exampleOf(t, "Campaign")) + `}`)
		got := newService(t, queries).do("POST", "/api/v1/campaigns/"+anID+"/pause", body)
		if got.StatusCode != 200 || queries.operation != "pauseCampaign" || queries.variables["id"] != anID {
			t.Errorf("body %q: %s, %s %v", body, got.Status, queries.operation, queries.variables)
		}
	}
}

func TestPathsAndMethods(t *testing.T) {
	t.Parallel()
	s := newService(t, &recorder{})
	for _, test := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/api/v1", 404, ""}, {"GET", "/api/v1/", 404, ""}, {"GET", "/api/v1/people", 404, ""}, {"GET", "/api/v1/prospects/", 404, ""},
		{"GET", "/api/v2/prospects", 404, ""}, {"GET", "/api/v1//prospects", 404, ""}, {"GET", "/api/v1/prospects/" + anID + "/x", 404, ""},
		{"GET", "/api/v1/prospects/7", 404, ""}, {"GET", "/api/v1/prospects/" + anID + "x", 404, ""}, {"GET", "/api/v1/prospects/%2F", 404, ""},
		{"GET", "/api/v1/campaigns/x/stats", 404, ""}, {"GET", "/api/v1/prospects/{id}", 404, ""}, {"PATCH", "/api/v1/prospects/%00", 404, ""},
		{"PUT", "/api/v1/prospects", 405, "GET, HEAD, POST"}, {"DELETE", "/api/v1/prospects", 405, "GET, HEAD, POST"},
		{"POST", "/api/v1/prospects/" + anID, 405, "DELETE, GET, HEAD, PATCH"}, {"GET", "/api/v1/prospects/bulk", 405, "POST"},
		{"HEAD", "/api/v1/campaigns/" + anID + "/pause", 405, "POST"}, {"OPTIONS", "/api/v1/me", 405, "GET, HEAD, PATCH"},
		{"POST", "/api/v1/companies", 405, "GET, HEAD"},
		{"POST", "/api/v1/prospects/", 404, ""}, {"HEAD", "/api/v1/prospects", 200, ""},
	} {
		got := s.do(test.method, test.path, "")
		if got.StatusCode != test.status || got.Header.Get("Allow") != test.allow {
			t.Errorf("%s %s: %s, Allow %q", test.method, test.path, got.Status, got.Header.Get("Allow"))
		}
	}
}

func TestStrangersLearnNothingOfIDs(t *testing.T) {
	t.Parallel()
	s := newService(t, &recorder{})
	for _, id := range []string{anID, "7"} {
		if got := s.do("GET", "/api/v1/prospects/"+id, "", "Authorization", ""); got.StatusCode != 401 {
			t.Errorf("%s without a token: %s", id, got.Status)
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	s := newService(t, &recorder{})
	other := string(NewToken())
	for header, want := range map[string]int{
		"Bearer " + string(s.tokens.token):   200,
		"bearer  " + string(s.tokens.token):  200,
		"":                                   401,
		string(s.tokens.token):               401,
		"Basic " + string(s.tokens.token):    401,
		"Bearer " + other:                    401,
		"Bearer " + other + "x":              401,
		"Bearer x " + string(s.tokens.token): 401,
		"Bearer":                             401,
	} {
		got := s.do("GET", "/api/v1/prospects", "", "Authorization", header)
		if got.StatusCode != want || want == 401 && got.Header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%q: %s, WWW-Authenticate %q", header, got.Status, got.Header.Get("WWW-Authenticate"))
		}
	}
}

func TestTokenChecksumSparesTheStore(t *testing.T) {
	t.Parallel()
	s := newService(t, &recorder{})
	token := []byte(s.tokens.token)
	for i := range token {
		broken := string(token[:i]) + string(token[i]^1) + string(token[i+1:])
		if got := s.do("GET", "/api/v1/me", "", "Authorization", "Bearer "+broken); got.StatusCode != 401 {
			t.Errorf("a token with character %d changed: %s", i, got.Status)
		}
	}
	if s.tokens.asked != 0 {
		t.Errorf("the store was asked %d times", s.tokens.asked)
	}
	if text := fmt.Sprintf("%v %s", s.tokens.token, s.tokens.token); strings.Contains(text, string(token[13:])) {
		t.Errorf("a printed token shows itself: %s", text)
	}
}

func TestErrorsBecomeProblems(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err    error
		status int
		code   string
	}{
		{outreach.ErrNotFound, 404, "not_found"},
		{fmt.Errorf("run: %w", outreach.ErrNotFound), 404, "not_found"},
		{errors.New("pq: password of user secret"), 500, "internal"},
		{&outreach.Error{Code: "made_up", Message: "secret"}, 500, "internal"},
		{&net.OpError{Op: "dial", Err: errors.New("secret refused")}, 503, "unavailable"},
		{fmt.Errorf("query: %w", io.ErrUnexpectedEOF), 503, "unavailable"},
		{context.DeadlineExceeded, 503, "unavailable"},
		{fmt.Errorf("query: %w", &pgconn.PgError{Code: "57P01", Message: "secret shutdown"}), 503, "unavailable"},
		{&pgconn.PgError{Code: "57P03"}, 503, "unavailable"},
		{&pgconn.PgError{Code: "08006"}, 503, "unavailable"},
		{&pgconn.PgError{Code: "53300"}, 503, "unavailable"},
		{&pgconn.PgError{Code: "42601", Message: "secret statement"}, 500, "internal"},
		{outreach.Errorf(outreach.CodeUnavailable, "Away."), 503, "unavailable"},
	} {
		got := newService(t, refuses(test.err)).do("GET", "/api/v1/prospects/"+anID, "")
		p := problemOf(t, got)
		if got.StatusCode != test.status || string(p.Code) != test.code || p.RequestID != got.Header.Get("X-Request-Id") ||
			strings.Contains(p.Detail, "secret") {
			t.Errorf("%v: %s %+v", test.err, got.Status, p)
		}
		if retry := got.Header.Get("Retry-After"); (retry != "") != (test.status == 503) {
			t.Errorf("%v: Retry-After %q", test.err, retry)
		}
	}
}

func TestExtraMembersOfAProblem(t *testing.T) {
	t.Parallel()
	exists := &outreach.Error{Code: outreach.CodeProspectExists, Message: "There.", Extra: map[string]string{"prospect_id": anID}}
	got := newService(t, refuses(exists)).do("POST", "/api/v1/prospects", `{"email":"a@b.example"}`)
	if body := text(t, got); got.StatusCode != 409 || !strings.HasSuffix(body, `,"prospect_id":"`+anID+`"}`) {
		t.Errorf("%s %s", got.Status, body)
	}
}

func TestPanicsAreAnswered(t *testing.T) {
	t.Parallel()
	queries := &recorder{answer: func(context.Context, string, map[string]any) (string, error) { panic("secret") }}
	var log bytes.Buffer
	s := newService(t, queries, func(c *Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	for _, headers := range [][]string{nil, {"Idempotency-Key", "k"}} {
		got := s.do("POST", "/api/v1/prospects", `{}`, headers...)
		if p := problemOf(t, got); got.StatusCode != 500 || strings.Contains(p.Detail, "secret") {
			t.Errorf("%s %+v", got.Status, p)
		}
	}
	if text := log.String(); strings.Contains(text, "secret") || !strings.Contains(text, "panic: string") {
		t.Errorf("it logs %s", text)
	}
}

func TestAnswersThatFitNoShapeAreFaultsOfOurs(t *testing.T) {
	t.Parallel()
	for _, data := range []string{``, `{}`, `{"body":{}}`, `{"page":{`, `null`} {
		if got := newService(t, answers(data)).do("GET", "/api/v1/prospects", ""); got.StatusCode != 500 {
			t.Errorf("%q: %s", data, got.Status)
		}
	}
}

// Bodies made to be expensive are refused with an answer of ordinary size.
func TestHostileBodies(t *testing.T) {
	t.Parallel()
	s := newService(t, refuses(outreach.Errorf(outreach.CodeConflict, "Read without a fault.")))
	deep := strings.Repeat("[", 9000)
	for _, test := range []struct {
		path, body string
		want       int
	}{
		{"/campaigns", `{"steps":[` + strings.Repeat("0,", 400_000) + `0]}`, 422},
		{"/campaigns", `{"mailbox_ids":[` + strings.Repeat(`"",`, 300_000) + `""]}`, 422},
		{"/prospects/bulk", `{"prospects":[` + strings.Repeat("0,", 2_000_000) + `0]}`, 422},
		{"/prospects", `{"custom_fields":{"a":` + deep + strings.Repeat("1,", 200_000) + `1` + strings.Repeat("]", 9000) + `}}`, 409},
		{"/prospects", `{"custom_fields":{"a":` + deep + strings.Repeat("1e999,", 100_000) + `1` + strings.Repeat("]", 9000) + `}}`, 422},
		{"/prospects", strings.Repeat(`{"custom_fields":`, 50_000), 400},
		{"/prospects", strings.Repeat("[", 500_000), 400},
	} {
		got := s.do("POST", Base+test.path, test.body)
		if p := problemOf(t, got); got.StatusCode != test.want || len(p.Errors) > outreach.MaxFaults {
			t.Errorf("%s %.40s…: %s, %d faults", test.path, test.body, got.Status, len(p.Errors))
		}
	}
}

// What a body may not hold takes little memory while it is read.
func TestRefusedValuesAreNotKept(t *testing.T) {
	t.Parallel()
	a, err := newAPI(Config{Schema: theSchema()}, routes, Operations())
	if err != nil {
		t.Fatal(err)
	}
	decode := func(path, body string) (map[string]any, string) {
		e, _, err := a.table.match(http.MethodPost, Base+path, http.Header{})
		if err != nil {
			t.Fatal(err)
		}
		object, faults, err := a.decoding.decode([]byte(body), e.input)
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, fault := range faults {
			told = append(told, fault.Pointer()+" "+string(fault.Code))
		}
		return object, strings.Join(told, ", ")
	}
	nested := `{"custom_fields":{"a":[` + strings.Repeat(`{"":0},`, 1000) + `0],"b":{"c":` + strings.Repeat(`{"d":`, 9) + `1` +
		strings.Repeat(`}`, 11) + `}`
	object, told := decode("/prospects", nested)
	want := map[string]any{"customFields": map[string]any{"a": []any{}, "b": map[string]any{}}}
	if diff := cmp.Diff(want, object); diff != "" || told != "" {
		t.Errorf("nested values: %s %s", diff, told)
	}
	var keys strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&keys, `"k%d":0,`, i)
	}
	object, told = decode("/prospects", `{"custom_fields":{`+keys.String()+`"last":0}}`)
	if len(object) != 0 || told != "/custom_fields too_long" {
		t.Errorf("many keys: %d kept, %s", len(object), told)
	}
	object, told = decode("/campaigns", `{"mailbox_ids":[`+strings.Repeat(`"`+uuid.NewString()+`",`, 15_000)+`null]}`)
	if len(object) != 0 || told != "/mailbox_ids too_long" {
		t.Errorf("many elements: %d kept, %s", len(object), told)
	}
}
